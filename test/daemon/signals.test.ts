import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadNative } from '../../platform/native/native.ts';
import { bundledModule } from '../helpers/bundled.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const native = await loadNative();

/** A script in a process of its own that has printed a line, and how it ends. */
async function started(
  script: string,
): Promise<{ readonly kill: () => void; readonly ended: Promise<unknown[]> }> {
  const args = ['--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  return { kill: () => void child.kill('SIGTERM'), ended };
}

const leaving = (file: string, after: string): string => `
  import { open } from 'node:fs';
  const { leave, untilStopped } = await import(${bundledModule('signals')});
  void untilStopped().then(({ signal }) => leave(0, signal));
  // Nobody ever opens the other end, unless the test does.
  open(${JSON.stringify(file)}, 'r', () => {});
  setInterval(() => {}, 1000);
  console.log('ready');
  ${after}
`;

it.skipIf(native.kind === 'absent')(
  'a stop while a file operation hangs ends with exit code 0 (needs koffi)',
  async () => {
    const fifo = join(temporaryFolder(), 'fifo');
    execFileSync('mkfifo', [fifo]);
    const { kill, ended } = await started(leaving(fifo, ''));
    kill();
    expect(await ended).toEqual([0, null]);
  },
);

it.skipIf(process.platform !== 'linux')(
  'a stop in the middle of reads of /proc/net/tcp ends with exit code 0 (Linux only)',
  async () => {
    const reading = `
      const { readFile } = await import('node:fs/promises');
      const again = () => void readFile('/proc/net/tcp').then(again);
      again();
    `;
    const { kill, ended } = await started(leaving('/dev/null', reading));
    kill();
    expect(await ended).toEqual([0, null]);
  },
);

it.skipIf(process.platform === 'win32')(
  'a stop while the program is still being loaded ends with exit code 0 (not on Windows)',
  async () => {
    const { kill, ended } = await started(`
      const { endWhileLoading } = await import(${bundledModule('end-while-loading')});
      endWhileLoading();
      setInterval(() => {}, 1000);
      console.log('ready');
    `);
    kill();
    expect(await ended).toEqual([0, null]);
  },
);
