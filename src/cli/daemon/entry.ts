// What the daemon's own bundle offers to the command line and to the test library; see .ci/build.mjs.
export { runDaemon } from './run.ts';
export { startDaemon } from './start.ts';
