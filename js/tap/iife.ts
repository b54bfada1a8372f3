/** Classic script `tap.iife.js`: to paste in `<head>` before every other script. */
import { install } from "./index.js";

install();
