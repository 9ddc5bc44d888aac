// The generator where no C compiler is there: the same words, the same line of JSON (see main.c). Its own work takes as
// long as a server's, so its figures say more about itself: the report names it.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { processorMs } from '../process-facts.ts';
import { latencies } from '../statistics.ts';
import { type Frame, FrameReader, nonceOf, readScript, type ScriptFrame, withNonce } from './node-frames.ts';

const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{
      path: text,
      opening: text,
      request: text,
      trigger: text,
      event: text,
      connections: text,
      count: text,
    },
    ...{
      window: text,
      warm: text,
      'warm-ms': text,
      'measure-ms': text,
      'every-us': text,
      'again-ms': text,
      pid: text,
    },
  },
});
const numeric = (value: string | undefined, otherwise: number): number =>
  value === undefined ? otherwise : Number(value);
const path = values.path ?? '';
const opening = readScript(readFileSync(values.opening ?? '', 'utf8'));
const connections = numeric(values.connections, 1);
const warm = numeric(values.warm, 0);
const count = numeric(values.count, 1);
const pid = numeric(values.pid, 0);
const fail = (message: string): never => {
  process.stderr.write(`generator: ${message}\n`);
  process.exit(1);
};
const print = (result: object): void => void process.stdout.write(`${JSON.stringify(result)}\n`);
const ownMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A connection that has said the opening. */
class Peer {
  readonly socket: Socket;
  onFrame: (frame: Frame) => void = () => {};
  onEnd: () => void = () => {};
  inFlight = 0;
  due = 0;

  private constructor(socket: Socket) {
    this.socket = socket;
    const reader = new FrameReader((frame) => this.onFrame(frame));
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => this.onEnd());
  }

  static async open(): Promise<Peer | undefined> {
    const peer = new Peer(connect(path));
    for (const { bytes, nonce } of opening) {
      const answered = await new Promise<boolean>((resolve) => {
        peer.onEnd = () => resolve(false);
        peer.onFrame = ({ opcode, body }) => {
          if (opcode === CLOSE) resolve(false);
          else if (nonce === undefined || body.includes(nonce)) resolve(true);
        };
        peer.socket.write(bytes);
      });
      if (!answered) {
        peer.socket.destroy();
        return undefined;
      }
    }
    peer.onFrame = () => {};
    peer.onEnd = () => {};
    return peer;
  }
}
const CLOSE = 2;

const opened = async (): Promise<Peer> => (await Peer.open()) ?? fail('a connection was refused');

async function runConnect(): Promise<void> {
  const times: number[] = [];
  let refused = 0;
  let [begun, server, own] = [0, 0, 0];
  for (let n = 0; n < warm + count; n++) {
    if (n === warm) [begun, server, own] = [performance.now(), processorMs(pid), ownMs()];
    const begin = performance.now();
    const peer = await Peer.open();
    if (peer === undefined) refused += 1;
    else if (n >= warm) times.push(performance.now() - begin);
    peer?.socket.destroy();
  }
  const seconds = (performance.now() - begun) / 1000;
  print({
    ...latencies(times),
    refused,
    seconds,
    serverCpuMs: processorMs(pid) - server,
    ownCpuMs: ownMs() - own,
  });
}

async function runRest(): Promise<void> {
  for (let n = 0; n < count; n++) await opened();
  print({ resting: count });
  process.stdin.on('end', () => process.exit(0)).resume();
}

async function runFanout(): Promise<void> {
  const request = readScript(readFileSync(values.request ?? '', 'utf8'));
  const event = `"evt":"${values.event}"`;
  let heardOf = 0;
  let onLast = (): void => {};
  for (let n = 0; n < connections; n++) {
    const peer = await opened();
    peer.onFrame = ({ body }) => {
      if (!body.includes(event)) return;
      heardOf += 1;
      if (heardOf === connections) onLast();
    };
    peer.onEnd = () => fail('the server ended a connection');
  }
  opening.splice(0, opening.length, ...readScript(readFileSync(values.trigger ?? '', 'utf8')));
  const cause = await opened();
  await pause(300);
  const times: number[] = [];
  let [server, own] = [0, 0];
  for (let n = 0; n < warm + count; n++) {
    await pause(20);
    if (n === warm) [server, own] = [processorMs(pid), ownMs()];
    heardOf = 0;
    const begin = performance.now();
    const late = setTimeout(() => fail(`the event reached ${heardOf} of ${connections}`), 10_000);
    await new Promise<void>((resolve) => {
      onLast = resolve;
      const frame = request[n % request.length];
      if (frame) cause.socket.write(withNonce(frame, n + 1));
    });
    clearTimeout(late);
    if (n >= warm) times.push(performance.now() - begin);
  }
  const seconds = times.reduce((sum, ms) => sum + ms, 0) / 1000;
  print({
    ...latencies(times),
    refused: 0,
    seconds,
    serverCpuMs: processorMs(pid) - server,
    ownCpuMs: ownMs() - own,
  });
  process.exit(0);
}

