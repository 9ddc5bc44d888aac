// What the daemon's own bundle offers to the command line, to the test library and to programs that embed the bridge;
// see .ci/build.mjs.
import type { JudgeOptions } from './judge-core.ts';

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

/** In the rare part: the idle daemon judges nobody. */
export async function judgeCore(options: JudgeOptions): Promise<number> {
  return (await import('./judge-core.ts')).judgeCore(options);
}
