import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { currentOs } from '../../platform/operating-system.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { textWithoutSecrets } from '../../src/journal/without-secrets.ts';
import { scriptsIn } from '../../src/record/script.ts';
import { playServer } from '../../src/record/server.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';
import { rawPeer } from '../helpers/raw-peer.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const { native } = await currentOs();

const CONNECT: JournalEntry = { kind: 'connect', session: 's', over: 'ipc', seq: 1, at: 1 };

function frame(direction: 'in' | 'out', payload: object, seq: number, at = seq): JournalEntry {
  return entry(direction, 1, JSON.stringify(payload), seq, at);
}

function entry(direction: 'in' | 'out', opcode: number, said: string, seq: number, at = seq): JournalEntry {
  const text = textWithoutSecrets(said);
  return { kind: 'frame', session: 's', direction, opcode, text, bytes: text.length, seq, at };
}

/** An app at a server that plays these entries, and all that the server has said to it. */
async function playing(entries: readonly JournalEntry[], timing = false) {
  const endpoint = join(temporaryFolder(), 'discord-ipc-0');
  const server = await playServer(scriptsIn(entries), { endpoint, timing });
  const app = await rawPeer(endpoint);
  return { server, app };
}

it.skipIf(native.kind === 'absent')(
  'a replayed server leaves an app time to read each frame separately (needs native calls)',
  async () => {
    const entries: readonly JournalEntry[] = [
      CONNECT,
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

it.each(['{"a":1}', '[1,2]', '5', '"hey"', 'no JSON', ''])(
  'a PING with %s is answered with its own content, as recorded',
  async (said) => {
    const { server, app } = await playing([CONNECT, entry('in', 3, said, 2), entry('out', 4, said, 3)]);
    app.write(frameBytes(3, said));
    expect(await app.receive()).toEqual({ opcode: 4, body: Buffer.from(said) });
    app.socket.destroy();
    expect(server.end()).toEqual([]);
  },
);

it('an app that connects more often than recorded receives a CLOSE with the reason', async () => {
  const { server, app } = await playing([]);
  app.write(frameBytes(0, '{"v":1,"client_id":"1"}'));
  const { opcode, body } = (await app.receive()) ?? {};
  expect([opcode, String(body)]).toEqual([2, expect.stringContaining('The record has no answer')]);
  expect(await app.receive()).toBeUndefined();
  expect(server.end()).toContainEqual(expect.objectContaining({ what: 'connection 1' }));
});

it('a hidden text of a record is not hidden again when it is read', () => {
  const hidden = textWithoutSecrets('hello');
  expect(textWithoutSecrets(hidden)).toBe(hidden);
});
