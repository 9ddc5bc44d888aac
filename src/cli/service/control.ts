import type { Io } from '../../daemon/io.ts';
import { printResult } from '../daemon-client.ts';
import { currentManager } from './context.ts';

/** Runs `footbridge start`, `stop` and `restart`. */
export async function runControl(
  action: 'start' | 'stop' | 'restart',
  json: boolean,
  io: Io,
): Promise<number> {
  const manager = await currentManager(io);
  const text = {
    start: ['Started.', 'It runs already.'],
    stop: [
      'Stopped. It starts again with your next login.',
      'No service runs. A bridge in a terminal ends with Ctrl-C.',
    ],
    restart: ['Restarted.', ''],
  }[action];
  const changed = action === 'restart' ? await manager.restart().then(() => true) : await manager[action]();
  return printResult(io, json, { action, changed }, () => `${text[changed ? 0 : 1]}\n`);
}
