/** The version of the package, for what the engine is not there to say. May touch: nothing. */
export const VERSION = "0.1.0";
