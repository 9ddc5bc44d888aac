// Both sides of what is recorded, as one file of the build.
export { recordSession } from './record.ts';
export { replayRecord } from './replay.ts';
