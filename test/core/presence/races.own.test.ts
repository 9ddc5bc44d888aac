import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ClientCore, CoreSession, Peer } from '../../../src/core/core.ts';
import { presenceCore } from '../../../src/core/presence/presence-core.ts';
import { RpcError } from '../../../src/protocol/errors.ts';
import { rule } from '../../presence/rules.ts';

const HIDE = { rules: [rule({ app: '1' }, { hide: true })], otherwise: 'show' } as const;
const call = {
  signal: new AbortController().signal,
  rawArgs: {},
  scopes: new Set<string>(),
  waitsForConsent() {},
};

/** A core that answers when the test says so, and shows what it gets at once. */
function slowCore(kind: 'handlers' | 'relay' | 'clients', holdsEnds = false) {
  const shown = new Map<string, unknown>();
  const waiting: (() => void)[] = [];
  let refusals = 0;
  const show = async (session: string, { activity = null }: { activity?: unknown }): Promise<unknown> => {
    if (activity === null && refusals > 0) {
      refusals -= 1;
      throw new RpcError(4000, 'no');
    }
    shown.set(session, activity);
    await new Promise<void>((resolve) => void waiting.push(resolve));
    return activity;
  };
  const inner: ClientCore = {
    name: 'slow',
    start: () => ({}),
    open({ sessionId }): CoreSession {
      const set = (args: unknown) => show(sessionId, args as { activity?: unknown });
      const close = (): void => void shown.delete(sessionId);
      const ready = { v: 1 } as never;
      if (kind === 'handlers') return { ready, close, handlers: { SET_ACTIVITY: set as never } };
      const relay: CoreSession['relay'] = ({ args }) => set(args);
      return { ready, close, handlers: {}, relay, ...(kind === 'clients' && { present: set }) };
    },
    stop() {},
  };
  const { core, presences } = presenceCore(inner, {
    shown: 'all',
    applicationName: () => 'Known',
    programs: () => [],
    named: () => {},
    isAlive: () => true,
    holdsEnds,
  });
  return {
    presences,
    shown,
    refuseClears: (count: number): void => {
      refusals = count;
    },
    answer: async (): Promise<void> => {
      for (const one of waiting.splice(0)) one();
      await turn();
    },
    async open(sessionId: string) {
      const peer: Peer = {
        sessionId,
        clientId: '1',
        transport: 'ipc',
        signal: new AbortController().signal,
      };
      const session = await core.open(peer);
      const set = async (activity: object | null): Promise<unknown> => {
        const args = { pid: 1, activity };
        return session.relay
          ? session.relay({ cmd: 'SET_ACTIVITY', args, evt: undefined }, call)
          : session.handlers.SET_ACTIVITY?.(args as never, call as never);
      };
      return { session, set };
    },
  };
}

afterEach(() => {
  vi.useRealTimers();
});

describe.each(['handlers', 'relay', 'clients'] as const)('over a slow core with %s', (kind) => {
  it.each([
    ['a rule', (scene: ReturnType<typeof slowCore>) => scene.presences.setRules(HIDE)],
    ['a pause', (scene: ReturnType<typeof slowCore>) => scene.presences.pause(null)],
    ['absence', (scene: ReturnType<typeof slowCore>) => scene.presences.setAway(true)],
  ])('%s hides an activity that the core has not answered yet', async (_what, hide) => {
    const scene = slowCore(kind);
    const { set } = await scene.open('a');
    const answered = set({ details: 'first' });
    await turn();
    hide(scene);
    await scene.answer();
    await scene.answer();
    await answered;
    expect(scene.shown.get('a')).toBeNull();
    expect(scene.presences.list()[0]?.app.shownAt()).toEqual([]);
  });
});

it.each([
  ['a rule', (scene: ReturnType<typeof slowCore>) => scene.presences.setRules(HIDE)],
  ['a pause', (scene: ReturnType<typeof slowCore>) => scene.presences.pause(null)],
  ['absence', (scene: ReturnType<typeof slowCore>) => scene.presences.setAway(true)],
])('%s ends at once what is held for the next process of the application', async (_what, hide) => {
  const scene = slowCore('clients', true);
  const [one, other] = [await scene.open('a'), await scene.open('b')];
  void one.set({ details: 'closing' });
  void other.set({ details: 'clearing' });
  await scene.answer();
  one.session.close();
  await scene.open('c');
  expect(await other.set(null)).toBeNull();
  expect(scene.shown).toEqual(
    new Map([
      ['a', { details: 'closing' }],
      ['b', { details: 'clearing' }],
    ]),
  );
  hide(scene);
  expect([...scene.shown.values()].filter((activity) => activity !== null)).toEqual([]);
});

describe.each(['handlers', 'relay', 'clients'] as const)('a core with %s that refuses a clear', (kind) => {
  it.each(['a rule hides the app', 'the app sets what a rule hides'])(
    'gets it again when %s',
    async (what) => {
      const scene = slowCore(kind);
      const { set } = await scene.open('a');
      void set({ details: 'first' });
      await scene.answer();
      vi.useFakeTimers();
      scene.refuseClears(2);
      scene.presences.setRules({
        rules: [rule({ details: what.startsWith('a rule') ? 'first' : 'secret' }, { hide: true })],
        otherwise: 'show',
      });
      if (!what.startsWith('a rule'))
        expect(await set({ details: 'secret' })).toMatchObject({ details: 'secret' });
      // Pauses of 2 s and of 4 s.
      await vi.advanceTimersByTimeAsync(5999);
      expect(scene.shown.get('a')).toEqual({ details: 'first' });
      await vi.advanceTimersByTimeAsync(1);
      expect(scene.shown.get('a')).toBeNull();
      expect(vi.getTimerCount()).toBe(0);
    },
  );
});
