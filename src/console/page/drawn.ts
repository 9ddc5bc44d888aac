/** Views that draw messages, pairing, which one core has, and what reads and writes files of other programs: a file of its own, which the browser reads when it is needed. */
export { harOf } from '../../journal/har.ts';
export { Channels } from './views/channels/channels.ts';
export { Pairing } from './views/decisions/pairing.ts';
export { Picture } from './views/picture/picture.ts';
export { readRecorded } from './views/traffic/opened/recorded-file.ts';
