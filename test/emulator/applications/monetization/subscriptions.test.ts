import { describe, expect, it, vi } from 'vitest';
import { entitlementChanges } from '../../../../src/emulator/applications/monetization/entitlements.ts';
import type { Subscription } from '../../../../src/emulator/applications/monetization/records.ts';
import { webhookDerivations } from '../../../../src/emulator/compose/webhook-events.ts';
import { MAX_RECORDS } from '../../../../src/emulator/kernel/limits.ts';
import { emulatorWorld, ids } from '../../../helpers/emulator-world.ts';
import { justListening } from '../../../helpers/just-listening.ts';

const SEASON = { id: '5000', name: 'Season', type: 5, application: ids.harbourExample };
const STATES = ['active', 'ending', 'inactive'] as const;
const DAY_MS = 86_400_000;

/** An emulator in which otter has subscribed, and what is told since. */
async function platform() {
  const world = await emulatorWorld({ skus: [SEASON] });
  const { emulator } = world;
  const { subscriptions } = emulator.store;
  emulator.clock.freeze();
  const { id } = subscriptions.start(ids.otter, '5000', null);
  const told: string[] = [];
  emulator.subscribe(
    { derive: entitlementChanges },
    ({ type }) => void told.push(type.slice(12)),
    justListening,
  );
  const get = (): Subscription => {
    const found = emulator.tables.subscriptions.get(id);
    if (found === undefined) throw new Error('the subscription is gone');
    return found;
  };
  const entitlement = () => emulator.tables.entitlements.get(get().entitlements[0] ?? '');
  return { emulator, subscriptions, id, told, get, entitlement };
}

