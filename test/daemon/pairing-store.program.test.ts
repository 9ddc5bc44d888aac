import { describe, expect, it, onTestFinished } from 'vitest';
import { createRuntime, startDaemon } from '../helpers/daemon.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

describe('the file of paired clients', () => {
  it('belongs to one bridge at a time, and a second bridge exits 75', async () => {
    const [one, two] = [createRuntime(), createRuntime()];
    onTestFinished(() => {
      one.remove();
      two.remove();
    });
    const data = temporaryFolder();
    const args = ['--core', 'attach', '--attach-port', '0', '--data-dir', data];
    const first = await startDaemon({ runtime: one, args });
    onTestFinished(async () => void (await first.stop()));
    await expect(startDaemon({ runtime: two, args })).rejects.toThrow(/keeps its paired clients in/);
  });
});
