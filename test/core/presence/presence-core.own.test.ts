import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ClientCore, CoreSession, Peer } from '../../../src/core/core.ts';
import { presenceCore } from '../../../src/core/presence/presence-core.ts';
import { ErrorCode } from '../../../src/protocol/error-code.ts';
import { RpcError } from '../../../src/protocol/errors.ts';
import { rule } from '../../presence/rules.ts';

type Activity = Record<string, unknown> | null;
type Handlers = Record<string, (args: never, call: never) => unknown>;

const call = {
  signal: new AbortController().signal,
  rawArgs: {},
  scopes: new Set<string>(),
  waitsForConsent() {},
};
const peer = (sessionId: string, clientId = '1', extra: Partial<Peer> = {}): Peer => ({
  sessionId,
  clientId,
  transport: 'ipc',
  signal: new AbortController().signal,
  ...extra,
});

/** A core that shows what it gets, by session; `kind` is how its sessions take requests. */
function scene(kind: 'handlers' | 'class' | 'relay' | 'clients' = 'handlers', holdsEnds = false) {
  const shown = new Map<string, Activity>();
  const sent: unknown[] = [];
  const names: string[][] = [];
  let fault: Error | undefined;
  const show = (session: string, args: { activity?: Activity }): unknown => {
    sent.push(args.activity ?? null);
    if (fault !== undefined) throw fault;
    shown.set(session, args.activity ?? null);
    return args.activity && { ...args.activity, application_id: '1', name: 'From the client' };
  };
  class Own {
    readonly #session: string;
    constructor(session: string) {
      this.#session = session;
    }
    SET_ACTIVITY(args: { activity?: Activity }) {
      return show(this.#session, args);
    }
    GET_GUILDS() {
      return this.#session;
    }
  }
  const inner: ClientCore = {
    name: 'fake',
    start: () => ({}),
    open({ sessionId }) {
      const base = {
        ready: { v: 1 } as never,
        close: () => void shown.delete(sessionId),
      };
      if (kind === 'handlers')
        return {
          ...base,
          handlers: { SET_ACTIVITY: (args: never) => show(sessionId, args) } as Handlers,
        } as CoreSession;
      if (kind === 'class') return { ...base, handlers: new Own(sessionId) as never };
      const relay: CoreSession['relay'] = async ({ cmd, args }) =>
        cmd === 'SET_ACTIVITY' ? show(sessionId, args as never) : { cmd };
      if (kind === 'relay') return { ...base, handlers: {}, relay };
      return {
        ...base,
        handlers: {},
        relay,
        present: async (args, only) => {
          names.push([...(only ?? ['all'])]);
          return show(sessionId, args as never);
        },
      };
    },
    stop() {},
  };
  const named: string[][] = [];
  const { core, presences } = presenceCore(inner, {
    shown: 'all',
    applicationName: () => 'Known',
    programs: () => ['p'],
    named: (...one) => void named.push(one),
    isAlive: () => true,
    holdsEnds,
  });
  return {
    core,
    presences,
    shown,
    sent,
    names,
    named,
    fail: (error: Error | undefined): void => {
      fault = error;
    },
    open: async (one: Peer) => {
      const session = await core.open(one);
      const set = async (activity: Activity | { [key: string]: unknown }): Promise<unknown> => {
        const args = { pid: 1, activity };
        return session.relay
          ? session.relay({ cmd: 'SET_ACTIVITY', args, evt: undefined }, call)
          : session.handlers.SET_ACTIVITY?.(args as never, call);
      };
      return { session, set };
    },
  };
}

const HIDE = { rules: [rule({ details: 'secret*' }, { hide: true })], otherwise: 'show' } as const;
const DROP = {
  rules: [rule({ details: 'secret*' }, { drop: ['details'] as const })],
  otherwise: 'show',
} as const;

afterEach(() => {
  vi.useRealTimers();
});

describe.each(['handlers', 'class', 'relay', 'clients'] as const)('presence over a core with %s', (kind) => {
  it('passes an activity on as it is without rules', async () => {
    const { open, sent, named } = scene(kind);
    const { set } = await open(peer('a'));
    const activity = { details: 'secret', unknown: { field: true } };
    expect(await set(activity)).toMatchObject({ name: 'From the client', ...activity });
    expect(sent).toEqual([activity]);
    expect(sent[0]).toBe(activity);
    expect(named).toEqual(kind === 'relay' || kind === 'clients' ? [['1', 'From the client']] : []);
  });

  it('never shows a hidden activity, and answers as if it was shown', async () => {
    const { open, presences, sent, shown } = scene(kind);
    const { set } = await open(peer('a'));
    presences.setRules(HIDE);
    expect(await set({ details: 'secret one' })).toMatchObject({
      details: 'secret one',
      name: 'Known',
      type: 0,
    });
    expect(sent.filter((one) => one !== null)).toEqual([]);
    await set({ details: 'open' });
    expect(shown.get('a')).toEqual({ details: 'open' });
    await set({ details: 'secret two' });
    expect(shown.get('a')).toBeNull();
  });

  it('answers a rewritten activity as the app has set it', async () => {
    const { open, presences, shown } = scene(kind);
    const { set } = await open(peer('a'));
    presences.setRules(DROP);
    expect(await set({ details: 'secret', state: 'in it' })).toMatchObject({
      details: 'secret',
      state: 'in it',
    });
    expect(shown.get('a')).toEqual({ state: 'in it' });
  });

  it('follows a change of the rules, a pause and its end', async () => {
    const { open, presences, shown } = scene(kind);
    const { set } = await open(peer('a'));
    await set({ details: 'secret', state: 'in it' });
    presences.setRules(DROP);
    await vi.waitFor(() => expect(shown.get('a')).toEqual({ state: 'in it' }));
    presences.pause(null);
    await vi.waitFor(() => expect(shown.get('a')).toBeNull());
    presences.setRules({ rules: [], otherwise: 'show' });
    presences.resume();
    await vi.waitFor(() => expect(shown.get('a')).toEqual({ details: 'secret', state: 'in it' }));
  });

  it('lets what gives way come back when the other app leaves', async () => {
    const { open, presences, shown } = scene(kind);
    presences.setRules({ rules: [rule({ app: '2' }, { giveWayTo: ['1'] })], otherwise: 'show' });
    const music = await open(peer('m', '2'));
    const game = await open(peer('g', '1'));
    await music.set({ details: 'song' });
    await game.set({ details: 'level' });
    await vi.waitFor(() => expect(shown.get('m')).toBeNull());
    game.session.close();
    await vi.waitFor(() => expect(shown.get('m')).toEqual({ details: 'song' }));
  });

  it('shows nothing but what the rules allow, after any sequence of changes', async () => {
    const step = fc.oneof(
      fc.record({ app: fc.constantFrom('1', '2', '3'), details: fc.constantFrom('secret a', 'open', null) }),
      fc.constantFrom('hide', 'drop', 'give way', 'none', 'pause', 'resume', 'away', 'back'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { open, presences, shown } = scene(kind);
        const apps = Object.fromEntries(
          await Promise.all(['1', '2', '3'].map(async (id) => [id, await open(peer(id, id))] as const)),
        );
        const rules = {
          hide: HIDE,
          drop: DROP,
          none: { rules: [], otherwise: 'show' },
          'give way': { rules: [rule({ app: '*' }, { giveWayTo: ['1', '2'] })], otherwise: 'show' },
        } as const;
        for (const one of steps) {
          if (typeof one === 'object') {
            await apps[one.app]?.set(one.details === null ? null : { details: one.details, state: 'st' });
          } else if (one === 'pause') presences.pause(null);
          else if (one === 'resume') presences.resume();
          else if (one === 'away' || one === 'back') presences.setAway(one === 'away');
          else presences.setRules(rules[one]);
          await new Promise((resolve) => setImmediate(resolve));
          const allowed = presences
            .list()
            .flatMap(({ app, standing }) =>
              standing.kind === 'shown' ? [[app.session, standing.activity]] : [],
            );
          const seen = [...shown].filter(([, activity]) => activity !== null);
          expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(allowed));
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('presence over a relay', () => {
  it('refuses an activity that rules cannot read, as the bridge does, and passes nothing on', async () => {
    const { open, presences, sent } = scene('relay');
    const { set } = await open(peer('a'));
    presences.setRules(HIDE);
    const odd = { details: ['secret'] };
    await expect(set(odd)).rejects.toThrow(RpcError);
    expect(sent).toEqual([]);
  });

  it('leaves other requests alone', async () => {
    const { open } = scene('relay');
    const { session } = await open(peer('a'));
    expect(await session.relay?.({ cmd: 'GET_GUILDS', args: {}, evt: undefined }, call)).toEqual({
      cmd: 'GET_GUILDS',
    });
  });

  it('tries a change again that the client did not take, and clears what the client showed before', async () => {
    vi.useFakeTimers();
    const { open, presences, sent, shown, fail } = scene('relay');
    const { set } = await open(peer('a'));
    await set({ details: 'secret', state: 'st' });
    fail(new Error('away'));
    presences.setRules(DROP);
    await vi.advanceTimersByTimeAsync(10);
    expect(sent.slice(1)).toEqual([{ state: 'st' }, null]);
    fail(undefined);
    await vi.advanceTimersByTimeAsync(2000);
    expect(shown.get('a')).toEqual({ state: 'st' });
  });

  it('waits longer after each attempt while the client is away, and does not repeat what the client refuses', async () => {
    vi.useFakeTimers();
    const { open, presences, sent, fail } = scene('relay');
    const { set } = await open(peer('a'));
    await set({ details: 'secret', state: 'st' });
    const attempts = (): number => sent.splice(0).filter((one) => one !== null).length;
    attempts();
    fail(new RpcError(ErrorCode.SERVICE_UNAVAILABLE, 'away'));
    presences.setRules(DROP);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(attempts()).toBe(5);
    fail(new RpcError(ErrorCode.INVALID_PAYLOAD, 'no'));
    await vi.advanceTimersByTimeAsync(60_000);
    attempts();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(attempts()).toBe(0);
  });
});

describe('presence over a core with several clients', () => {
  it('passes on which clients may show an app', async () => {
    const { open, presences, names } = scene('clients');
    const { set } = await open(peer('a'));
    await set({ details: 'x' });
    presences.setRules({ rules: [rule({ app: '1' }, { only: ['vesktop'] })], otherwise: 'show' });
    await vi.waitFor(() => expect(names).toEqual([['all'], ['vesktop']]));
  });

  it('hides an app that only another client may show from a core with one client', async () => {
    const { open, presences, shown } = scene('handlers');
    presences.setRules({ rules: [rule({ app: '1' }, { only: ['vesktop'] })], otherwise: 'show' });
    const { set } = await open(peer('a'));
    await set({ details: 'x' });
    expect(shown.get('a') ?? null).toBeNull();
    presences.setRules({ rules: [rule({ app: '1' }, { only: ['fake'] })], otherwise: 'show' });
    await vi.waitFor(() => expect(shown.get('a')).toEqual({ details: 'x' }));
  });
});

describe('a class of handlers with private fields', () => {
  it('keeps its other methods', async () => {
    const { open } = scene('class');
    const { session } = await open(peer('a'));
    const { GET_GUILDS: handler } = session.handlers as unknown as Record<string, () => unknown>;
    expect(handler?.call(session.handlers)).toBe('a');
  });
});

describe('several short-lived programs of one application', () => {
  it('are one entry: the end of one is held until the next one shows something', async () => {
    vi.useFakeTimers();
    const { open, shown } = scene('handlers', true);
    const first = await open(peer('a'));
    const second = await open(peer('b'));
    await first.set({ details: 'one' });
    first.session.close();
    expect(shown.get('a'), 'held').toEqual({ details: 'one' });
    await second.set({ details: 'two' });
    expect([...shown]).toEqual([['b', { details: 'two' }]]);
  });

  it('are held once the application has been seen to do so, and no longer than two seconds', async () => {
    vi.useFakeTimers();
    const { open, shown } = scene('handlers', true);
    const first = await open(peer('a'));
    await first.set({ details: 'one' });
    first.session.close();
    expect([...shown], 'a single program ends at once').toEqual([]);
    await vi.advanceTimersByTimeAsync(500);
    const second = await open(peer('b'));
    await second.set({ details: 'two' });
    second.session.close();
    expect(shown.get('b')).toEqual({ details: 'two' });
    await vi.advanceTimersByTimeAsync(1999);
    expect([...shown]).toEqual([]);
  });

  it('hold a clear, too, which another update of the same program ends', async () => {
    vi.useFakeTimers();
    const { open, shown } = scene('handlers', true);
    const first = await open(peer('a'));
    await open(peer('b'));
    await first.set({ details: 'one' });
    expect(await first.set(null)).toBeNull();
    expect(shown.get('a')).toEqual({ details: 'one' });
    await first.set({ details: 'two' });
    await vi.advanceTimersByTimeAsync(5000);
    expect(shown.get('a')).toEqual({ details: 'two' });
    await first.set(null);
    await vi.advanceTimersByTimeAsync(2000);
    expect(shown.get('a')).toBeNull();
  });
});

describe('a bridge without rules', () => {
  it('does not show a detected game beside its own connection, whichever comes first', async () => {
    const { open, shown } = scene();
    const own = await open(peer('own'));
    await own.set({ details: 'level 1' });
    const game = await open(peer('game', '1', { detected: true }));
    await game.set({ name: 'Game' });
    await own.set({ details: 'level 2' });
    expect(shown.get('game') ?? null).toBeNull();
    expect(shown.get('own')).toEqual({ details: 'level 2' });
  });

  it('shows nothing of an app whose process has ended, also when its connection sends more', async () => {
    const { open, presences, shown } = scene();
    const { set } = await open(peer('a', '1', { credentials: { pid: 7, uid: 0 } }));
    await set({ details: 'x' });
    presences.sweep(() => false);
    await set({ details: 'y' });
    expect(shown.get('a') ?? null).toBeNull();
  });
});

it('the bridge looks for ended processes only while one shows something', async () => {
  vi.useFakeTimers();
  const { open } = scene();
  const { session, set } = await open(peer('a', '1', { credentials: { pid: 7, uid: 0 } }));
  expect(vi.getTimerCount()).toBe(0);
  await set({ details: 'x' });
  await vi.advanceTimersByTimeAsync(5000);
  expect(vi.getTimerCount()).toBe(1);
  await set(null);
  await vi.advanceTimersByTimeAsync(1000);
  expect(vi.getTimerCount()).toBe(0);
  await set({ details: 'y' });
  expect(vi.getTimerCount()).toBe(1);
  session.close();
  await vi.advanceTimersByTimeAsync(1000);
  expect(vi.getTimerCount()).toBe(0);
});

it('a core that returns no session is left to the server', async () => {
  const { core } = presenceCore(
    { name: 'odd', start: () => ({}), open: () => 7 as never, stop() {} },
    {
      shown: 'all',
      applicationName: () => undefined,
      programs: () => [],
      named() {},
      isAlive: () => true,
      holdsEnds: false,
    },
  );
  expect(await core.open(peer('a'))).toBe(7);
});

describe('a detected game', () => {
  const game = (id = 'detected') => peer(id, '1', { detected: true, credentials: { pid: 7, uid: 1 } });

  it.each(['handlers', 'relay'] as const)('is never shown beside its own connection (%s)', async (kind) => {
    const { sent, shown, open } = scene(kind, true);
    const { set } = await open(game());
    await set({ name: 'Game' });
    const own = await open(peer('own'));
    await own.set({ details: 'level 1' });
    expect(sent).toEqual([{ name: 'Game' }, null, { details: 'level 1' }]);
    own.session.close();
    await vi.waitFor(() => expect(sent).toHaveLength(4));
    expect([...shown]).toEqual([['detected', { name: 'Game' }]]);
  });

  it('does not delay the end of its own connection, which nothing follows', async () => {
    const { sent, open } = scene('handlers', true);
    await (await open(game())).set({ name: 'Game' });
    const own = await open(peer('own'));
    await own.set({ details: 'level 1' });
    await own.set(null);
    expect(sent.slice(3)).toEqual([{ name: 'Game' }, null]);
  });
});

it('presence that only some of several clients may show is cleared by a rule, although the one that answers was away', async () => {
  const { open, presences, sent, fail } = scene('clients');
  const { set } = await open(peer('a'));
  fail(new RpcError(1001, 'away'));
  await expect(set({ details: 'secret boat' })).rejects.toThrow('away');
  presences.setRules(HIDE);
  await vi.waitFor(() => expect(sent).toEqual([{ details: 'secret boat' }, null]));
});

it('an app does not learn that the client that answers it shows nothing', async () => {
  const inner: ClientCore = {
    name: 'fake',
    start: () => ({}),
    open: () => ({
      ready: { v: 1 } as never,
      handlers: {},
      relay: () => Promise.resolve({}),
      present: () => Promise.resolve(null),
      close() {},
    }),
    stop() {},
  };
  const { core } = presenceCore(inner, {
    shown: 'all',
    applicationName: () => 'Known',
    programs: () => [],
    named: () => {},
    isAlive: () => true,
    holdsEnds: false,
  });
  const session = await core.open(peer('a'));
  const request = (activity: Activity) =>
    session.relay?.({ cmd: 'SET_ACTIVITY', args: { activity }, evt: undefined }, call);
  expect(await request({ details: 'Out' })).toMatchObject({
    application_id: '1',
    name: 'Known',
    details: 'Out',
  });
  expect(await request(null)).toBeNull();
});
