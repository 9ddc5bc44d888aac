import { once } from 'node:events';
import { chmodSync, lstatSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { withTightUmask } from '../../../platform/files/umask.ts';
import { bundledModule } from '../../helpers/bundled.ts';
import { closeAfterTest, temporaryFolder } from '../../helpers/sockets.ts';

it('withTightUmask binds a socket with mode 0600 at once, and restores the umask', () => {
  const path = join(temporaryFolder(), 's');
  const previous = process.umask(0o022);
  try {
    const server = createServer();
    closeAfterTest(server);
    // Before `listening` is emitted: there is no moment with a looser mode.
    expect(withTightUmask(() => server.listen(path) && lstatSync(path).mode & 0o777)).toBe(0o600);
    expect(process.umask()).toBe(0o022);
    expect(() =>
      withTightUmask(() => {
        throw new Error('inside');
      }),
    ).toThrow('inside');
    expect(process.umask()).toBe(0o022);
  } finally {
    process.umask(previous);
  }
});

/** A worker thread that says what `withTightUmask` does there for a file in `folder`. */
function workerFor(folder: string): () => Promise<unknown> {
  const source = `
    const { parentPort, workerData } = require('node:worker_threads');
    const loaded = import(${bundledModule('umask')});
    parentPort.on('message', async () => {
      const { withTightUmask } = await loaded;
      try {
        parentPort.postMessage(withTightUmask(() => 'done', workerData));
      } catch (error) {
        parentPort.postMessage(error.code);
      }
    });`;
  const worker = new Worker(source, { eval: true, workerData: join(folder, 's') });
  onTestFinished(async () => void (await worker.terminate()));
  return async () => {
    const answered = once(worker, 'message');
    worker.postMessage('ask');
    const [answer] = await answered;
    return answer;
  };
}

it('withTightUmask in a worker thread creates files only in a folder that no other user can enter', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o700);
  const inWorker = workerFor(folder);
  expect(await inWorker()).toBe('done');
  for (const mode of [0o755, 0o710, 0o701, 0o777]) {
    chmodSync(folder, mode);
    expect(await inWorker()).toBe('FOOTBRIDGE_WORKER_THREAD');
  }
  chmodSync(folder, 0o700);
});
