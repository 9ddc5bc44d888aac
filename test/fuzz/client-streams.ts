import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ClientError, RpcError } from '../../src/client/index.ts';
import { openLink } from '../../src/client/link.ts';
import { socketWire } from '../../src/client/socket-wire.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { cutBytes, frameBytes, headerBytes } from '../helpers/frame-bytes.ts';
import { Random } from './random.ts';

/** What a fuzzed server says in its READY. */
const ready = { v: 1, config: {}, user: { id: '1', username: 'river' } };

type Numbers = (below: number) => number;

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
      return frameBytes(Opcode.FRAME, JSON.stringify({ evt: 'READY', data: ready }));
    default:
      return frameBytes(random(20) === 0 ? random(8) : pick(random, [1, 1, 1, 1, 2, 3, 4]), body(random));
  }
}

/** The chunks of the stream with this number: frames that are right, nearly right, and noise. */
export function streamChunks(seed: number): Uint8Array[] {
  const source = new Random(seed);
  const random: Numbers = (below) => source.int(below);
  const parts = Array.from({ length: 1 + random(8) }, () => frame(random));
  if (random(2) === 0) parts.unshift(frameBytes(Opcode.FRAME, JSON.stringify({ evt: 'READY', data: ready })));
  const bytes = new Uint8Array(Buffer.concat(parts));
  return cutBytes(
    bytes,
    Array.from({ length: random(12) }, () => random(bytes.byteLength + 1)),
  );
}

/** What became of the streams of {@link runClientStreams}. */
export interface StreamCounts {
  ready: number;
  answered: number;
  refused: number;
  /** What was thrown where nobody could catch it. */
  readonly escaped: unknown[];
}

/**
 * Lets a link read each stream from number `from` on, with three requests waiting, and end it. Throws, and names the
 * stream, when a link does not end exactly once, or a request is settled by anything but the errors it may be.
 */
export async function runClientStreams(
  from: number,
  count: number,
  onProgress: (done: number) => void = () => {},
): Promise<StreamCounts> {
  const counts: StreamCounts = { ready: 0, answered: 0, refused: 0, escaped: [] };
  const keep = (error: unknown): void => void counts.escaped.push(error);
  process.on('uncaughtException', keep);
  process.on('unhandledRejection', keep);
  try {
    for (let n = 0; n < count; n++) {
      await runStream(from + n, counts);
      if (n % 1000 === 0) onProgress(n);
    }
    // What is rejected in the last turn is told in the next.
    await nextTurn();
  } finally {
    process.off('uncaughtException', keep);
    process.off('unhandledRejection', keep);
  }
  return counts;
}

async function runStream(seed: number, counts: StreamCounts): Promise<void> {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const wrong: string[] = [];
  let ended = 0;
  const link = openLink((listener) => socketWire(socket, '1', listener), {
    ready: () => {
      counts.ready += 1;
    },
    dispatch: (event) => {
      if (typeof event !== 'string') wrong.push('an event without a name');
    },
    ended: (error) => {
      ended += 1;
      if (!(error instanceof ClientError)) wrong.push('ended without a reason');
    },
  });
  const requests = ['A', 'B', 'C'].map((cmd) =>
    link.request(cmd, {}, {}).then(
      () => {
        counts.answered += 1;
      },
      (error) => {
        if (error instanceof RpcError || error instanceof ClientError) counts.refused += 1;
        else wrong.push(`a request ended with ${error}`);
      },
    ),
  );
  for (const chunk of streamChunks(seed)) socket.push(chunk);
  socket.push(null);
  await Promise.all(requests);
  await nextTurn();
  if (ended !== 1) wrong.push(`ended ${ended} times`);
  if (wrong.length > 0) throw new Error(`stream ${seed}: ${wrong.join(', ')}`);
  socket.destroy();
}
