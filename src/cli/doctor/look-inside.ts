/** First argument of the command line for `printInside`; no command has this name. */
export const LOOK_INSIDE = '--look-inside';
