import { type Duplex, duplexPair } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { closeCodeOf, shakeHands } from '../../../src/core/upstream/handshake.ts';
import { Relay, type RelayOptions } from '../../../src/core/upstream/relay.ts';
import { ReturnAttempts } from '../../../src/core/upstream/return-attempts.ts';
import { type LinkListener, WireLink } from '../../../src/core/upstream/wire-link.ts';
import { CloseCode, Opcode } from '../../../src/wire/codes.ts';
import { STREAM_NOTICE, STREAM_OFFER } from '../../../src/wire/streams.ts';
import { fakeReady } from '../../helpers/fake-core.ts';
import { concatBytes, frameBytes, headerBytes } from '../../helpers/frame-bytes.ts';
import { onFrames } from '../../helpers/framed-socket.ts';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  });
  // Half-way between the least and the greatest jitter: none.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
});

/** Lets the streams deliver what was written. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
}

type Body = Readonly<Record<string, unknown>>;

/** The upstream's end of a connection. */
class Upstream {
  readonly stream: Duplex;
  /** Frames so far, with their bodies parsed. */
  readonly frames: [opcode: number, body: unknown][] = [];
  ended = false;
  readonly ours: Duplex;

  constructor() {
    [this.ours, this.stream] = duplexPair();
    this.stream
      .on('error', () => {})
      .on('end', () => {
        this.ended = true;
      });
    onFrames(this.stream, ({ opcode, body }) => {
      this.frames.push([opcode, JSON.parse(Buffer.from(body).toString())]);
    });
  }

  get requests(): Body[] {
    return this.frames.filter(([opcode]) => opcode === Opcode.FRAME).map(([, body]) => body as Body);
  }

  send(body: Body | string, opcode: number = Opcode.FRAME): Promise<void> {
    this.stream.write(frameBytes(opcode, typeof body === 'string' ? body : JSON.stringify(body)));
    return settle();
  }

  ready(data: unknown = fakeReady): Promise<void> {
    return this.send({ cmd: 'DISPATCH', evt: 'READY', nonce: null, data });
  }

  answer(data: unknown, evt: string | null = null, index = -1): Promise<void> {
    const { cmd, nonce } = this.requests.at(index) ?? {};
    return this.send({ cmd, nonce, evt, data });
  }

  close(code: unknown, message: unknown = 'bye'): Promise<void> {
    this.stream.end(frameBytes(Opcode.CLOSE, JSON.stringify({ code, message })));
    return settle();
  }
}

