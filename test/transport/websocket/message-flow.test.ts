import { describe, expect, it } from 'vitest';
import { MessageFlow } from '../../../src/transport/websocket/message-flow.ts';
import { CloseError } from '../../../src/wire/close-error.ts';
import { CloseCode, Opcode } from '../../../src/wire/codes.ts';
import type { ConnectionListener } from '../../../src/wire/connection.ts';
import type { Frame } from '../../../src/wire/frame.ts';

function frame(text: string): Frame {
  return { opcode: Opcode.FRAME, body: new TextEncoder().encode(text) };
}

/** A listener that writes down what it hears. */
function heard(onFrame: (text: string) => void = () => {}): { log: string[]; listener: ConnectionListener } {
  const log: string[] = [];
  return {
    log,
    listener: {
      frame({ body }) {
        const text = new TextDecoder().decode(body);
        log.push(text);
        onFrame(text);
      },
      partial: (bytes) => log.push(`partial: ${bytes}`),
      backlog: (bytes) => log.push(`backlog: ${bytes}`),
      requestsInFlight: 0,
      halfClosed() {},
      admits: () => true,
      broken: (error) => log.push(`broken: ${error.message}`),
      ended: () => log.push('ended'),
    },
  };
}

describe('the flow of whole messages', () => {
  it('delivers waiting messages first, and none before its session exists', async () => {
    const flow = new MessageFlow([frame('handshake')]);
    const { log, listener } = heard();
    flow.start(listener);
    expect(log).toEqual([]);
    await Promise.resolve();
    flow.push(frame('a'));
    expect(log).toEqual(['handshake', 'a']);
  });
  it('delivers nothing after a pause, and every message in order after the resume', async () => {
    const flow = new MessageFlow();
    const { log, listener } = heard((text) => {
      if (text === 'b') flow.pause();
    });
    flow.start(listener);
    await Promise.resolve();
    for (const text of ['a', 'b', 'c', 'd']) flow.push(frame(text));
    expect(log).toEqual(['a', 'b']);
    expect(flow.resume()).toBe(true);
    expect(log).toEqual(['a', 'b', 'c', 'd']);
  });
  it('does not let its carrier resume when a waiting message pauses it again', async () => {
    const flow = new MessageFlow();
    const { log, listener } = heard(() => flow.pause());
    flow.start(listener);
    await Promise.resolve();
    for (const text of ['a', 'b', 'c']) flow.push(frame(text));
    expect(flow.resume()).toBe(false);
    expect(log).toEqual(['a', 'b']);
  });
  it('delivers the next message and the end to the listener of redirect()', async () => {
    const flow = new MessageFlow([frame('a'), frame('b')]);
    const other = heard();
    const { log, listener } = heard((text) => {
      if (text === 'a') flow.redirect(other.listener);
    });
    flow.start(listener);
    await Promise.resolve();
    flow.redirect(listener);
    flow.push(frame('c'));
    flow.close();
    flow.redirect(other.listener);
    flow.ended();
    expect([log, other.log]).toEqual([
      ['a', 'c'],
      ['b', 'ended'],
    ]);
  });
  it('drops messages after the close, and those that waited', async () => {
    const flow = new MessageFlow();
    const { log, listener } = heard();
    flow.start(listener);
    await Promise.resolve();
    flow.pause();
    flow.push(frame('a'));
    expect(flow.close()).toBe(true);
    expect(flow.close()).toBe(false);
    flow.resume();
    flow.push(frame('b'));
    flow.broken(new CloseError(CloseCode.UNSUPPORTED, 'too late'));
    flow.ended();
    flow.ended();
    expect(log).toEqual(['ended']);
    expect(flow.open).toBe(false);
  });
  it('reports a broken message to its session', async () => {
    const flow = new MessageFlow();
    const { log, listener } = heard();
    flow.broken(new CloseError(CloseCode.UNSUPPORTED, 'nobody listens yet'));
    flow.start(listener);
    flow.broken(new CloseError(CloseCode.UNSUPPORTED, 'binary'));
    expect(log).toEqual(['broken: binary']);
  });
  it('counts the bytes read since the last whole message', async () => {
    const flow = new MessageFlow();
    const { log, listener } = heard();
    flow.read(99);
    flow.start(listener);
    await Promise.resolve();
    flow.push(frame('a'));
    for (const bytes of [10, 20, 30]) flow.read(bytes);
    flow.progress();
    flow.read(40);
    flow.read(50);
    expect(log).toEqual(['a', 'partial: 0', 'partial: 20', 'partial: 50', 'partial: 0', 'partial: 50']);
  });
  it('reports the bytes that wait for the peer while it is open', async () => {
    const flow = new MessageFlow();
    const { log, listener } = heard();
    flow.backlog(1);
    flow.start(listener);
    await Promise.resolve();
    flow.backlog(2);
    flow.pause();
    flow.backlog(3);
    flow.read(4);
    flow.close();
    flow.backlog(5);
    expect(log).toEqual(['backlog: 2', 'backlog: 3']);
  });
  it('reports nothing when it ends before it has a session', () => {
    const flow = new MessageFlow([frame('handshake')]);
    flow.ended();
    const { log, listener } = heard();
    flow.start(listener);
    expect(log).toEqual([]);
  });
});
