import { connect } from 'node:net';
import { Opcode } from '../../src/wire/codes.ts';
import { concatBytes, cutBytes, frameBytes, headerBytes } from '../helpers/frame-bytes.ts';
import { Random } from './random.ts';

const APP = '300000000000000001';
const HANDSHAKE = frameBytes(Opcode.HANDSHAKE, JSON.stringify({ v: 1, client_id: APP }));
const COMMANDS = [
  'GET_GUILDS',
  'SET_ACTIVITY',
  'SUBSCRIBE',
  'UNSUBSCRIBE',
  'AUTHORIZE',
  'AUTHENTICATE',
  'X',
] as const;

/** How a set of sessions went. */
export interface SessionsResult {
  readonly sessions: number;
  /** Connections that the system refused: nobody listened. */
  readonly refused: number;
  /** Bytes that came back. */
  readonly answered: number;
}

/** Runs random sessions against an endpoint, `atOnce` at a time, each from its own seed. */
export async function runRandomSessions(
  path: string,
  options: {
    readonly count: number;
    readonly seed: number;
    readonly atOnce: number;
    onProgress?(done: number): void;
  },
): Promise<SessionsResult> {
  let next = 0;
  let refused = 0;
  let answered = 0;
  const worker = async (): Promise<void> => {
    while (next < options.count) {
      const number = next++;
      const result = await runSession(path, new Random(options.seed + number));
      if (result.refused) refused += 1;
      answered += result.bytes;
      if (number % 1000 === 0) options.onProgress?.(number);
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, worker));
  return { sessions: options.count, refused, answered };
}

function runSession(path: string, random: Random): Promise<{ refused: boolean; bytes: number }> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let bytes = 0;
    let refused = false;
    const patience = setTimeout(() => socket.destroy(), 3000);
    socket.on('error', (error) => {
      refused ||= 'code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ENOENT');
    });
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    socket.on('close', () => {
      clearTimeout(patience);
      resolve({ refused, bytes });
    });
    socket.on('connect', () => {
      for (const chunk of chunks(random)) socket.write(chunk);
      // Some leave with a word, some without, some in the middle of it.
      switch (random.int(4)) {
        case 0:
          return socket.destroy();
        case 1:
          return void setImmediate(() => socket.destroy());
        default:
          return void socket.end();
      }
    });
  });
}

/** What one session sends, cut anywhere. */
function chunks(random: Random): Uint8Array[] {
  const parts: Uint8Array[] = random.int(3) === 0 ? [] : [HANDSHAKE];
  const count = random.int(6);
  for (let i = 0; i < count; i++) parts.push(part(random));
  const bytes = mutated(concatBytes(...parts), random);
  return cutBytes(
    bytes,
    Array.from({ length: random.int(4) }, () => random.int(bytes.byteLength + 1)),
  );
}

function part(random: Random): Uint8Array {
  switch (random.int(8)) {
    case 0:
      return random.bytes(random.int(200));
    case 1:
      return headerBytes(
        random.int(8) - 2,
        random.pick([0, 1, 1000, 65_536, 300_000, 0x7fff_ffff, 0xffff_ffff]),
      );
    case 2:
      return frameBytes(random.int(5), random.bytes(random.int(64)));
    case 3:
      return frameBytes(Opcode.PING, JSON.stringify('x'.repeat(random.int(2000))));
    case 4:
      return frameBytes(Opcode.FRAME, '['.repeat(random.int(5000)));
    default:
      return frameBytes(Opcode.FRAME, JSON.stringify(request(random)));
  }
}

function request(random: Random): object {
  const value = (): unknown =>
    random.pick<unknown>([
      null,
      1,
      -1,
      1e308,
      '',
      'x',
      'x'.repeat(2000),
      [],
      {},
      [[]],
      { __proto__: 1 },
      true,
    ]);
  return {
    cmd: random.int(8) === 0 ? value() : random.pick(COMMANDS),
    nonce: random.int(8) === 0 ? value() : String(random.int(1000)),
    evt: random.int(3) === 0 ? value() : random.pick(['GUILD_STATUS', 'READY', 'VOICE_SETTINGS_UPDATE', 'X']),
    args: random.pick<unknown>([
      value(),
      {},
      { client_id: APP, scopes: ['identify'] },
      { access_token: 'x'.repeat(40) },
      { pid: value(), activity: { state: value(), timestamps: { start: value() } } },
      { guild_id: value(), channel_id: value() },
    ]),
  };
}

/** Flips, drops and repeats a few bytes in one session of four. */
function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.byteLength === 0 || random.int(4) !== 0) return bytes;
  const copy = Uint8Array.from(bytes);
  for (let i = 0; i <= random.int(4); i++) copy[random.int(copy.byteLength)] = random.int(256);
  return random.int(2) === 0 ? copy : copy.slice(0, random.int(copy.byteLength));
}
