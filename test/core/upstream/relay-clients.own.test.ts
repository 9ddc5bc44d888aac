import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Relay } from '../../../src/core/upstream/relay.ts';
import { Opcode } from '../../../src/wire/codes.ts';
import { fakeReady } from '../../helpers/fake-core.ts';
import { pass, settle, stopClock, Upstream } from './memory-upstream.ts';

beforeEach(stopClock);

describe('a relay with several clients', () => {
  const INVALID = { code: 4009, message: 'Invalid token' };

  function several() {
    const upstreams: Upstream[] = [];
    const ends: unknown[] = [];
    const state = { here: true, other: true, shows: true };
    const calls: string[] = [];
    const relay = new Relay({
      clientId: '7',
      async connect() {
        if (!state.here) throw new Error('nobody');
        const upstream = new Upstream();
        upstreams.push(upstream);
        return upstream.ours;
      },
      event: () => {},
      authenticated: () => {},
      refused: ({ code, message }) => ends.push([code, message]),
      route: {
        isOther: () => state.other,
        taken: () => calls.push('taken'),
        unfit: () => calls.push('unfit'),
        mayShow: () => state.shows,
        restored: () => calls.push('restored'),
      },
    });
    onTestFinished(() => relay.close());
    const upstream = (): Upstream => upstreams.at(-1) as Upstream;
    const request = (cmd: string, args: unknown = {}, evt?: string) =>
      relay.request({ cmd, args, evt }).catch((error: unknown) => error);
    return {
      relay,
      state,
      upstreams,
      upstream,
      request,
      ends,
      calls,
      open: async () => {
        const opened = relay.open();
        await settle();
        await upstream().ready();
        await opened;
        calls.splice(0);
      },
      lose: async () => {
        upstream().stream.destroy();
        upstream().ours.destroy();
        await settle();
      },
      authenticate: async () => {
        const done = request('AUTHENTICATE', { access_token: 'a' });
        await settle();
        await upstream().answer({ scopes: [] });
        await done;
      },
      moving: async () => {
        const next = new Upstream();
        const moved = relay.move(() => Promise.resolve(next.ours));
        await settle();
        await next.ready();
        return { next, moved };
      },
    };
  }

  it('waits for its own client when another one does not accept the token, and ends after a minute', async () => {
    const { open, authenticate, lose, upstream, upstreams, ends, calls, state } = several();
    await open();
    await authenticate();
    await lose();
    await pass(50);
    await upstream().ready({ ...fakeReady, user: { ...fakeReady.user, id: '9' } });
    await upstream().answer(INVALID, 'ERROR');
    expect([calls, ends, upstream().ours.destroyed]).toEqual([['unfit'], [], true]);
    state.here = false;
    await pass(55_000);
    expect([ends, upstreams.length]).toEqual([[], 2]);
    await pass(6000);
    expect(ends).toEqual([[1000, 'Another chat client answers now; connect again']]);
  });

  it('goes on at another client without a token, also of another account', async () => {
    const { open, lose, upstream, ends, calls, request } = several();
    await open();
    await lose();
    await pass(50);
    await upstream().ready({ ...fakeReady, user: { ...fakeReady.user, id: '9' } });
    expect([ends, calls]).toEqual([[], ['taken', 'restored']]);
    const answer = request('GET_GUILDS');
    await settle();
    await upstream().answer({ n: 1 });
    expect(await answer).toEqual({ n: 1 });
  });

  it('ends when its own client has another account', async () => {
    const { open, lose, upstream, ends, state } = several();
    await open();
    await lose();
    state.other = false;
    await pass(50);
    await upstream().ready({ ...fakeReady, user: { ...fakeReady.user, id: '9' } });
    expect(ends).toEqual([[1000, 'User logout']]);
  });

  it('moves with token, subscriptions and presence, and leaves the client before', async () => {
    const { open, authenticate, moving, request, upstream } = several();
    await open();
    await authenticate();
    for (const [cmd, args, evt] of [
      ['SUBSCRIBE', {}, 'VOICE_SETTINGS_UPDATE'],
      ['SET_ACTIVITY', { activity: { state: 'x' } }, undefined],
    ] as const) {
      const done = request(cmd, args, evt);
      await settle();
      await upstream().answer({});
      await done;
    }
    const { next, moved } = await moving();
    expect(next.requests.map(({ cmd }) => cmd)).toEqual(['AUTHENTICATE']);
    await next.answer({ scopes: [] });
    expect(await moved).toBe('moved');
    await settle();
    expect(next.requests.map(({ cmd }) => cmd)).toEqual(['AUTHENTICATE', 'SUBSCRIBE', 'SET_ACTIVITY']);
    expect(upstream().frames.at(-1)?.[0]).toBe(Opcode.CLOSE);
  });

  it('shows nothing at another client that must not show it, at a return and at a move', async () => {
    const { open, lose, upstream, request, moving, relay, state } = several();
    await open();
    const show = async () => {
      const done = request('SET_ACTIVITY', { activity: { state: 'x' } });
      await settle();
      await upstream().answer({});
      await done;
    };
    await show();
    state.shows = false;
    await lose();
    await pass(50);
    await upstream().ready();
    expect([upstream().requests, relay.hasPresence]).toEqual([[], false]);
    expect(await request('SET_ACTIVITY', { activity: { state: 'y' } })).toMatchObject({ code: 1001 });
    state.shows = true;
    await show();
    state.shows = false;
    const { next, moved } = await moving();
    expect([await moved, next.requests]).toEqual(['moved', []]);
  });

  it('ends at a move when the token is not valid there', async () => {
    const { open, authenticate, moving, ends } = several();
    await open();
    await authenticate();
    const { next, moved } = await moving();
    await next.answer(INVALID, 'ERROR');
    expect(await moved).toBe('refused');
    expect(ends).toEqual([[1000, 'Another chat client answers now; connect again']]);
  });

  it.each<[string, (bench: ReturnType<typeof several>, next: Upstream) => unknown]>([
    ['does not answer the token', () => pass(5000)],
    ['leaves', (_, next) => next.stream.destroy()],
    ['is left by its own client meanwhile', ({ lose }) => lose()],
  ])('stays where it is when the other client %s', async (_what, act) => {
    const all = several();
    await all.open();
    await all.authenticate();
    const { next, moved } = await all.moving();
    await act(all, next);
    await pass(5000);
    expect(await moved).toBe('failed');
    expect([next.ours.destroyed, all.ends]).toEqual([true, []]);
  });

  it('stays where it is when the other client does not greet', async () => {
    const { open, relay, request, upstream } = several();
    await open();
    const next = new Upstream();
    const moved = relay.move(() => Promise.resolve(next.ours));
    await pass(10_000);
    expect(await moved).toBe('failed');
    const answer = request('GET_GUILDS');
    await settle();
    await upstream().answer({ n: 1 });
    expect(await answer).toEqual({ n: 1 });
  });

  it('gets an answer of the client before for five seconds, and repeats there what it is part of', async () => {
    const { open, moving, request, upstream } = several();
    await open();
    const subscribed = request('SUBSCRIBE', {}, 'VOICE_SETTINGS_UPDATE');
    const never = request('AUTHORIZE');
    await settle();
    const { next, moved } = await moving();
    expect(await moved).toBe('moved');
    await upstream().answer({ evt: 'VOICE_SETTINGS_UPDATE' }, null, 0);
    expect(await subscribed).toEqual({ evt: 'VOICE_SETTINGS_UPDATE' });
    await settle();
    expect(next.requests.map(({ cmd }) => cmd)).toEqual(['SUBSCRIBE']);
    await pass(5000);
    expect(await never).toMatchObject({ code: 1001 });
    expect(upstream().frames.at(-1)?.[0]).toBe(Opcode.CLOSE);
  });

  it('does not move while its client is away', async () => {
    const { open, lose, state, relay } = several();
    await open();
    state.here = false;
    await lose();
    expect(await relay.move(() => Promise.reject(new Error('not called')))).toBe('failed');
  });
});
