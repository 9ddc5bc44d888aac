import { Duplex } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { ClientError, connect, RpcError } from '../../src/client/index.ts';
import { openLink } from '../../src/client/link.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { cutBytes, frameBytes, headerBytes } from '../helpers/frame-bytes.ts';
import { scriptedReady, scriptedServer, wellBehaved } from '../helpers/scripted-server.ts';

const STREAMS = 10_000;
const SOCKET_STREAMS = 200;

/** The same numbers in every run (mulberry32), so that a stream that fails can be run again. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

type Numbers = ReturnType<typeof numbers>;

const WORDS = [
  ...[
    'null',
    '0',
    '-1',
    '1e999',
    '"x"',
    '""',
    '[]',
    '{}',
    'true',
    '{"a":',
    '"\\ud800"',
    '{"__proto__":{"evt":"ERROR"}}',
  ],
  ...[
    '"1"',
    '"2"',
    '"3"',
    '"READY"',
    '"ERROR"',
    '"DISPATCH"',
    '"VOICE_SETTINGS_UPDATE"',
    '{"code":4000,"message":"no"}',
  ],
];
const KEYS = ['cmd', 'data', 'evt', 'nonce', 'code', 'message', 'constructor', 'toString'];

function pick<T>(random: Numbers, list: readonly T[]): T {
  return list[random(list.length)] as T;
}

/** A body that is nearly right, wrong in some way, or noise. */
function body(random: Numbers): string | Uint8Array {
  switch (random(8)) {
    case 4:
    case 5:
    case 6:
      return `{"cmd":"A","nonce":"${1 + random(4)}","evt":${pick(random, WORDS)},"data":${pick(random, WORDS)}}`;
    case 0:
      return Uint8Array.from({ length: random(64) }, () => random(256));
    case 1:
      return pick(random, WORDS);
    case 2:
      return `${'['.repeat(random(5000))}`;
    default: {
      const members = KEYS.filter(() => random(3) > 0).map((key) => `"${key}":${pick(random, WORDS)}`);
      return `{${members.join(',')}}`;
    }
  }
}

function frame(random: Numbers): Uint8Array {
  switch (random(8)) {
    case 0:
      return headerBytes(random(9) - 2, pick(random, [0, 1, 7, 0x7fff_ffff, 0xffff_ffff, 70_000]));
    case 1:
      return Uint8Array.from({ length: random(40) }, () => random(256));
    case 2:
      return frameBytes(Opcode.FRAME, JSON.stringify({ evt: 'READY', data: scriptedReady }));
    default:
      return frameBytes(random(20) === 0 ? random(8) : pick(random, [1, 1, 1, 1, 2, 3, 4]), body(random));
  }
}

function chunks(random: Numbers): Uint8Array[] {
  const parts = Array.from({ length: 1 + random(8) }, () => frame(random));
  if (random(2) === 0)
    parts.unshift(frameBytes(Opcode.FRAME, JSON.stringify({ evt: 'READY', data: scriptedReady })));
  const bytes = new Uint8Array(Buffer.concat(parts));
  return cutBytes(
    bytes,
    Array.from({ length: random(12) }, () => random(bytes.byteLength + 1)),
  );
}

/** Collects what escapes instead of being told to the caller. */
function escapes(): unknown[] {
  const seen: unknown[] = [];
  const keep = (error: unknown): void => void seen.push(error);
  process.on('uncaughtException', keep);
  process.on('unhandledRejection', keep);
  onTestFinished(() => {
    process.off('uncaughtException', keep);
    process.off('unhandledRejection', keep);
  });
  return seen;
}

it(`lets no exception escape from ${STREAMS} hostile streams, and ends each exactly once`, async () => {
  const seen = escapes();
  const counts = { ready: 0, ended: 0, answered: 0, refused: 0 };
  for (let seed = 0; seed < STREAMS; seed++) {
    const random = numbers(seed);
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    let ended = 0;
    const link = openLink(socket, '1', {
      ready: () => {
        counts.ready += 1;
      },
      dispatch: (event) => {
        if (typeof event !== 'string') throw new Error(`seed ${seed}: an event without a name`);
      },
      ended: (error) => {
        ended += 1;
        if (!(error instanceof ClientError)) throw new Error(`seed ${seed}: ended without a reason`);
      },
    });
    const requests = ['A', 'B', 'C'].map((cmd) =>
      link.request(cmd, {}, {}).then(
        () => (counts.answered += 1),
        (error) => {
          if (!(error instanceof RpcError || error instanceof ClientError)) throw error;
          counts.refused += 1;
        },
      ),
    );
    for (const chunk of chunks(random)) socket.push(chunk);
    socket.push(null);
    await Promise.all(requests);
    await new Promise((resolve) => setImmediate(resolve));
    if (ended !== 1) throw new Error(`seed ${seed}: ended ${ended} times`);
    counts.ended += 1;
    socket.destroy();
  }
  expect(seen).toEqual([]);
  expect(counts.ended).toBe(STREAMS);
  // A stream of mere noise would prove little.
  expect(counts.ready).toBeGreaterThan(STREAMS / 4);
  expect(counts.answered).toBeGreaterThan(STREAMS / 20);
  expect(counts.answered + counts.refused).toBe(3 * STREAMS);
}, 120_000);

it(`survives ${SOCKET_STREAMS} of them on a real socket, one after the other, and then works`, async () => {
  const seen = escapes();
  const server = await scriptedServer((frame, peer, connection) => {
    if (connection === SOCKET_STREAMS) return wellBehaved(frame, peer, connection);
    if (frame.opcode !== Opcode.HANDSHAKE) return;
    for (const chunk of chunks(numbers(connection))) peer.write(chunk);
    peer.socket.end();
  });
  for (let i = 0; i < SOCKET_STREAMS; i++) {
    const client = await connect({ clientId: '1', paths: [server.path], reconnect: false }).catch(
      (error) => error,
    );
    if (client instanceof Error) expect(client).toBeInstanceOf(ClientError);
    else await client.close();
  }
  const client = await connect({ clientId: '1', paths: [server.path] });
  onTestFinished(() => client.close());
  expect(await client.requestRaw('ECHO', { n: 1 })).toEqual({ n: 1 });
  expect(seen).toEqual([]);
}, 60_000);
