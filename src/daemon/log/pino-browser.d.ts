/** The same types: the code uses no function that the browser build lacks. */
declare module 'pino/browser.js' {
  export { pino as default } from 'pino';
}
