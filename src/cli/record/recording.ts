// Both commands, `record` and `replay`, as one file of the build.
export { recordSession } from './record.ts';
export { replayRecord } from './replay.ts';
