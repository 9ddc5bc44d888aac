import { beforeEach, describe, expect, it, vi } from 'vitest';
import { closeCodeOf, shakeHands } from '../../../src/core/upstream/handshake.ts';
import { ReturnAttempts } from '../../../src/core/upstream/return-attempts.ts';
import { type LinkListener, WireLink } from '../../../src/core/upstream/wire-link.ts';
import { CloseCode, Opcode } from '../../../src/wire/codes.ts';
import { STREAM_NOTICE, STREAM_OFFER } from '../../../src/wire/streams.ts';
import { fakeReady } from '../../helpers/fake-core.ts';
import { concatBytes, frameBytes, headerBytes } from '../../helpers/frame-bytes.ts';
import { pass, settle, stopClock, Upstream } from './memory-upstream.ts';

beforeEach(stopClock);

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
