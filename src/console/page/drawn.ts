/** Views that draw messages: a file of their own, which the browser reads when one of them is opened. */
export { Channels } from './views/channels/channels.ts';
export { Picture } from './views/picture/picture.ts';
