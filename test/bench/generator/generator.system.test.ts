import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { frameBytes } from '../../helpers/frame-bytes.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';
import { versionOf } from '../machine.ts';
import { greeting, setActivity, subscribed, toggleMute, VOICE_EVENT } from '../messages.ts';
import { type Generator, prepareGenerator, type Result, type Words } from './generator.ts';
import { type Frame, FrameReader } from './node-frames.ts';

const hasCompiler = versionOf('cc') !== undefined;
const languages = [
  {
    language: 'C',
    compiler: 'cc',
    here: hasCompiler,
    why: hasCompiler ? '' : ' (skipped: there is no C compiler)',
  },
  { language: 'Node', compiler: 'no-such-compiler', here: true, why: '' },
];

/** What a server of this test does with a frame. */
type Serve = (frame: Frame, send: (bytes: Uint8Array) => void, socket: Socket) => void;

const echo: Serve = ({ body }, send) => send(frameBytes(1, body.toString()));

describe.each(languages)('the generator in $language$why', ({ language, compiler: program, here }) => {
  let generator: Generator;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fb-test-'));
    if (here) generator = await prepareGenerator(folder, program);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const test = it.skipIf(!here);
  /** Loads until the server has seen enough. */
  const load = async (path: string, more: Words, enough: () => boolean): Promise<Result> => {
    const working = generator.start('load', { path, opening: greeting, request: setActivity, ...more });
    // One that ends by itself has failed.
    const failed = working.result.then(() => Promise.reject(new Error('it ended by itself')));
    const seen = eventually(() => expect(enough()).toBe(true), { timeout: 20_000, interval: 5 });
    await Promise.race([failed, working.started.then(() => seen)]);
    failed.catch(() => {});
    return working.stop();
  };

  test('reports its language and its compiler', () => {
    expect(generator.language).toBe(language);
    expect(generator.what).toMatch(language === 'C' ? /^in C, / : /no C compiler \(no-such-compiler\)/);
  });

  test('counts requests, responses and latencies, and respects its limit of requests in flight', async () => {
    let [inFlight, most, requests] = [0, 0, 0];
    const path = await serve((frame, send, socket) => {
      if (frame.opcode === 0) return echo(frame, send, socket);
      requests += 1;
      inFlight += 1;
      most = Math.max(most, inFlight);
      setImmediate(() => {
        inFlight -= 1;
        echo(frame, send, socket);
      });
    });
    const result = await load(path, { connections: 3, window: 4 }, () => requests > 100);
    expect(result).toMatchObject({ errors: 0, wrong: 0, closed: 0 });
    expect(result.answered).toBeGreaterThan(0);
    expect(result.count).toBe(result.answered);
    expect(result.p50).toBeGreaterThan(0);
    expect(result.p50).toBeLessThanOrEqual(result.p99);
    expect(result.p999).toBeLessThanOrEqual(result.max);
    expect(most).toBeLessThanOrEqual(12);
  });

  test('accepts responses in any order and split at any byte', async () => {
    const held: Frame[] = [];
    let rounds = 0;
    const path = await serve((frame, send, socket) => {
      if (frame.opcode === 0) return echo(frame, send, socket);
      held.push(frame);
      if (held.length < 4) return;
      rounds += 1;
      const all = Buffer.concat(
        held
          .splice(0)
          .reverse()
          .map(({ body }) => frameBytes(1, body.toString())),
      );
      for (let at = 0; at < all.length; at += 7) socket.write(all.subarray(at, at + 7));
    });
    const result = await load(path, { window: 4 }, () => rounds > 10);
    expect(result).toMatchObject({ errors: 0, wrong: 0 });
    expect(result.answered).toBeGreaterThan(0);
  });

  test('counts errors and responses to requests that it never sent', async () => {
    let turn = 0;
    const path = await serve((frame, send, socket) => {
      if (frame.opcode === 0) return echo(frame, send, socket);
      turn += 1;
      const { nonce } = JSON.parse(frame.body.toString()) as { readonly nonce: string };
      if (turn % 2 === 0) send(frameBytes(1, '{"cmd":"X","evt":null,"nonce":"9999999999"}'));
      send(frameBytes(1, `{"cmd":"X","data":{},"evt":"ERROR","nonce":"${nonce}"}`));
    });
    const { answered = 0, errors, wrong = 0 } = await load(path, { connections: 2 }, () => turn > 100);
    expect(errors).toBe(answered);
    expect(wrong).toBeGreaterThan(answered / 4);
  });

  test('paces a well-behaved peer and stops on request', async () => {
    let requests = 0;
    const path = await serve((frame, send, socket) => {
      requests += 1;
      echo(frame, send, socket);
    });
    const { answered = 0, seconds } = await load(path, { 'every-us': 10_000 }, () => requests > 10);
    expect(answered).toBeGreaterThan(0);
    // The first may have been asked before the clock started.
    expect(answered).toBeLessThanOrEqual(seconds * 100 + 2);
  });

  test('reconnects after each disconnect of a flood and counts the disconnects', async () => {
    let [requests, cut] = [0, 0];
    const path = await serve((frame, send, socket) => {
      echo(frame, send, socket);
      if (frame.opcode === 1) requests += 1;
      if (requests < 50 || socket.destroyed) return;
      requests = 0;
      cut += 1;
      socket.destroy();
    });
    const result = await load(path, { window: 0, 'again-ms': 10 }, () => cut > 4);
    expect(result.closed).toBeGreaterThan(1);
    expect(result.sent).toBeGreaterThan(50);
  });

  test('fails when the server closes a connection that should last', async () => {
    const path = await serve((frame, send, socket) => {
      if (frame.opcode === 0) return echo(frame, send, socket);
      socket.destroy();
    });
    await expect(load(path, {}, () => false)).rejects.toThrow(/ended a connection/);
  });

  test('connects repeatedly and counts refused connections', async () => {
    let connections = 0;
    const path = await serve((_, send) => {
      connections += 1;
      send(frameBytes(connections % 4 === 0 ? 2 : 1, '{}'));
    });
    const result = await generator.run('connect', { path, opening: greeting, warm: 4, count: 20 });
    expect(connections).toBe(24);
    expect(result).toMatchObject({ refused: 6, count: 15 });
    expect(result.p50).toBeGreaterThan(0);
  });

  test('works in slices of exactly as many requests as it is asked for, and sends none in between', async () => {
    let [inFlight, most, requests] = [0, 0, 0];
    const path = await serve((frame, send, socket) => {
      if (frame.opcode === 0) return echo(frame, send, socket);
      requests += 1;
      inFlight += 1;
      most = Math.max(most, inFlight);
      setImmediate(() => {
        inFlight -= 1;
        echo(frame, send, socket);
        // An event is no answer.
        send(frameBytes(1, `{"cmd":"DISPATCH","data":{},"evt":"${VOICE_EVENT}","nonce":null}`));
      });
    });
    const words = { path, opening: greeting, request: setActivity, connections: 3, window: 4 };
    const slicing = await generator.slices({ ...words, pid: process.pid });
    for (const [slice, count] of [100, 2, 50].entries()) {
      const before = requests;
      expect(await slicing.next(count)).toMatchObject({ answered: count, errors: 0, wrong: 0 });
      expect(requests - before, `slice ${slice}`).toBe(count);
    }
    expect(most).toBeLessThanOrEqual(12);
    expect((await slicing.next(20)).serverCpuMs).toBeGreaterThan(0);
    await slicing.end();
  });

  test('works in slices of connections', async () => {
    let connections = 0;
    const path = await serve((frame, send, socket) => {
      connections += 1;
      echo(frame, send, socket);
    });
    const slicing = await generator.slices({ path, opening: greeting });
    for (const count of [5, 7]) expect(await slicing.next(count)).toMatchObject({ answered: count });
    expect(connections).toBe(12);
    await slicing.end();
  });

  test('fails in a slice with an error, with a refused connection, or at a closed one', async () => {
    let answer = (_: Socket, body: string): string => body;
    const path = await serve((frame, send, socket) => {
      const body = answer(socket, frame.body.toString());
      if (body !== '') send(frameBytes(frame.opcode === 0 && body === 'refused' ? 2 : 1, body));
    });
    const requests = await generator.slices({ path, opening: greeting, request: setActivity });
    const connections = await generator.slices({ path, opening: greeting });
    answer = (_, body) => body.replace('"cmd"', '"evt":"ERROR","cmd"');
    await expect(requests.next(3)).rejects.toThrow('3 answers to 3 requests, 3 errors among them');
    answer = () => 'refused';
    await expect(connections.next(2)).rejects.toThrow('2 answers to 2 requests, 2 errors among them');
    answer = (socket) => {
      socket.destroy();
      return '';
    };
    await expect(requests.next(3)).rejects.toThrow(/ended a connection/);
    await connections.end();
  });

  test('holds the configured number of idle connections until it is stopped', async () => {
    let [open, greeted] = [0, 0];
    const path = await serve((frame, send, socket) => {
      open += 1;
      greeted += 1;
      socket.once('close', () => {
        open -= 1;
      });
      echo(frame, send, socket);
    });
    const working = generator.start('rest', { path, opening: greeting, count: 25 });
    await working.started;
    expect({ open, greeted }).toEqual({ open: 25, greeted: 25 });
    await working.stop();
  });

  test('measures an event up to its last subscriber', async () => {
    const subscribers = new Set<Socket>();
    const path = await serve((frame, send, socket) => {
      echo(frame, send, socket);
      const body = frame.body.toString();
      if (body.includes('"SUBSCRIBE"')) subscribers.add(socket);
      if (!body.includes('SET_VOICE_SETTINGS')) return;
      const event = frameBytes(1, `{"cmd":"DISPATCH","data":{},"evt":"${VOICE_EVENT}","nonce":null}`);
      const [last, ...others] = subscribers;
      for (const one of others) one.write(event);
      setTimeout(() => last?.write(event), 30);
    });
    const scripts = {
      opening: subscribed('token'),
      trigger: greeting,
      request: toggleMute,
      event: VOICE_EVENT,
    };
    const result = await generator.run('fanout', { path, ...scripts, connections: 20, warm: 1, count: 3 });
    expect(subscribers.size).toBe(20);
    expect(result.count).toBe(3);
    expect(result.p50).toBeGreaterThanOrEqual(29_000);
  });
});

/** Serves frames on a socket until the test is over. */
async function serve(handle: Serve): Promise<string> {
  const path = join(temporaryFolder(), 's');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const reader = new FrameReader((frame) => handle(frame, (bytes) => socket.write(bytes), socket));
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return path;
}
