import { describe, expect, it } from 'vitest';
import { RequestQueue, type Ticket } from '../../../../src/emulator/accounts/consent/queue.ts';
import {
  anybodyMayAnswer,
  type CommandRequest,
  requesterPid,
  type Settlement,
} from '../../../../src/emulator/api/waiting-request.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';

const command = (ticket: Ticket, clientId = '42'): CommandRequest => ({
  kind: 'command',
  clientId,
  applicationName: 'App',
  cmd: 'OPEN_MESSAGE',
  what: 'open a message',
  details: [],
  pid: 100,
  ...ticket,
});
const by = { via: 'test', pid: 7 };
const never = new AbortController().signal;

function setUp() {
  const clock = new ManualClock();
  const told: string[] = [];
  const queue = new RequestQueue({
    clock,
    timeoutMs: 1000,
    added: ({ id }) => told.push(`added ${id}`),
    settled: ({ id }, { outcome }) => told.push(`${outcome} ${id}`),
  });
  const ask = (clientId?: string, signal = never, settled?: (settlement: Settlement) => void) =>
    queue.enqueue((ticket) => command(ticket, clientId), signal, settled);
  const first = () => queue.list()[0]?.id ?? '';
  return { clock, told, queue, ask, first };
}

describe('a waiting request', () => {
  it('has an id that is easy to type, a request time and an expiry', () => {
    const { clock, queue, ask } = setUp();
    void ask();
    expect(queue.list()).toMatchObject([
      {
        id: expect.stringMatching(/^[a-hjkmnp-z2-9]{5}$/),
        requestedAt: clock.now(),
        expiresAt: clock.now() + 1000,
      },
    ]);
  });

  it('waits in one queue in order of arrival, whatever its kind', () => {
    const { queue, ask } = setUp();
    void ask('1');
    void queue.enqueue(
      (ticket) => ({
        kind: 'authorization',
        clientId: '2',
        applicationName: 'App',
        userId: '9',
        scopes: [],
        peer: { transport: 'ipc', pid: 8, verified: false },
        ...ticket,
      }),
      never,
    );
    void ask('3');
    expect(queue.list().map(({ kind, clientId }) => [kind, clientId])).toEqual([
      ['command', '1'],
      ['authorization', '2'],
      ['command', '3'],
    ]);
    expect([queue.count('command'), queue.count('command', '3'), queue.count('authorization')]).toEqual([
      2, 1, 1,
    ]);
    expect(queue.list().map(requesterPid)).toEqual([100, 8, 100]);
  });

  it('is allowed once, and records who allowed it, in plain text', async () => {
    const { queue, ask, first, told, clock } = setUp();
    const asked = ask();
    const id = first();
    const who = { via: 'control\n', pid: -1, program: '/bin/\u001b[2Jsh' };
    expect(queue.answer(id, { answer: 'allow', always: true, by: who }, anybodyMayAnswer)).toMatchObject({
      id,
    });
    expect(queue.answer(id, { answer: 'deny', by }, anybodyMayAnswer)).toBeUndefined();
    expect(await asked).toEqual({
      outcome: 'allowed',
      always: true,
      by: { kind: 'person', via: 'control', program: '/bin/[2Jsh' },
    });
    expect(told).toEqual([`added ${id}`, `allowed ${id}`]);
    expect(clock.pending).toBe(0);
  });

  it('continues to wait when the caller may not allow it, although any caller may deny it', async () => {
    const { queue, ask, first } = setUp();
    const asked = ask();
    const id = first();
    const rule = (request: { readonly id: string }, { pid }: { readonly pid?: number | undefined }) =>
      pid === 7 ? `${request.id}: not you` : undefined;
    expect(() => queue.answer(id, { answer: 'allow', by }, rule)).toThrow(`${id}: not you`);
    expect(queue.list()).toHaveLength(1);
    queue.answer(id, { answer: 'deny', by }, rule);
    expect(await asked).toMatchObject({ outcome: 'denied' });
    void ask();
    queue.answer(first(), { answer: 'allow', by: { via: 'test', pid: 8 } }, rule);
    expect(queue.list()).toEqual([]);
  });

  it('is not allowed without a rule for callers', () => {
    const { queue, ask, first } = setUp();
    void ask();
    const forgetful = queue.answer.bind(queue) as (id: string, decision: object) => unknown;
    expect(() => forgetful(first(), { answer: 'allow', by })).toThrow(TypeError);
    expect(queue.list()).toHaveLength(1);
  });

  it('ends by its timeout, with the app, or with all others, and leaves no timer', async () => {
    const { clock, queue, ask } = setUp();
    const late = ask('1');
    clock.advance(1000);
    expect(await late).toEqual({ outcome: 'timed-out' });
    const app = new AbortController();
    const left = ask('2', app.signal);
    app.abort();
    expect(await left).toEqual({ outcome: 'withdrawn', reason: 'the app left' });
    expect(await ask('3', AbortSignal.abort())).toMatchObject({ outcome: 'withdrawn' });
    const rest = [ask('4'), ask('5')];
    queue.withdrawAll('closing');
    for (const one of rest) expect(await one).toEqual({ outcome: 'withdrawn', reason: 'closing' });
    expect([queue.list(), clock.pending]).toEqual([[], 0]);
  });

  it('notifies its requester before any other listener', () => {
    const { queue, ask, first, told } = setUp();
    void ask('1', never, ({ outcome }) => told.push(`first ${outcome}`));
    const id = first();
    queue.answer(id, { answer: 'allow', by }, anybodyMayAnswer);
    expect(told).toEqual([`added ${id}`, 'first allowed', `allowed ${id}`]);
  });
});