describe('a link', () => {
  function link(listener: Partial<LinkListener> = {}) {
    const upstream = new Upstream();
    const events: unknown[] = [];
    const wire = new WireLink(upstream.ours, {
      payload: (payload) => events.push(payload),
      garbled: () => events.push('garbled'),
      ended: (reason) => events.push(['ended', reason]),
      ...listener,
    });
    return { upstream, wire, events };
  }

  it('hands over objects in frames, answers a PING with its body, and ignores everything else', async () => {
    const { upstream, events } = link();
    await upstream.send({ a: 1 });
    await upstream.send('[1]');
    await upstream.send('"text"');
    await upstream.send({ b: 2 }, Opcode.PING);
    await upstream.send({ c: 3 }, Opcode.PONG);
    await upstream.send({ d: 4 }, Opcode.HANDSHAKE);
    expect(events).toEqual([{ a: 1 }]);
    expect(upstream.frames).toEqual([[Opcode.PONG, { b: 2 }]]);
  });

  it('says that it reads streams where READY offers that, before it hands over READY', async () => {
    const { upstream, events } = link();
    await upstream.ready(fakeReady);
    await upstream.send({ evt: 'OTHER', data: STREAM_OFFER });
    expect(upstream.frames).toEqual([]);
    await upstream.ready(STREAM_OFFER);
    expect(upstream.frames).toEqual([[Opcode.PING, JSON.parse(STREAM_NOTICE)]]);
    expect(events).toHaveLength(3);
  });

  it.each([
    ['a code and a text', { code: 4003, message: 'no' }, { code: 4003, message: 'no' }],
    ['neither', {}, { code: 1000, message: '' }],
    ['others', { code: '4003', message: 1 }, { code: 1000, message: '' }],
    ['no object', [], { code: 1000, message: '' }],
  ])('ends with the reason of a CLOSE with %s, and half-closes', async (_what, body, reason) => {
    const { upstream, wire, events } = link();
    await upstream.send(JSON.stringify(body), Opcode.CLOSE);
    // What is sent now goes nowhere, and what was sent before may still leave.
    wire.send(Opcode.FRAME, {});
    await settle();
    expect([upstream.ended, wire.ended, events, upstream.frames]).toEqual([true, false, [], []]);
    await pass(999);
    expect(wire.ended).toBe(false);
    await pass(1);
    expect([wire.ended, events]).toEqual([true, [['ended', reason]]]);
    // What is sent later goes nowhere, and leaving again is no error.
    wire.send(Opcode.FRAME, {});
    wire.leave();
    expect(upstream.frames).toEqual([]);
  });

  it('leaves when the upstream ends its side, without a reason', async () => {
    const { upstream, events } = link();
    upstream.stream.end();
    await settle();
    expect([upstream.ended, events]).toEqual([true, [['ended', undefined]]]);
  });

  it.each([
    ['an unknown opcode', headerBytes(99, 4), 'Unknown opcode 99: expected 0 to 4'],
    ['a body that is no JSON', frameBytes(Opcode.FRAME, '{'), 'Body is not valid JSON'],
  ])('is cut with code 1003 by %s', async (_what, bytes, message) => {
    const { upstream, events } = link();
    upstream.stream.write(bytes);
    await settle();
    expect(events).toEqual([['ended', { code: CloseCode.UNSUPPORTED, message }]]);
  });

  it('is cut without the text of an error of ours', async () => {
    const { upstream, events } = link({
      payload() {
        throw new Error('secret');
      },
    });
    await upstream.send({});
    const reason = { code: CloseCode.UNSUPPORTED, message: 'The chat client sent invalid data' };
    expect(events).toEqual([['ended', reason]]);
  });

  it('ends without a reason when its stream fails', async () => {
    const { upstream, events } = link();
    upstream.ours.destroy(new Error('EPIPE'));
    await settle();
    expect(events).toEqual([['ended', undefined]]);
  });

  it('reports text that is not valid UTF-8', async () => {
    const { upstream, events } = link();
    upstream.stream.write(frameBytes(Opcode.FRAME, Buffer.from('{"a":"\xe9"}', 'latin1')));
    await settle();
    expect(events).toEqual(['garbled', { a: '\ufffd' }]);
  });

  it('knows how much the upstream has not read', async () => {
    const { upstream, wire } = link();
    upstream.stream.pause();
    for (let n = 0; n < 3; n++) wire.send(Opcode.FRAME, 'x'.repeat(40_000));
    await settle();
    expect(wire.waitingBytes).toBeGreaterThan(40_000);
    upstream.stream.resume();
    await settle();
    expect(wire.waitingBytes).toBe(0);
  });

  it('takes 5,000 frames of an upstream a second, and the rest when the second is over', async () => {
    const { upstream, events } = link();
    const one = frameBytes(Opcode.FRAME, '{}');
    const write = (count: number): Promise<void> => {
      upstream.stream.write(concatBytes(...Array.from({ length: count }, () => one)));
      return settle();
    };
    await pass(400);
    await write(5000);
    await write(1);
    await write(1);
    expect(events).toHaveLength(5001);
    await pass(999);
    expect(events).toHaveLength(5001);
    await pass(1);
    expect(events).toHaveLength(5002);
  });

  it('takes 32 MiB of an upstream a second', async () => {
    const { upstream, events } = link();
    const mebibyte = frameBytes(Opcode.PONG, new Uint8Array(1024 * 1024 - 8));
    for (let n = 0; n < 32; n++) upstream.stream.write(mebibyte);
    await settle();
    await upstream.send({ n: 1 });
    await upstream.send({ n: 2 });
    expect(events).toEqual([{ n: 1 }]);
    await pass(1000);
    expect(events).toEqual([{ n: 1 }, { n: 2 }]);
  });
});

