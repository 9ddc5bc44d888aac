// What the daemon's own bundle offers to the command line, to the test library and to programs that embed the bridge;
// see .ci/build.mjs.
export {
  createServer,
  defaultLimits,
  localSocket,
  loopbackPort,
  memoryTransport,
  silentLogger,
} from '../../server/entry.ts';
export { runDaemon } from './run.ts';
export { startDaemon } from './start.ts';
