// A hostile peer in a process of its own: `attacker.ts KIND PATH COUNT`; prints a line once it is at work.
import { connect, Socket } from 'node:net';
import { Opcode } from '../../src/wire/codes.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';

const APP = '300000000000000001';
const handshake = frameBytes(Opcode.HANDSHAKE, JSON.stringify({ v: 1, client_id: APP }));
const [, , kind = '', path = '', count = '1'] = process.argv;

const attacks: Readonly<Record<string, (path: string) => Socket>> = {
  /** Never says a word. */
  silent: (endpoint) => connect(endpoint).on('error', () => {}),
  /** 64 KiB of nested JSON, over and over. */
  flood(endpoint) {
    const body = `{"cmd":"SET_ACTIVITY","nonce":"f","args":${'{"a":'.repeat(50)}"${'[{},'.repeat(15_000)}"${'}'.repeat(51)}`;
    const frame = frameBytes(Opcode.FRAME, body);
    const socket = open(endpoint);
    const push = (): void => {
      while (socket.writable && socket.write(frame)) {
        // Until the socket's own buffer is full.
      }
    };
    socket.on('drain', push);
    setImmediate(push);
    socket.resume();
    return socket;
  },
  /** Asks for as much as it can and reads none of it. */
  mute(endpoint) {
    const ping = frameBytes(Opcode.PING, JSON.stringify('x'.repeat(50_000)));
    const socket = open(endpoint);
    socket.pause();
    const timer = setInterval(() => {
      if (socket.destroyed) clearInterval(timer);
      else if (socket.writableLength < 1_000_000) for (let i = 0; i < 10; i++) socket.write(ping);
    }, 20);
    return socket;
  },
  /** Every second a request that is within every limit of size and has as many keys as fit into it. */
  costly(endpoint) {
    const keys = Array.from({ length: 26_000 }, (_, i) => `"${(i + 46_656).toString(36)}":1`).join(',');
    const body = `{"cmd":"SET_ACTIVITY","nonce":"c","args":{"pid":1,"activity":{${keys}}}}`;
    const frame = frameBytes(Opcode.FRAME, body);
    const socket = open(endpoint);
    const timer = setInterval(() => {
      if (socket.destroyed) clearInterval(timer);
      else if (socket.writableLength === 0) socket.write(frame);
    }, 1000);
    socket.resume();
    return socket;
  },
  /** Comes, shakes hands, goes, and comes again at once. */
  storm(endpoint) {
    const again = (): Socket => {
      const socket = open(endpoint);
      socket.once('data', () => socket.destroy());
      socket.once('close', () => setImmediate(again));
      return socket;
    };
    // What `keep` waits for never closes.
    again();
    return new Socket();
  },
  /** Connects and hangs up without a word, hundreds of times in a turn. */
  hangups(endpoint) {
    const again = (): void => {
      for (let made = 0; made < 500; made += 1) attacks['silent']?.(endpoint).destroy();
      setImmediate(again);
    };
    again();
    return new Socket();
  },
};

function open(endpoint: string): Socket {
  const socket = connect(endpoint).on('error', () => {});
  socket.write(handshake);
  return socket;
}

const attack = attacks[kind];
if (attack === undefined) throw new Error(`no attack ${kind}`);
const keep = (): void => {
  // Whoever is cut off comes back.
  attack(path).once('close', () => setTimeout(keep, 2000));
};
for (let i = 0; i < Number(count); i++) keep();
setTimeout(() => process.stdout.write('at work\n'), 500);