describe('a subscription', () => {
  it('starts with an entitlement and a period of thirty days, for a user or for a guild', async () => {
    const { emulator, subscriptions, get, entitlement } = await platform();
    const now = emulator.clock.now();
    expect(get()).toMatchObject({
      user: ids.otter,
      skus: ['5000'],
      status: 'active',
      canceled_at: null,
      current_period_start: new Date(now).toISOString(),
      current_period_end: new Date(now + 30 * DAY_MS).toISOString(),
    });
    expect(entitlement()).toMatchObject({
      sku: '5000',
      type: 8,
      user: ids.otter,
      guild: null,
      ends_at: null,
    });
    const other = subscriptions.start(ids.heron, '5000', ids.harbour);
    expect(emulator.tables.entitlements.get(other.entitlements[0] ?? '')).toMatchObject({
      user: ids.heron,
      guild: ids.harbour,
    });
  });

  it.each(STATES.flatMap((from) => STATES.map((to) => [from, to] as const)))(
    'changes from %s to %s [O-14, T-1]',
    async (from, to) => {
      const { emulator, subscriptions, id, get, entitlement } = await platform();
      subscriptions.set(id, from);
      emulator.clock.advance(1_000);
      expect(subscriptions.set(id, to).status).toBe(to);
      const now = new Date(emulator.clock.now()).toISOString();
      expect(entitlement()?.ends_at === null).toBe(to !== 'inactive');
      if (to === 'active') expect(get().canceled_at).toBeNull();
      if (to === 'ending' && from !== 'ending') expect(get().canceled_at).toBe(now);
    },
  );

  it('that is ending becomes inactive after its period by the clock, and an active one continues [T-1]', async () => {
    const { emulator, subscriptions, id, get, entitlement, told } = await platform();
    emulator.clock.advance(40 * DAY_MS);
    expect(get().status).toBe('active');
    subscriptions.renew(id);
    const end = get().current_period_end;
    expect(Date.parse(end) - emulator.clock.now()).toBe(20 * DAY_MS);
    subscriptions.set(id, 'ending');
    emulator.clock.advance(20 * DAY_MS - 1);
    expect([get().status, told]).toEqual(['ending', []]);
    emulator.clock.advance(1);
    expect([get().status, entitlement()?.ends_at, told]).toEqual(['inactive', end, ['updated']]);
    // It begins again now, and not where it ended.
    emulator.clock.advance(DAY_MS);
    expect(subscriptions.renew(id)).toMatchObject({
      status: 'active',
      current_period_start: new Date(emulator.clock.now()).toISOString(),
    });
    expect(entitlement()?.ends_at).toBeNull();
  });

  it('that is refunded loses its entitlement [T-1]', async () => {
    const { subscriptions, id, get, entitlement, told } = await platform();
    subscriptions.refund(id);
    expect([get().status, entitlement()?.deleted, told]).toEqual(['inactive', true, ['removed']]);
  });

  it('is reported to its application as changes of its entitlement', async () => {
    const { emulator, subscriptions, id } = await platform();
    const events: unknown[] = [];
    await emulator.apply({
      event_webhooks: [{ application: SEASON.application, url: 'http://127.0.0.1:9/' }],
    });
    for (const derivation of webhookDerivations({ holds: () => false }, { isQuiet: false })) {
      emulator.subscribe(derivation, (event) => void events.push(event), justListening);
    }
    const { entitlements } = subscriptions.start(ids.heron, '5000', ids.harbour);
    subscriptions.set(id, 'inactive');
    subscriptions.refund(id);
    expect(events).toMatchObject([
      { type: 'ENTITLEMENT_CREATE', data: { id: entitlements[0], type: 8, guild_id: ids.harbour } },
      { type: 'ENTITLEMENT_UPDATE', data: { user_id: ids.otter, ends_at: expect.any(String) } },
      { type: 'ENTITLEMENT_DELETE', data: { user_id: ids.otter, deleted: true } },
    ]);
  });

  it('changes to another SKU with its renewal', async () => {
    const { emulator, subscriptions, id, get } = await platform();
    await emulator.apply({ subscriptions: [{ id, renewal_skus: ['6000'] }] });
    subscriptions.renew(id);
    expect(get()).toMatchObject({ skus: ['6000'], renewal_skus: null });
  });

  it('is refused for an unsuitable SKU, and for an unknown guild or subscription', async () => {
    const { emulator, subscriptions } = await platform();
    const before = emulator.exportState();
    expect(() => subscriptions.start(ids.otter, 'nope', null)).toThrow('there is no SKU "nope"');
    expect(() => subscriptions.start(ids.otter, '700000000000000001', null)).toThrow(
      'Tide Pass is sold once',
    );
    expect(() => subscriptions.start(ids.otter, '5000', '5')).toThrow('there is no guild "5"');
    expect(() => subscriptions.set('5', 'active')).toThrow('there is no subscription "5"');
    expect(() => subscriptions.renew('5')).toThrow('there is no subscription "5"');
    expect(() => subscriptions.refund('5')).toThrow('there is no subscription "5"');
    const long = 'x'.repeat(65);
    expect(() => subscriptions.set(long, 'active')).toThrow(
      `there is no subscription "${long.slice(1)}"; give`,
    );
    expect(() => subscriptions.start(ids.otter, long, null)).toThrow(
      `there is no SKU "${long.slice(1)}"; give`,
    );
    expect(() => subscriptions.start(ids.otter, '5000', long)).toThrow(
      `there is no guild "${long.slice(1)}"; give`,
    );
    const { subscriptions: table } = emulator.tables;
    const size = vi.spyOn(table, 'size', 'get').mockReturnValue(MAX_RECORDS);
    expect(() => subscriptions.start(ids.otter, '5000', null)).toThrow(
      `${MAX_RECORDS} subscriptions already`,
    );
    size.mockReturnValue(MAX_RECORDS - 1);
    expect(emulator.exportState()).toBe(before);
    subscriptions.start(ids.otter, '5000', null);
    expect(size).toHaveBeenCalled();
    size.mockRestore();
  });

  it('renews its entitlements with its period, and keeps what it pays for unless that changes', async () => {
    const { emulator, subscriptions, id, get, entitlement } = await platform();
    subscriptions.set(id, 'inactive');
    expect(entitlement()?.ends_at).toBe(new Date(emulator.clock.now()).toISOString());
    expect(subscriptions.renew(id)).toMatchObject({ status: 'active', canceled_at: null, skus: ['5000'] });
    expect(entitlement()?.ends_at).toBeNull();
    subscriptions.set(id, 'ending');
    const canceled = get().canceled_at;
    emulator.clock.advance(DAY_MS);
    // The time of the cancellation stays while it is cancelled.
    expect(subscriptions.set(id, 'ending').canceled_at).toBe(canceled);
    expect(subscriptions.set(id, 'inactive').canceled_at).toBe(canceled);
    expect(subscriptions.renew(id).canceled_at).toBeNull();
    const before = get();
    subscriptions.refund(id);
    expect(entitlement()).toMatchObject({
      ends_at: new Date(emulator.clock.now()).toISOString(),
      deleted: true,
    });
    expect(get()).toEqual({ ...before, status: 'inactive' });
  });

  it.each(['active', 'inactive'] as const)(
    'that is %s does not change at the end of its period',
    async (status) => {
      const { emulator, subscriptions, id, get } = await platform();
      const before = subscriptions.set(id, status);
      emulator.clock.advance(40 * DAY_MS);
      expect(get()).toEqual(before);
    },
  );
});
