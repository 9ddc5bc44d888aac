import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/protocol/command.ts';
import type { Request } from '../../src/protocol/payload.ts';
import type { AnswerDeadline } from '../../src/session/circuit-breaker.ts';
import { type CallHost, RequestCall } from '../../src/session/request-call.ts';

const consentDeadline: AnswerDeadline = { ms: 60_000, waitsFor: 'person' };

/** A call, and what it asks of its session. */
function made() {
  const asked: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]): never => {
      asked.push([name, ...args]);
      return name as never;
    };
  const host: CallHost = {
    clientId: '2',
    transport: 'ipc',
    scopes: new Set(['rpc']),
    consentDeadline,
    forward: note('forward'),
    exclusively: note('exclusively'),
    authenticated: note('authenticated'),
    subscribe: note('subscribe'),
    unsubscribe: note('unsubscribe'),
  };
  const request = { cmd: 'SUBSCRIBE', nonce: 'n', args: { a: 1 }, evt: 'E' } as unknown as Request;
  const call = new RequestCall(request, {} as Command, host);
  return { call, host, asked };
}

describe('a call of a request', () => {
  it('has the parts of its request and of its session', () => {
    const { call, host } = made();
    expect([call.clientId, call.transport, call.evt, call.rawArgs]).toEqual(['2', 'ipc', 'E', { a: 1 }]);
    expect(call.scopes).toBe(host.scopes);
  });

  it('passes on to its session what its command does', () => {
    const { call, asked } = made();
    const task = async () => 'x';
    const results = [
      call.forward('args'),
      call.exclusively('authorizing', task),
      call.subscribe('E', 'args'),
      call.unsubscribe('E', 'args'),
    ];
    call.authenticated({ token: 't', scopes: ['rpc'] });
    expect(results).toEqual(['forward', 'exclusively', 'subscribe', 'unsubscribe']);
    expect(asked).toEqual([
      ['forward', call, 'args'],
      ['exclusively', 'authorizing', task],
      ['subscribe', call, 'E', 'args'],
      ['unsubscribe', call, 'E', 'args'],
      ['authenticated', 't', ['rpc']],
    ]);
  });

  it.each(['before', 'after'])('announces once that it waits for the user, %s somebody listens', (when) => {
    const { call } = made();
    const deadlines: AnswerDeadline[] = [];
    if (when === 'before') call.waitsForConsent();
    call.onDeadline((deadline) => void deadlines.push(deadline));
    expect(deadlines).toEqual(when === 'before' ? [consentDeadline] : []);
    call.waitsForConsent();
    call.waitsForConsent();
    expect(deadlines).toEqual([consentDeadline]);
  });

  it('has one signal, which aborts when it is cancelled', () => {
    const { call } = made();
    const { signal } = call;
    expect(signal.aborted).toBe(false);
    call.cancellation.end();
    expect([signal.aborted, call.signal === signal]).toEqual([true, true]);
  });

  it('runs what is due after its answer in order, and nothing where nothing is', () => {
    const { call } = made();
    const done: number[] = [];
    call.replied();
    call.afterReply(() => done.push(1));
    call.afterReply(() => done.push(2));
    expect(done).toEqual([]);
    call.replied();
    expect(done).toEqual([1, 2]);
  });
});
