import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { bundled } from '../helpers/bundled.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { blockOf } from '../helpers/page-sessions.ts';
import { hasPython } from '../helpers/sockets.ts';

it.skipIf(!hasPython())('the Python program of the protocol reads streams (needs python3)', async () => {
  const daemon = await startDaemon({ command: [process.execPath, bundled('footbridge')] });
  onTestFinished(async () => void (await daemon.stop()));
  const program = blockOf('src/protocol/README.md', 'python', 'stream_ping');
  const { stdout } = await promisify(execFile)('python3', ['-c', program], {
    env: daemon.env,
    timeout: 30_000,
  });
  const answers = [0, 1, 2].map((n) => `SET_ACTIVITY None ${n}`);
  expect(stdout.trimEnd().split('\n')).toEqual(['DISPATCH READY None', ...answers]);
  const { stdout: journal } = await daemon.cli(['journal', '--json']);
  const entries = JSON.parse(journal) as { opcode?: number; text?: string }[];
  const notices = entries.flatMap(({ opcode, text }) => (opcode === 3 ? [text] : []));
  expect(notices).toEqual(['"footbridge reads streams"']);
});
