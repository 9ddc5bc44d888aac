import { describe, expect, it } from 'vitest';
import { presenceCore } from '../../../src/core/presence/presence-core.ts';
import { textPattern } from '../../../src/presence/pattern.ts';
import type { Presences } from '../../../src/presence/presences.ts';
import type { Rule } from '../../../src/presence/rule.ts';
import { attachBridge } from '../../helpers/attach-bridge.ts';
import { PlainWebSocket } from '../../helpers/plain-web-socket.ts';

const PLAYER = '300000000000000001';
const GAME = '300000000000000002';

/** An attach core behind rules, with a client that attached and a consumer of arRPC's bridge. */
async function sinks() {
  let presences: Presences | undefined;
  const bridge = await attachBridge({ bridgePort: 0 }, {}, (core) => {
    const wrapped = presenceCore(core, {
      shown: 'all',
      applicationName: () => undefined,
      named: () => {},
      programs: () => [],
      holdsEnds: false,
      isAlive: () => true,
    });
    presences = wrapped.presences;
    return wrapped.core;
  });
  const attached: unknown[] = [];
  const client = await bridge.client('one', {
    presence: ({ activity, pid }) => void attached.push({ activity, pid }),
  });
  const consumer = new PlainWebSocket(bridge.bridgeUrl());
  await consumer.opened();
  const next = async (): Promise<object | null> => {
    const { activity, pid } = (await consumer.next()) as { activity: object | null; pid: number };
    await expect.poll(() => attached.length).toBeGreaterThan(0);
    expect(attached.shift()).toEqual({ activity: activity && expect.objectContaining(activity), pid });
    return activity;
  };
  return {
    ...bridge,
    client,
    consumer,
    setRules: (...rules: readonly Rule[]) => presences?.setRules({ rules, otherwise: 'show' }),
    presences: () => presences as Presences,
    /** What arrives next at both sinks; both must get the same. */
    next,
    /** Resolves where nothing has arrived since the last call: what arrives next is of an app that no rule matches. */
    nothing: async (): Promise<void> => {
      const probe = await bridge.app('300000000000000009');
      await probe.call('SET_ACTIVITY', { pid: 9, activity: { details: 'probe' } });
      expect(await next()).toMatchObject({ details: 'probe' });
      probe.end();
      expect(await next()).toBeNull();
    },
    late: () => new PlainWebSocket(bridge.bridgeUrl()),
  };
}

const rule = (line: number, more: Omit<Rule, 'place'>): Rule => ({
  place: `footbridge.toml:${line}`,
  ...more,
});
const set = (details: string, more: object = {}) => ({ pid: 7, activity: { details, ...more } });

describe('an attached client and a consumer of arRPC’s bridge', () => {
  it('get nothing of a hidden app, not even for those that come later', async () => {
    const { app, setRules, nothing, late } = await sinks();
    setRules(rule(1, { conditions: [['details', textPattern('*secret*')]], hide: true }));
    const player = await app(PLAYER);
    expect(await player.call('SET_ACTIVITY', set('a secret film'))).toMatchObject({
      evt: null,
      data: { details: 'a secret film' },
    });
    await nothing();
    const other = await app(GAME);
    await other.call('SET_ACTIVITY', set('open'));
    expect(await late().next()).toMatchObject({ activity: { details: 'open' } });
  });

  it('get the text that a rule has written, and no dropped field', async () => {
    const { app, setRules, next, late } = await sinks();
    setRules(
      rule(1, {
        conditions: [['app', textPattern(PLAYER)]],
        drop: ['state', 'buttons'],
        replace: { details: 'A film' },
      }),
    );
    const player = await app(PLAYER);
    const buttons = [{ label: 'Look', url: 'https://example.test/' }];
    await player.call('SET_ACTIVITY', set('Its name', { state: 'Act 2', buttons }));
    const shown = await next();
    expect(shown).toMatchObject({ details: 'A film', application_id: PLAYER });
    expect(Object.keys(shown ?? {})).not.toEqual(expect.arrayContaining(['state']));
    expect(Object.keys(shown ?? {})).not.toEqual(expect.arrayContaining(['buttons']));
    expect(JSON.stringify(await late().next())).not.toMatch(/Its name|Act 2|example\.test/);
  });

  it('get null when an update, a rule, a pause or an absence hides what they show', async () => {
    const { app, setRules, presences, next, nothing } = await sinks();
    setRules(rule(1, { conditions: [['details', textPattern('hidden')]], hide: true }));
    const player = await app(PLAYER);
    const show = async (details: string) => {
      await player.call('SET_ACTIVITY', set(details));
      expect(await next()).toMatchObject({ details });
    };
    await show('one');
    await player.call('SET_ACTIVITY', set('hidden'));
    expect(await next()).toBeNull();
    await nothing();
    await show('two');
    setRules(rule(1, { conditions: [['app', textPattern(PLAYER)]], hide: true }));
    expect(await next()).toBeNull();
    setRules();
    expect(await next()).toMatchObject({ details: 'two' });
    presences().pause(null);
    expect(await next()).toBeNull();
    await player.call('SET_ACTIVITY', set('three'));
    presences().setAway(true);
    presences().resume();
    await player.call('SET_ACTIVITY', set('four'));
    presences().setAway(false);
    expect(await next()).toMatchObject({ details: 'four' });
    player.end();
    expect(await next()).toBeNull();
    await nothing();
  });

  it('get the app that is shown instead of one that gives way', async () => {
    const { app, setRules, next } = await sinks();
    setRules(rule(1, { conditions: [['app', textPattern(PLAYER)]], giveWayTo: [textPattern(GAME)] }));
    const player = await app(PLAYER);
    await player.call('SET_ACTIVITY', set('film'));
    expect(await next()).toMatchObject({ details: 'film' });
    const game = await app(GAME);
    await game.call('SET_ACTIVITY', set('level 1'));
    expect(await next()).toBeNull();
    expect(await next()).toMatchObject({ details: 'level 1' });
    game.end();
    expect([await next(), await next()]).toEqual(
      expect.arrayContaining([null, expect.objectContaining({ details: 'film' })]),
    );
  });
});
