import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Relay } from '../../../src/core/upstream/relay.ts';
import type { RelayOptions } from '../../../src/core/upstream/relay-options.ts';
import { CloseCode, Opcode } from '../../../src/wire/codes.ts';
import { fakeReady } from '../../helpers/fake-core.ts';
import { pass, settle, stopClock, Upstream } from './memory-upstream.ts';

beforeEach(stopClock);

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
      open: async (ready: unknown = fakeReady) => {
        const opened = relay.open();
        await settle();
        await upstream().ready(ready);
        await opened;
        log.splice(0);
      },
      lose: async () => {
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
