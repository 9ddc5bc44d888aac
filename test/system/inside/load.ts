// `load.mjs ENDPOINT KILLS EVERY_MS`: connects all the time, as apps do, kills the service again and again, and prints
// what became of every connection as JSON.
import { execFileSync } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Opcode } from '../../../src/wire/codes.ts';
import { FrameDecoder, framesOf } from '../../../src/wire/decoder.ts';
import { encodeFrame } from '../../../src/wire/frame.ts';

const [, , endpoint = '', kills = '0', every = '0'] = process.argv;
const HELLO = encodeFrame(Opcode.HANDSHAKE, JSON.stringify({ v: 1, client_id: '300000000000000001' })).bytes;
const CONNECT_MS = 40;
/** Sessions that stay open and say nothing, so that every kill meets them. */
const KEPT = 5;
/** A session that is not READY by then is not served. */
const PATIENCE_MS = 5000;

const counts = {
  connects: 0,
  refused: 0,
  ready: 0,
  /** Began before a kill and were not READY when it came. */
  caught: 0,
  /** Began after the last kill, and were not served all the same. */
  unserved: 0,
  /** READY sessions that a kill met, by how they ended. */
  endedByEof: 0,
  endedOtherwise: 0,
  /** From connect() to READY, the longest (ms). */
  slowestMs: 0,
};
let killedAt = Number.NEGATIVE_INFINITY;
let over = false;

/** One session; `keep` leaves it open. Resolves once it is READY or has ended. */
function session(keep: boolean): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const began = performance.now();
    const socket = connect(endpoint);
    const decoder = new FrameDecoder(1 << 20);
    let ready = false;
    let failure = false;
    counts.connects += 1;
    const late = setTimeout(() => socket.destroy(), PATIENCE_MS);
    socket.once('connect', () => socket.write(HELLO));
    socket.on('data', (chunk: Uint8Array) => {
      for (const { opcode } of framesOf(decoder, chunk)) {
        if (opcode !== Opcode.FRAME || ready) continue;
        ready = true;
        clearTimeout(late);
        counts.ready += 1;
        counts.slowestMs = Math.max(counts.slowestMs, Math.round(performance.now() - began));
        if (!keep) socket.destroy();
        resolve(socket);
      }
    });
    socket.on('error', () => {
      failure = true;
      if (socket.connecting || socket.bytesWritten === 0) counts.refused += 1;
    });
    socket.once('close', () => {
      clearTimeout(late);
      resolve(undefined);
      if (!ready) counts[began < killedAt ? 'caught' : 'unserved'] += 1;
      else if (keep && !over) counts[failure ? 'endedOtherwise' : 'endedByEof'] += 1;
    });
  });
}

async function keepOpen(): Promise<void> {
  while (!over) {
    const socket = await session(true);
    if (socket !== undefined && !socket.destroyed) {
      await new Promise((resolve) => socket.once('close', resolve));
    }
  }
}

for (let i = 0; i < KEPT; i++) void keepOpen();
const passing = setInterval(() => void session(false), CONNECT_MS);
for (let i = 0; i < Number(kills); i++) {
  await delay(Number(every));
  const shown = ['--user', 'show', 'footbridge.service', '--property=MainPID', '--value'];
  const pid = Number(execFileSync('systemctl', shown, { encoding: 'utf8' }));
  killedAt = performance.now();
  process.kill(pid, 'SIGKILL');
}
await delay(2000);
clearInterval(passing);
await delay(PATIENCE_MS);
over = true;
process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exit(0);
