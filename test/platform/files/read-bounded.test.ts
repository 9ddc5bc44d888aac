import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readArgument, readBounded } from '../../../platform/files/read-bounded.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

const LIMIT = 100_000;
const isLinux = process.platform === 'linux';

/** Runs a shell until the test ends. */
function shell(script: string, cwd: string) {
  const child = spawn('sh', ['-c', script], { cwd, stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  return once(child, 'exit');
}

describe('readBounded', () => {
  it.each([0, 1, LIMIT])('reads a file of %i bytes', async (size) => {
    const path = join(temporaryFolder(), 'f');
    writeFileSync(path, 'x'.repeat(size));
    expect(await readBounded(path, LIMIT)).toBe('x'.repeat(size));
  });

  it.skipIf(!isLinux)('reads a FIFO to its end, however slow (needs FIFOs)', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'fifo');
    execFileSync('mkfifo', [path]);
    const writer = shell('sleep 0.2; { printf one; sleep 0.2; printf two; } > fifo', folder);
    expect(await readBounded(path, LIMIT)).toBe('onetwo');
    await writer;
    const large = shell(`head -c ${LIMIT + 1} /dev/zero > fifo`, folder);
    await expect(readBounded(path, LIMIT)).rejects.toMatchObject({ code: 'FOOTBRIDGE_INPUT' });
    await large;
  });

  it.skipIf(!isLinux)(
    'rejects a FIFO without a writer (needs FIFOs)',
    async () => {
      const path = join(temporaryFolder(), 'fifo');
      execFileSync('mkfifo', [path]);
      // A second passes from one look to the next.
      let seconds = 0;
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
        seconds += 1;
        return seconds * 1000;
      });
      onTestFinished(() => clock.mockRestore());
      await expect(readBounded(path, LIMIT)).rejects.toThrow(`${path}: nobody writes to this pipe. Start`);
      expect(seconds).toBeGreaterThan(5);
    },
    15_000,
  );
});

it('readArgument reports every error in one line with the file and the remedy', async () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  mkdirSync(at('folder'));
  symlinkSync('nowhere', at('dangling'));
  symlinkSync('circle', at('circle'));
  writeFileSync(at('bytes'), new Uint8Array([0xff]));
  writeFileSync(at('large'), '');
  truncateSync(at('large'), 100 * 1024 * 1024);
  const wrong: readonly [string, string][] = [
    ['folder', 'it is a folder (EISDIR)'],
    ['dangling', 'there is no such file or folder (ENOENT)'],
    ['circle', 'its links lead in a circle (ELOOP)'],
    ['folder/x/y', 'there is no such file or folder (ENOENT)'],
    ['bytes/x', 'what is above it is no folder (ENOTDIR)'],
    ['bytes', 'the text is not UTF-8. Save'],
    ['large', `at most ${LIMIT} bytes are read. Give`],
  ];
  for (const [name, text] of wrong) {
    const error = await readArgument(at(name), LIMIT).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: 'FOOTBRIDGE_INPUT' });
    expect((error as Error).message).toContain(text);
    expect((error as Error).message.startsWith(`${at(name)}: `)).toBe(true);
    expect((error as Error).message).toMatch(/^[^\n]+\. (Give|Save) [^\n]+\.$/);
  }
});
