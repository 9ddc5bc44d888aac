/** Narrowest and widest picture, and the usual width, in pixels. */
export const MIN_WIDTH = 240;
export const MAX_WIDTH = 2000;
export const USUAL_WIDTH = 600;
/** Height of the window that a picture of the viewport shows, in pixels. */
export const WINDOW_HEIGHT = 600;
