/** The same types: what the browser build lacks is not used. */
declare module 'pino/browser.js' {
  export { pino as default } from 'pino';
}
