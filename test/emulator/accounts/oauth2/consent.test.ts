import { describe, expect, it } from 'vitest';
import { RequestQueue } from '../../../../src/emulator/accounts/consent/queue.ts';
import { Consent, type Question } from '../../../../src/emulator/accounts/oauth2/consent.ts';
import { anybodyMayAnswer, type WaitingRequest } from '../../../../src/emulator/api/waiting-request.ts';
import type { ApplicationRecord } from '../../../../src/emulator/applications/records.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { worldOf } from '../../../helpers/patched.ts';

const template = worldOf().tables.applications.get('300000000000000001') as ApplicationRecord;
const by = { kind: 'person', via: 'test' } as const;
const allowed = { outcome: 'allowed', by, always: false };
const denied = { outcome: 'denied', by };

function answer(queue: RequestQueue, id: string, word: 'allow' | 'deny'): boolean {
  return queue.answer(id, { answer: word, by: { via: 'test' } }, anybodyMayAnswer) !== undefined;
}

function setUp() {
  const clock = new ManualClock();
  const added: WaitingRequest[] = [];
  const settled: [string, string][] = [];
  const granted: boolean[] = [];
  const queue = new RequestQueue({
    clock,
    timeoutMs: 120_000,
    added: (request) => added.push(request),
    settled: (request, settlement) => settled.push([request.id, settlement.outcome]),
  });
  const consent = new Consent({ machine: clock, queue, promptsPerMinute: 3 });
  const ask = (more: Partial<Question> & { clientId?: string } = {}) =>
    consent.request(
      {
        application: { ...template, id: more.clientId ?? template.id },
        userId: '1',
        scopes: ['identify', 'rpc'],
        peer: { transport: 'ipc', pid: 100 },
        signal: new AbortController().signal,
        ...more,
      },
      (_by, always) => granted.push(always),
    );
  const open = () => {
    const [request] = queue.list();
    if (request === undefined) throw new Error('no open request');
    return request;
  };
  return { clock, queue, ask, added, settled, granted, open };
}