describe('the handshake', () => {
  function greeting({ aborted = false }: { readonly aborted?: boolean } = {}) {
    const upstream = new Upstream();
    const controller = new AbortController();
    if (aborted) controller.abort();
    const next: unknown[] = [];
    const greeted = shakeHands(upstream.ours, {
      clientId: '7',
      signal: controller.signal,
      timeoutMs: 100,
      next: { payload: (payload) => next.push(payload), ended: (reason) => next.push(reason) },
    });
    const outcome = greeted.then(
      ({ ready }) => ready as unknown,
      (error: unknown) => error,
    );
    return { upstream, controller, next, outcome };
  }
  const silent = new Error('the chat client did not answer the handshake');

  it('ignores what comes before READY, and hands over everything after', async () => {
    const { upstream, controller, next, outcome } = greeting();
    await upstream.send({ evt: 'OTHER', data: {} });
    await upstream.ready('text');
    await upstream.ready({ v: 1 });
    await upstream.send({ n: 1 });
    expect(upstream.frames).toEqual([[Opcode.HANDSHAKE, { v: 1, client_id: '7' }]]);
    expect(await outcome).toEqual({ v: 1 });
    expect(next).toEqual([{ n: 1 }]);
    // Neither the timeout nor the signal concerns the link any longer.
    await pass(1000);
    controller.abort();
    await upstream.send({ n: 2 });
    expect(next).toEqual([{ n: 1 }, { n: 2 }]);
    await upstream.close(1000);
    expect(next.at(-1)).toEqual({ code: 1000, message: 'bye' });
  });

  it('rejects after the timeout, when its signal aborts, and when it has aborted before', async () => {
    const late = greeting();
    await pass(99);
    expect(late.upstream.ended).toBe(false);
    await pass(1);
    expect(await late.outcome).toEqual(silent);
    const { controller, outcome } = greeting();
    controller.abort();
    expect(await outcome).toEqual(silent);
    const before = greeting({ aborted: true });
    expect(await before.outcome).toEqual(silent);
    expect(before.upstream.frames).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects with the code of a CLOSE', async () => {
    const { upstream, outcome } = greeting();
    await upstream.close(4000, 'Invalid Client ID');
    expect(await outcome).toMatchObject({ code: 4000, message: 'Invalid Client ID' });
  });

  it('accepts only codes that the bridge may send itself', () => {
    const codes = Object.values(CloseCode);
    expect(codes.map(closeCodeOf)).toEqual(codes);
    expect([4999, 0, -1].map(closeCodeOf)).toEqual([1006, 1006, 1006]);
  });
});

