import { describe, expect, it } from 'vitest';
import { FirstSight } from '../../../src/emulator/accounts/accounts.ts';
import { defaultFixture } from '../../../src/emulator/fixture/default.ts';
import type { FixtureApplication } from '../../../src/emulator/fixture/fixture.ts';
import {
  type AuthorizationRequest,
  ConsentQueue,
  type Question,
  type Settlement,
} from '../../../src/emulator/oauth2/consent.ts';
import { ManualClock } from '../../helpers/manual-clock.ts';

const template = new FirstSight().find(defaultFixture(), '300000000000000001')?.record as FixtureApplication;
const allowed: Settlement = { outcome: 'allowed', by: { kind: 'person', via: 'test' }, always: false };
const denied: Settlement = { outcome: 'denied', by: { kind: 'person', via: 'test' } };

function setUp() {
  const clock = new ManualClock();
  const added: AuthorizationRequest[] = [];
  const settled: [string, string][] = [];
  const queue = new ConsentQueue({
    clock,
    timeoutMs: 120_000,
    promptsPerMinute: 3,
    added: (request) => added.push(request),
    settled: (request, settlement) => settled.push([request.id, settlement.outcome]),
  });
  const ask = (more: Partial<Question> & { clientId?: string } = {}) =>
    queue.ask({
      application: { ...template, id: more.clientId ?? template.id },
      userId: '1',
      scopes: ['identify', 'rpc'],
      peer: { transport: 'ipc', pid: 100 },
      signal: new AbortController().signal,
      ...more,
    });
  const open = () => {
    const [request] = queue.list();
    if (request === undefined) throw new Error('no open request');
    return request;
  };
  return { clock, queue, ask, added, settled, open };
}

describe('a request', () => {
  it('tells the person what they need, in plain text', async () => {
    const { ask, added, queue, clock } = setUp();
    const answer = ask({
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
    expect(queue.settle(request?.id ?? '', allowed)).toBe(true);
    expect(await answer).toEqual(allowed);
    expect(queue.list()).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('is settled once', async () => {
    const { ask, queue, open, settled } = setUp();
    const answer = ask();
    const { id } = open();
    expect(queue.settle(id, denied)).toBe(true);
    expect(queue.settle(id, allowed)).toBe(false);
    expect(queue.settle('nope', allowed)).toBe(false);
    expect(await answer).toEqual(denied);
    expect(settled).toEqual([[id, 'denied']]);
  });

  it('T62 is denied by itself after 120 seconds, not before', async () => {
    const { ask, clock, queue } = setUp();
    const answer = ask();
    clock.advance(119_999);
    expect(queue.list()).toHaveLength(1);
    clock.advance(1);
    expect(queue.list()).toHaveLength(0);
    expect(await answer).toEqual({ outcome: 'timed-out' });
  });

  it('ends when the peer leaves, and leaves no listener behind', async () => {
    const { ask, queue, clock } = setUp();
    const controller = new AbortController();
    const answer = ask({ signal: controller.signal });
    controller.abort();
    expect(await answer).toEqual({ outcome: 'withdrawn', reason: 'the app left' });
    expect(queue.list()).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('does not start for a peer that has left', async () => {
    const { ask, queue } = setUp();
    expect(await ask({ signal: AbortSignal.abort() })).toMatchObject({ outcome: 'withdrawn' });
    expect(queue.list()).toEqual([]);
  });

  it('ends with all others when everything is withdrawn', async () => {
    const { ask, queue } = setUp();
    const answers = [ask({ clientId: '1' }), ask({ clientId: '2' })];
    queue.withdrawAll('closing');
    expect(await Promise.all(answers)).toEqual([
      { outcome: 'withdrawn', reason: 'closing' },
      { outcome: 'withdrawn', reason: 'closing' },
    ]);
  });
});

describe('T45 asking too often is denied without a prompt', () => {
  it('one open request per application', async () => {
    const { ask, added } = setUp();
    const first = ask();
    await expect(ask({ peer: { transport: 'ipc', pid: 200 } })).rejects.toThrow(/^access_denied: .*already/);
    expect(added).toHaveLength(1);
    expect(first).toBeInstanceOf(Promise);
  });

  it('a hundred requests of one process under a hundred names show three prompts', async () => {
    const { ask, added, queue } = setUp();
    const answers = Array.from({ length: 100 }, (_, index) => ask({ clientId: String(index + 1) }));
    expect(added).toHaveLength(3);
    queue.withdrawAll('end');
    const results = await Promise.allSettled(answers);
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(97);
  });

  it('a hundred requests of one application from a hundred processes show three prompts', async () => {
    const { ask, added, queue } = setUp();
    for (let pid = 1; pid <= 100; pid += 1) {
      const answer = ask({ peer: { transport: 'ipc', pid } });
      queue.withdrawAll('end');
      await Promise.allSettled([answer]);
    }
    expect(added).toHaveLength(3);
  });

  it('peers without a process id share one budget', async () => {
    const { ask, added, queue } = setUp();
    const peer = { transport: 'ipc' };
    const answers = Array.from({ length: 10 }, (_, index) => ask({ clientId: String(index + 1), peer }));
    expect(added).toHaveLength(3);
    queue.withdrawAll('end');
    await Promise.allSettled(answers);
  });

  it('no more than sixteen requests wait at once', async () => {
    const { ask, added, queue } = setUp();
    const answers = Array.from({ length: 20 }, (_, index) =>
      ask({ clientId: String(index + 1), peer: { transport: 'ipc', pid: index + 1 } }),
    );
    expect(added).toHaveLength(16);
    queue.withdrawAll('end');
    await Promise.allSettled(answers);
  });

  it.each<[string, (queue: ConsentQueue, clock: ManualClock, id: string) => unknown]>([
    ['a denial', (queue, _, id) => queue.settle(id, denied)],
    ['a time-out', (_, clock) => clock.advance(120_000)],
  ])('%s starts a pause of 15 seconds', async (_, end) => {
    const { ask, queue, clock, open, added } = setUp();
    const answer = ask();
    end(queue, clock, open().id);
    await answer;
    await expect(ask()).rejects.toThrow(/again in 15 s/);
    await expect(ask({ clientId: '77' })).rejects.toThrow(/again in 15 s/);
    clock.advance(15_000);
    const second = ask();
    expect(added).toHaveLength(2);
    queue.settle(open().id, denied);
    await second;
    await expect(ask()).rejects.toThrow(/again in 30 s/);
  });

  it('a denied application without a process id does not silence the others', async () => {
    const { ask, queue, open } = setUp();
    const peer = { transport: 'ipc' };
    const answer = ask({ peer });
    queue.settle(open().id, denied);
    await answer;
    await expect(ask({ peer })).rejects.toThrow(/again in/);
    const other = ask({ clientId: '77', peer });
    expect(queue.list()).toHaveLength(1);
    queue.settle(open().id, allowed);
    expect(await other).toEqual(allowed);
  });

  it('a yes starts no pause', async () => {
    const { ask, queue, open } = setUp();
    const answer = ask();
    queue.settle(open().id, allowed);
    await answer;
    const again = ask();
    queue.settle(open().id, allowed);
    expect(await again).toEqual(allowed);
  });
});
