import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { currentOs } from '../../platform/operating-system.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { scriptsIn } from '../../src/record/script.ts';
import { playServer } from '../../src/record/server.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const { native } = await currentOs();

function frame(direction: 'in' | 'out', payload: object, seq: number): JournalEntry {
  const text = JSON.stringify(payload);
  return { kind: 'frame', session: 's', direction, opcode: 1, text, bytes: text.length, seq, at: seq };
}

it.skipIf(native.kind === 'absent')(
  'a played server leaves an app the time to read each frame by itself (skipped: the system does not tell)',
  async () => {
    const entries: readonly JournalEntry[] = [
      { kind: 'connect', session: 's', over: 'ipc', seq: 1, at: 1 },
      frame('in', { cmd: 'SUBSCRIBE', nonce: '1' }, 2),
      ...[1, 2, 3].map((n) => frame('out', { cmd: 'DISPATCH', data: { n } }, 2 + n)),
    ];
    const endpoint = join(temporaryFolder(), 'discord-ipc-0');
    const server = await playServer(scriptsIn(entries), { endpoint, timing: false });
    const reads: string[] = [];
    const app = connect({
      path: endpoint,
      // One read, and no other until it is asked for.
      onread: {
        buffer: Buffer.alloc(4096),
        callback(length, bytes) {
          reads.push(String(Buffer.from(bytes.buffer, bytes.byteOffset, length).subarray(8)));
          return false;
        },
      },
    });
    app.write(frameBytes(1, '{"cmd":"SUBSCRIBE","nonce":"7"}'));
    for (let n = 1; n <= 3; n += 1) {
      await expect.poll(() => reads.length).toBe(n);
      await delay(50);
      app.resume();
    }
    expect(reads).toEqual([1, 2, 3].map((n) => `{"cmd":"DISPATCH","data":{"n":${n}}}`));
    app.destroy();
    expect(server.end()).toEqual([]);
  },
);
