/** Classic script `chat-vitals.iife.js`: everything in one file, global `ChatVitals`. */
export { init } from "./index.js";