describe('a consent request', () => {
  it('contains application, scopes, peer and times, in plain text', async () => {
    const { ask, added, queue, clock } = setUp();
    const asked = ask({
      application: { ...template, name: `Evil\n\u202E${'x'.repeat(10_000)}` },
      peer: { transport: 'ipc', pid: 7, program: '/usr/bin/game\u001b[2J', sessionId: 's1' },
    });
    const [request] = added;
    expect(request?.id).toMatch(/^[a-hjkmnp-z2-9]{5}$/);
    expect(request).toMatchObject({
      clientId: template.id,
      applicationName: `Evil${'x'.repeat(59)}…`,
      userId: '1',
      scopes: [
        { name: 'identify', description: expect.stringMatching(/user name/) },
        { name: 'rpc', description: expect.stringMatching(/Control your client/) },
      ],
      peer: { transport: 'ipc', pid: 7, program: '/usr/bin/game[2J', sessionId: 's1', verified: false },
      requestedAt: clock.now(),
      expiresAt: clock.now() + 120_000,
    });
    expect(answer(queue, request?.id ?? '', 'allow')).toBe(true);
    expect(await asked).toEqual(allowed);
    expect(queue.list()).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('is settled once', async () => {
    const { ask, queue, open, settled } = setUp();
    const asked = ask();
    const { id } = open();
    expect(answer(queue, id, 'deny')).toBe(true);
    expect(answer(queue, id, 'allow')).toBe(false);
    expect(answer(queue, 'nope', 'allow')).toBe(false);
    expect(await asked).toEqual(denied);
    expect(settled).toEqual([[id, 'denied']]);
  });

  it('times out after 120 seconds, not before [T62]', async () => {
    const { ask, clock, queue } = setUp();
    const asked = ask();
    clock.advance(119_999);
    expect(queue.list()).toHaveLength(1);
    clock.advance(1);
    expect(queue.list()).toHaveLength(0);
    expect(await asked).toEqual({ outcome: 'timed-out' });
  });

  it('ends when the peer disconnects, and leaves no listener behind', async () => {
    const { ask, queue, clock } = setUp();
    const controller = new AbortController();
    const asked = ask({ signal: controller.signal });
    controller.abort();
    expect(await asked).toEqual({ outcome: 'withdrawn', reason: 'the app left' });
    expect(queue.list()).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('does not start for a disconnected peer', async () => {
    const { ask, queue } = setUp();
    expect(await ask({ signal: AbortSignal.abort() })).toMatchObject({ outcome: 'withdrawn' });
    expect(queue.list()).toEqual([]);
  });

  it('ends with all others when every request is withdrawn', async () => {
    const { ask, queue } = setUp();
    const answers = [ask({ clientId: '1' }), ask({ clientId: '2' })];
    queue.withdrawAll('closing');
    expect(await Promise.all(answers)).toEqual([
      { outcome: 'withdrawn', reason: 'closing' },
      { outcome: 'withdrawn', reason: 'closing' },
    ]);
  });
});

describe('the limit of consent requests [T45]', () => {
  it('allows one open request per application', async () => {
    const { ask, added } = setUp();
    const first = ask();
    await expect(ask({ peer: { transport: 'ipc', pid: 200 } })).rejects.toThrow(/^access_denied: .*already/);
    expect(added).toHaveLength(1);
    expect(first).toBeInstanceOf(Promise);
  });

  it('allows three prompts to a hundred requests of one process with a hundred client ids', async () => {
    const { ask, added, queue } = setUp();
    const answers = Array.from({ length: 100 }, (_, index) => ask({ clientId: String(index + 1) }));
    expect(added).toHaveLength(3);
    queue.withdrawAll('end');
    const results = await Promise.allSettled(answers);
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(97);
  });

  it('allows three prompts to a hundred requests of one application from a hundred processes', async () => {
    const { ask, added, queue } = setUp();
    for (let pid = 1; pid <= 100; pid += 1) {
      const asked = ask({ peer: { transport: 'ipc', pid } });
      queue.withdrawAll('end');
      await Promise.allSettled([asked]);
    }
    expect(added).toHaveLength(3);
  });

  it('is shared by all peers without a process id', async () => {
    const { ask, added, queue } = setUp();
    const peer = { transport: 'ipc' };
    const answers = Array.from({ length: 10 }, (_, index) => ask({ clientId: String(index + 1), peer }));
    expect(added).toHaveLength(3);
    queue.withdrawAll('end');
    await Promise.allSettled(answers);
  });

  it('allows sixteen waiting requests', async () => {
    const { ask, added, queue } = setUp();
    const answers = Array.from({ length: 20 }, (_, index) =>
      ask({ clientId: String(index + 1), peer: { transport: 'ipc', pid: index + 1 } }),
    );
    expect(added).toHaveLength(16);
    queue.withdrawAll('end');
    await Promise.allSettled(answers);
  });

  it.each<[string, (queue: RequestQueue, clock: ManualClock, id: string) => unknown]>([
    ['a denial', (queue, _, id) => answer(queue, id, 'deny')],
    ['a time-out', (_, clock) => clock.advance(120_000)],
  ])('starts with %s a pause of 15 seconds', async (_, end) => {
    const { ask, queue, clock, open, added } = setUp();
    const asked = ask();
    end(queue, clock, open().id);
    await asked;
    await expect(ask()).rejects.toThrow(/again in 15 s/);
    await expect(ask({ clientId: '77' })).rejects.toThrow(/again in 15 s/);
    clock.advance(15_000);
    const second = ask();
    expect(added).toHaveLength(2);
    answer(queue, open().id, 'deny');
    await second;
    await expect(ask()).rejects.toThrow(/again in 30 s/);
  });

  it('pauses a denied process, and not another process with the same application', async () => {
    const { ask, queue, open } = setUp();
    const squatter = { transport: 'ipc', pid: 666 };
    const asked = ask({ peer: squatter });
    answer(queue, open().id, 'deny');
    await asked;
    await expect(ask({ peer: squatter })).rejects.toThrow(/again in 15 s/);
    await expect(ask({ peer: squatter, clientId: '77' })).rejects.toThrow(/again in 15 s/);
    const real = ask();
    answer(queue, open().id, 'allow');
    expect(await real).toEqual(allowed);
  });

  it('replaces the oldest of sixteen unanswered requests only when the user had time to read it', async () => {
    const { ask, clock, queue, settled, added } = setUp();
    const from = (pid: number) => ask({ clientId: String(pid), peer: { transport: 'ipc', pid } });
    const hoard = Array.from({ length: 16 }, (_, index) => from(index + 1));
    await expect(from(99)).rejects.toThrow(/Too many requests are waiting/);
    clock.advance(30_000);
    const honest = from(99);
    expect(await hoard[0]).toEqual({
      outcome: 'withdrawn',
      reason: 'no answer came, and other requests need its slot',
    });
    expect([queue.list().length, settled.length, added.length]).toEqual([16, 1, 17]);
    answer(queue, added[16]?.id ?? '', 'allow');
    expect(await honest).toEqual(allowed);
    queue.withdrawAll('end');
    await Promise.allSettled(hoard);
  });

  it.each(['ipc', 'device', 'web http://localhost:3000'])(
    'does not pause other applications on %s without a process id after a denial',
    async (transport) => {
      const { ask, queue, open } = setUp();
      const peer = { transport };
      const asked = ask({ peer });
      answer(queue, open().id, 'deny');
      await asked;
      await expect(ask({ peer })).rejects.toThrow(/again in/);
      const other = ask({ clientId: '77', peer });
      expect(queue.list()).toHaveLength(1);
      answer(queue, open().id, 'allow');
      expect(await other).toEqual(allowed);
    },
  );

  it('starts no pause after an approval', async () => {
    const { ask, queue, open } = setUp();
    const asked = ask();
    answer(queue, open().id, 'allow');
    await asked;
    const again = ask();
    answer(queue, open().id, 'allow');
    expect(await again).toEqual(allowed);
  });
});