describe('the pauses between attempts', () => {
  function attempts() {
    const controller = new AbortController();
    const log: string[] = [];
    const all = new ReturnAttempts();
    const note = (what: string, promise: Promise<void>): void => void promise.then(() => log.push(what));
    return {
      all,
      controller,
      log,
      pause: (ms: number, kind: 'short' | 'long') => note('paused', all.pause(ms, kind, controller.signal)),
      next: () => note('attempted', all.next()),
    };
  }

  it('last as long as they are meant to', async () => {
    const { pause, log } = attempts();
    pause(1000, 'short');
    await pass(999);
    expect(log).toEqual([]);
    await pass(1);
    expect(log).toEqual(['paused']);
  });

  it('are shortened to 50 ms from their begin by a request', async () => {
    const { all, pause, next, log } = attempts();
    await pass(7);
    pause(1000, 'short');
    await pass(30);
    next();
    await pass(19);
    expect(log).toEqual([]);
    await pass(1);
    expect(log).toEqual(['paused']);
    all.ended();
    await settle();
    expect(log).toEqual(['paused', 'attempted']);
    pause(1000, 'short');
    await pass(500);
    next();
    await pass(0);
    expect(log).toHaveLength(3);
    all.ended();
    pause(20, 'short');
    next();
    await pass(20);
    expect(log.filter((what) => what === 'paused')).toHaveLength(3);
  });

  it('are not shortened while the upstream refuses the session: a request then waits for nothing', async () => {
    const { pause, next, log } = attempts();
    pause(1000, 'long');
    next();
    await settle();
    expect(log).toEqual(['attempted']);
    await pass(999);
    expect(log).toEqual(['attempted']);
    await pass(1);
    expect(log).toEqual(['attempted', 'paused']);
    // The long pause is over.
    next();
    await pass(5999);
    expect(log).toHaveLength(2);
    await pass(1);
    expect(log).toHaveLength(3);
  });

  it('end when the signal aborts, or has aborted before', async () => {
    const { pause, controller, log } = attempts();
    pause(1000, 'short');
    controller.abort();
    await settle();
    pause(1000, 'long');
    await settle();
    expect(log).toEqual(['paused', 'paused']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a relay', () => {
  const AWAY = { code: 1001, message: 'The chat client is away; try again once it has restarted' };

  function bench(options: Partial<RelayOptions> = {}) {
    const upstreams: Upstream[] = [];
    const log: unknown[] = [];
    const state = { here: true };
    const relay = new Relay({
      clientId: '7',
      async connect() {
        log.push(['connect', performance.now()]);
        if (!state.here) throw new Error('nobody');
        const upstream = new Upstream();
        upstreams.push(upstream);
        return upstream.ours;
      },
      event: (evt, data) => log.push([evt, data]),
      authenticated: (scopes) => log.push(['scopes', scopes]),
      refused: ({ code, message }) => log.push(['refused', code, message]),
      ...options,
    });
    onTestFinished(() => relay.close());
    const upstream = (): Upstream => upstreams.at(-1) as Upstream;
    const request = (cmd: string, args: unknown = {}, more: { evt?: string; signal?: AbortSignal } = {}) => {
      const { evt, signal } = more;
      return relay.request({ cmd, args, evt }, signal).catch((error) => error);
    };
    return {
      relay,
      state,
      upstreams,
      upstream,
      request,
      log,
      take: () => log.splice(0).filter((entry) => (entry as unknown[])[0] !== 'connect'),
      attempts: () => log.splice(0).map((entry) => (entry as unknown[])[1]),
      async open(ready: unknown = fakeReady) {
        const opened = relay.open();
        await settle();
        await upstream().ready(ready);
        await opened;
        log.splice(0);
      },
      async lose() {
        upstream().stream.destroy();
        upstream().ours.destroy();
        await settle();
      },
    };
  }

  it('rejects its opening when it is closed meanwhile, and when the upstream leaves right after READY', async () => {
    const one = bench();
    const opened = one.relay.open().catch((error: unknown) => error);
    one.relay.close();
    await settle();
    expect(await opened).toBeInstanceOf(Error);
    const two = bench();
    const second = two.relay.open().catch((error: unknown) => error);
    await settle();
    two.upstream().ours.once('data', () => two.upstream().ours.destroy());
    await two.upstream().ready();
    expect(await second).toEqual(new Error('the chat client left right after READY'));
    const three = bench();
    const third = three.relay.open().catch((error: unknown) => error);
    await settle();
    three.upstream().ours.once('data', () => three.relay.close());
    await three.upstream().ready();
    expect(await third).toBeInstanceOf(Error);
    expect(three.upstream().ours.destroyed).toBe(true);
  });

  it('sends requests with nonces of its own, and returns null for an answer without data', async () => {
    const { open, request, upstream } = bench();
    await open();
    const answers = [request('A', { a: 1 }), request('B', {}, { evt: 'E' })];
    await settle();
    expect(upstream().requests).toEqual([
      { cmd: 'A', args: { a: 1 }, nonce: '1' },
      { cmd: 'B', args: {}, nonce: '2', evt: 'E' },
    ]);
    await upstream().send({ cmd: 'B', nonce: '2' });
    await upstream().send({ cmd: 'A', nonce: '1', data: 7 });
    expect(await Promise.all(answers)).toEqual([7, null]);
  });

  it('ignores answers and errors that nobody waits for', async () => {
    const { open, request, upstream } = bench();
    await open();
    await upstream().send({ nonce: 'x', evt: 'ERROR', data: {} });
    await upstream().send({ nonce: 'x', data: {} });
    const answer = request('A');
    await settle();
    await upstream().answer('A');
    expect(await answer).toBe('A');
  });

  it('passes on events, and neither READY nor what has no name', async () => {
    const { open, upstream, relay, take } = bench();
    await open();
    await upstream().send({ evt: 'ONE', data: { a: 1 } });
    await upstream().send({ evt: 'TWO' });
    await upstream().ready();
    await upstream().send({ evt: null, data: 1 });
    await upstream().send({ cmd: 'DISPATCH' });
    expect(take()).toEqual([
      ['ONE', { a: 1 }],
      ['TWO', null],
    ]);
    relay.close();
    await upstream().send({ evt: 'ONE', data: 1 });
    expect(take()).toEqual([]);
  });

  it.each([
    [{ scopes: ['rpc', 1, 'identify'] }, ['rpc', 'identify']],
    [{ scopes: 'rpc' }, []],
    [{}, []],
    [null, []],
  ])('reports the scopes of the answer %j to AUTHENTICATE alone', async (data, scopes) => {
    const { open, request, upstream, take } = bench();
    await open();
    for (const cmd of ['OTHER', 'AUTHENTICATE']) {
      const answer = request(cmd);
      await settle();
      await upstream().answer(data);
      await answer;
    }
    expect(take()).toEqual([['scopes', scopes]]);
  });

  it.each([
    [
      { code: 4006, message: 'no' },
      { code: 4006, message: 'no' },
    ],
    [
      { code: '4006', message: '' },
      { code: 1000, message: 'The chat client gave no reason' },
    ],
    [undefined, { code: 1000, message: 'The chat client gave no reason' }],
  ])('rejects with the error %j of the upstream', async (data, error) => {
    const { open, request, upstream } = bench();
    await open();
    const answer = request('A');
    await settle();
    await upstream().answer(data, 'ERROR');
    expect(await answer).toMatchObject(error);
  });

  it('rejects a request whose signal aborts, and ignores its late answer', async () => {
    const { open, request, upstream } = bench();
    await open();
    const controller = new AbortController();
    const answer = request('A', {}, { signal: controller.signal });
    await settle();
    controller.abort();
    expect(await answer).toMatchObject(AWAY);
    await upstream().answer('late');
    const other = request('B', {}, { signal: controller.signal });
    await settle();
    await upstream().answer('B');
    expect(await other).toBe('B');
  });

  it('rejects requests while more than 1 MiB waits for an upstream that does not read', async () => {
    const { open, request, upstream } = bench();
    await open();
    upstream().stream.pause();
    await settle();
    const waiting = Array.from({ length: 13 }, () => request('A', 'x'.repeat(100_000)));
    await settle();
    expect(await waiting.at(-1)).toMatchObject(AWAY);
    expect(await Promise.race([waiting[9], Promise.resolve('waits')])).toBe('waits');
  });

  it('says CLOSE when the app leaves, and rejects what is in flight', async () => {
    const { relay, open, request, upstream } = bench();
    await open();
    const answer = request('A');
    await settle();
    relay.close();
    expect(await answer).toMatchObject(AWAY);
    await settle();
    expect(upstream().frames.at(-1)).toEqual([Opcode.CLOSE, { code: 1000, message: 'The app has left' }]);
    expect(upstream().ended).toBe(true);
  });

  it('tries to return after pauses that double up to a second, until the app leaves', async () => {
    const { relay, open, lose, state, attempts } = bench();
    await open();
    state.here = false;
    const begun = performance.now();
    await lose();
    await pass(4000);
    expect(attempts().map((at) => Number(at) - begun)).toEqual([50, 150, 350, 750, 1550, 2550, 3550]);
    relay.close();
    await pass(10_000);
    expect(attempts()).toEqual([]);
  });

  it.each([4001, 4003, 4004, 4005])('ends with the final code %i of the upstream', async (code) => {
    const { open, upstream, take, attempts } = bench();
    await open();
    await upstream().close(code, 'for good');
    expect(take()).toEqual([['refused', code, 'for good']]);
    await pass(5000);
    expect(attempts()).toEqual([]);
  });

  it.each([
    [1000, 50],
    [4000, 50],
  ])('returns after the code %i of the upstream', async (code, ms) => {
    const { open, upstream, attempts } = bench();
    await open();
    await upstream().close(code);
    const begun = performance.now();
    await pass(60);
    expect(attempts()).toEqual([begun + ms]);
  });

  it('tries again ten seconds after the upstream has refused the application on its return, and rejects requests meanwhile', async () => {
    const { open, lose, upstream, attempts, request } = bench();
    await open();
    await lose();
    await pass(50);
    await upstream().close(4000, 'Invalid Client ID');
    attempts();
    expect(await request('A')).toMatchObject(AWAY);
    const begun = performance.now();
    await pass(10_000);
    expect(attempts()).toEqual([begun + 10_000]);
  });

  it.each([4001, 4003])('ends when the upstream refuses its return with %i', async (code) => {
    const { open, lose, upstream, take, attempts } = bench();
    await open();
    await lose();
    await pass(50);
    await upstream().close(code, 'no');
    expect(take()).toEqual([['refused', code, 'no']]);
    await pass(20_000);
    expect(attempts()).toEqual([]);
  });

  it('ends as a logout when another user is there on its return, or none', async () => {
    for (const user of [{ id: '2' }, { id: 2 }, undefined]) {
      const { open, lose, upstream, take } = bench();
      await open({ user: { id: '1' } });
      await lose();
      await pass(50);
      await upstream().ready({ user });
      expect(take()).toEqual([['refused', 1000, 'User logout']]);
      expect(upstream().ended).toBe(true);
    }
  });

  it('repeats the token first and then the state, and answers a request that waited', async () => {
    const { open, lose, upstream, request, upstreams } = bench();
    await open();
    for (const [cmd, args, evt] of [
      ['AUTHENTICATE', { access_token: 't' }, undefined],
      ['SUBSCRIBE', { a: 1 }, 'E'],
      ['SET_ACTIVITY', { activity: {} }, undefined],
    ] as const) {
      const answer = request(cmd, args, evt === undefined ? {} : { evt });
      await settle();
      await upstream().answer({ scopes: [] });
      await answer;
    }
    await lose();
    const waiting = request('A');
    await pass(50);
    await upstream().ready();
    expect(upstream().requests.map(({ cmd }) => cmd)).toEqual(['AUTHENTICATE']);
    await upstream().answer({ scopes: ['rpc'] });
    expect(upstream().requests.map(({ cmd }) => cmd)).toEqual([
      'AUTHENTICATE',
      'SUBSCRIBE',
      'SET_ACTIVITY',
      'A',
    ]);
    await upstream().answer('here');
    expect(await waiting).toBe('here');
    expect(upstreams).toHaveLength(2);
  });

  /** A relay with a token and a subscription, whose upstream is back and has not yet answered the token. */
  async function returning(options: Partial<RelayOptions> = {}) {
    const all = bench(options);
    await all.open();
    for (const cmd of ['AUTHENTICATE', 'SUBSCRIBE']) {
      const answer = all.request(cmd);
      await settle();
      await all.upstream().answer({ scopes: [] });
      await answer;
    }
    await all.lose();
    all.take();
    const again = async (): Promise<void> => {
      await pass(1000);
      await all.upstream().ready();
    };
    await again();
    return { ...all, again, commands: () => all.upstream().requests.map(({ cmd }) => cmd) };
  }

  it('continues without subscriptions when the token is not answered in five seconds, and repeats them later', async () => {
    const { upstream, commands, request } = await returning();
    const waiting = request('A');
    await pass(4999);
    expect(commands()).toEqual(['AUTHENTICATE']);
    await pass(1);
    expect(commands()).toEqual(['AUTHENTICATE', 'A']);
    await upstream().answer('here');
    expect(await waiting).toBe('here');
    await upstream().answer({ scopes: [] }, null, 0);
    expect(commands()).toEqual(['AUTHENTICATE', 'A', 'SUBSCRIBE']);
  });

  it('ends when the token is revoked, also late', async () => {
    for (const isLate of [false, true]) {
      const { upstream, take, attempts } = await returning({ restoreMs: 10 });
      if (isLate) await pass(10);
      await upstream().answer({ code: 4009, message: 'x' }, 'ERROR');
      await upstream().send({ evt: 'E', data: 1 });
      expect(take()).toEqual([['refused', CloseCode.TOKEN_REVOKED, 'Token revoked']]);
      await pass(20_000);
      expect(attempts()).toEqual([]);
    }
  });

  it('repeats nothing for a token that is accepted after the link was lost', async () => {
    const { lose, again, commands } = await returning({ restoreMs: 10 });
    await pass(10);
    await lose();
    await again();
    expect(commands()).toEqual(['AUTHENTICATE']);
  });

  it('goes on without the token after three errors that do not revoke it', async () => {
    const { upstream, upstreams, again, commands } = await returning();
    for (let n = 0; n < 4; n++) {
      await upstream().answer({ code: 1000, message: 'x' }, 'ERROR');
      if (n < 3) {
        expect(upstream().ours.destroyed).toBe(true);
        await again();
      }
    }
    expect(upstreams).toHaveLength(5);
    expect(commands()).toEqual(['AUTHENTICATE', 'SUBSCRIBE']);
  });

  it('tries again when the link is lost while the token is repeated', async () => {
    const { lose, again, commands, upstreams, upstream, request } = await returning();
    await lose();
    await again();
    await upstream().answer({ scopes: [] });
    expect([upstreams.length, commands()]).toEqual([3, ['AUTHENTICATE', 'SUBSCRIBE']]);
    const answer = request('A');
    await settle();
    await upstream().answer('here');
    expect(await answer).toBe('here');
  });

  it('says CLOSE when the app leaves during the restoration', async () => {
    const { relay, upstream } = await returning();
    relay.close();
    await settle();
    expect(upstream().frames.at(-1)).toEqual([Opcode.CLOSE, { code: 1000, message: 'The app has left' }]);
  });

  it.each([
    ['a code that is not about the application', (upstream: Upstream) => upstream.close(1000)],
    ['no reason', async (upstream: Upstream) => void upstream.stream.end()],
    [
      'READY, and leaves right after it',
      (upstream: Upstream) => {
        upstream.ours.once('data', () => upstream.ours.destroy());
        return upstream.ready();
      },
    ],
  ])(
    'tries again after the usual pause when the upstream answers its return with %s',
    async (_what, answer) => {
      const { open, lose, upstream, attempts } = bench();
      await open();
      await lose();
      await pass(50);
      await answer(upstream());
      await settle();
      attempts();
      const begun = performance.now();
      await pass(200);
      expect(attempts()).toEqual([begun + 100]);
    },
  );

  it('leaves an upstream that greets after the app has left', async () => {
    const { relay, open, lose, upstream, take } = bench();
    await open();
    await lose();
    await pass(50);
    relay.close();
    await upstream().ready();
    expect([upstream().ours.destroyed, upstream().requests, take()]).toEqual([true, [], []]);
    const other = bench();
    await other.open();
    await other.lose();
    await pass(50);
    other.upstream().ours.once('data', () => other.relay.close());
    await other.upstream().ready();
    expect([other.upstream().ours.destroyed, other.take()]).toEqual([true, []]);
  });
});
