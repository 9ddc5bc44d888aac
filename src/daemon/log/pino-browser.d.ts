/** The browser build has the types of pino itself: the code uses no function that this build lacks. */
declare module 'pino/browser.js' {
  export { pino as default } from 'pino';
}
