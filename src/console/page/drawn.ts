/** Views that draw messages, and what reads recorded files: a file of its own, which the browser reads when it is needed. */
export { Channels } from './views/channels/channels.ts';
export { Picture } from './views/picture/picture.ts';
export { readRecorded } from './views/traffic/opened/recorded-file.ts';