async function runLoad(): Promise<void> {
  const request = readScript(readFileSync(values.request ?? '', 'utf8'));
  const window = numeric(values.window, 1);
  const everyMs = numeric(values['every-us'], 0) / 1000;
  const againMs = numeric(values['again-ms'], 0);
  const none = { sent: 0, answered: 0, errors: 0, wrong: 0, closed: 0 };
  let counts = { ...none };
  let times: number[] = [];
  let nonces = 0;
  const sentAt = new Map<number, number>();
  let ended = false;
  const pump = (peer: Peer): void => {
    if (ended) return;
    if (everyMs > 0) {
      const now = performance.now();
      if (peer.inFlight > 0) return;
      if (now < peer.due) return void setTimeout(pump, peer.due - now, peer);
      peer.due = now + everyMs;
    }
    const batch: Buffer[] = [];
    while (window === 0 ? batch.length < 100 : peer.inFlight < window) {
      nonces += 1;
      const frame = request[nonces % request.length];
      if (frame) batch.push(withNonce(frame, nonces));
      if (window > 0) sentAt.set(nonces, performance.now());
      peer.inFlight += 1;
      counts.sent += 1;
    }
    if (batch.length === 0) return;
    const room = peer.socket.write(Buffer.concat(batch));
    if (window > 0) return;
    if (room) setImmediate(pump, peer);
    else peer.socket.once('drain', () => pump(peer));
  };
  const heard = (peer: Peer, { opcode, body }: Frame): void => {
    const nonce = opcode === 1 ? nonceOf(body) : undefined;
    if (nonce === undefined) return;
    peer.inFlight -= 1;
    if (window > 0) {
      const at = sentAt.get(nonce);
      sentAt.delete(nonce);
      if (at === undefined) counts.wrong += 1;
      else times.push(performance.now() - at);
      if (at === undefined) return;
    }
    counts.answered += 1;
    if (body.includes('"evt":"ERROR"')) counts.errors += 1;
    if (window > 0) pump(peer);
  };
  const start = async (): Promise<void> => {
    let peer = await Peer.open();
    while (peer === undefined) {
      if (againMs === 0) return fail('a connection was refused');
      await pause(50);
      peer = await Peer.open();
    }
    const open = peer;
    open.onFrame = (frame) => heard(open, frame);
    open.onEnd = () => {
      if (againMs === 0) fail(`the server ended a connection after ${counts.answered} answers`);
      counts.closed += 1;
      setTimeout(() => void start(), againMs);
    };
    pump(open);
  };
  for (let n = 0; n < connections; n++) await start();
  print({ started: connections });
  await pause(numeric(values['warm-ms'], 0));
  counts = { ...none };
  times = [];
  const [begun, server, own] = [performance.now(), processorMs(pid), ownMs()];
  const over = new Promise<void>((resolve) => process.once('SIGTERM', resolve));
  await (values['measure-ms'] === undefined
    ? over
    : Promise.race([over, pause(Number(values['measure-ms']))]));
  ended = true;
  const seconds = (performance.now() - begun) / 1000;
  print({
    ...latencies(times),
    ...counts,
    seconds,
    serverCpuMs: processorMs(pid) - server,
    ownCpuMs: ownMs() - own,
  });
  process.exit(0);
}

async function runSlices(): Promise<void> {
  const request = values.request === undefined ? undefined : readScript(readFileSync(values.request, 'utf8'));
  const window = numeric(values.window, 1);
  let counts = { answered: 0, errors: 0, wrong: 0 };
  let [left, nonces] = [0, 0];
  let onDone = (): void => {};
  const peers: Peer[] = [];
  const pump = (peer: Peer, frames: readonly ScriptFrame[]): void => {
    const batch: Buffer[] = [];
    for (; peer.inFlight < window && left > 0; left--) {
      nonces += 1;
      const frame = frames[nonces % frames.length];
      if (frame) batch.push(withNonce(frame, nonces));
      peer.inFlight += 1;
    }
    if (batch.length > 0) peer.socket.write(Buffer.concat(batch));
  };
  for (let n = 0; request !== undefined && n < connections; n++) {
    const peer = await opened();
    peers.push(peer);
    peer.onEnd = () => fail(`the server ended a connection after ${counts.answered} answers`);
    peer.onFrame = ({ opcode, body }) => {
      const nonce = opcode === 1 ? nonceOf(body) : undefined;
      if (nonce === undefined) return;
      if (peer.inFlight === 0 || nonce > nonces) {
        counts.wrong += 1;
        return;
      }
      peer.inFlight -= 1;
      counts.answered += 1;
      if (body.includes('"evt":"ERROR"')) counts.errors += 1;
      pump(peer, request);
      if (left === 0 && peers.every(({ inFlight }) => inFlight === 0)) onDone();
    };
  }
  print({ started: connections });
  for await (const line of createInterface(process.stdin)) {
    counts = { answered: 0, errors: 0, wrong: 0 };
    left = Number(line);
    const [begun, server] = [performance.now(), processorMs(pid)];
    if (request === undefined) {
      for (; left > 0; left--) {
        const peer = await Peer.open();
        counts.answered += 1;
        if (peer === undefined) counts.errors += 1;
        peer?.socket.destroy();
      }
    } else {
      await new Promise<void>((resolve) => {
        onDone = resolve;
        for (const peer of peers) pump(peer, request);
      });
    }
    const seconds = (performance.now() - begun) / 1000;
    print({ ...counts, seconds, serverCpuMs: processorMs(pid) - server });
  }
  process.exit(0);
}

const modes: Readonly<Record<string, () => Promise<void>>> = {
  load: runLoad,
  connect: runConnect,
  rest: runRest,
  fanout: runFanout,
  slices: runSlices,
};
await (modes[positionals[0] ?? ''] ?? (() => fail(`no such mode: ${positionals[0]}`)))();
