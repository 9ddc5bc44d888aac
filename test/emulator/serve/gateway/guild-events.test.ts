import { describe, expect, it } from 'vitest';
import { INTENTS } from '../../../../src/emulator/api/dispatch.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { ALL_INTENTS, type Heard, listen } from '../../../helpers/gateway-listener.ts';
import { APP } from '../../../helpers/platform.ts';

const OTHER = '41';
const joined_at = '2026-01-01T00:00:00Z';
const SINCE = '2026-02-01T00:00:00Z';

/** Two bots that listen, of which one is in River Bank. */
async function listening() {
  const platform = await botPlatform({
    users: [{ id: OTHER, username: 'lamp', bot: true }],
    guilds: [{ id: ids.riverBank, owner: 'heron', departed: [{ user: 'otter' }] }],
  });
  const { emulator } = platform;
  const own = await listen(emulator);
  const other = await listen(emulator, { user: OTHER });
  const person = await listen(emulator, { kind: 'bearer', user: ids.river, scopes: ['guilds'] });
  const names = (heard: () => Heard[]) =>
    heard().flatMap(({ event, data }) =>
      /^GUILD_(CREATE|UPDATE|DELETE)$/.test(event) ? [`${event} ${data.id}`] : [],
    );
  /** What each of them was told of guilds. */
  const told = () => ({ own: names(own), other: names(other), person: names(person) });
  const nothing = { own: [], other: [], person: [] };
  const guild = (change: object, id: string = ids.riverBank) =>
    emulator.apply({ guilds: [{ id, ...change }] });
  return { ...platform, told, nothing, guild };
}

describe('a guild', () => {
  it('comes to a bot that is added to it, and goes from one that is removed', async () => {
    const { told, nothing, guild, emulator } = await listening();
    await guild({ members: [{ user: OTHER, joined_at }] });
    expect(told()).toEqual({ ...nothing, other: [`GUILD_CREATE ${ids.riverBank}`] });
    await guild({ members: [{ user: 'otter', joined_at }] });
    expect(told()).toEqual(nothing);
    await guild({ members: [{ user: OTHER, remove: true }] });
    expect(told()).toEqual({ ...nothing, other: [`GUILD_DELETE ${ids.riverBank}`] });
    await guild({ members: [{ user: 'otter', remove: true }] });
    expect(told()).toEqual(nothing);
    // By its ownership, too.
    await guild({ owner: OTHER });
    const came = told();
    expect(came.other).toEqual([`GUILD_CREATE ${ids.riverBank}`]);
    expect(came.own).toEqual([`GUILD_UPDATE ${ids.riverBank}`]);
    await guild({ owner: 'heron' });
    expect(told()).toMatchObject({
      own: [`GUILD_UPDATE ${ids.riverBank}`],
      other: [`GUILD_DELETE ${ids.riverBank}`],
    });
    await emulator.apply({ guilds: [{ id: '5', name: 'Reef', owner: APP }] });
    expect(told()).toEqual({ ...nothing, own: ['GUILD_CREATE 5'] });
    await emulator.apply({ guilds: [{ id: '5', remove: true }] });
    expect(told()).toEqual({ ...nothing, own: ['GUILD_DELETE 5'] });
    await guild({ remove: true });
    expect(told()).toEqual({ ...nothing, own: [`GUILD_DELETE ${ids.riverBank}`] });
    await emulator.apply({ guilds: [{ id: ids.harbour, remove: true }] });
    expect(told()).toEqual(nothing);
  });

  it('is told of again where a field of it changes that has no event of its own', async () => {
    const { told, nothing, guild } = await listening();
    const update = { ...nothing, own: [`GUILD_UPDATE ${ids.riverBank}`] };
    for (const [change, expected] of [
      [{ name: 'Sea Bank' }, update],
      [{ description: 'Wide' }, update],
      [{ features: ['COMMUNITY'] }, update],
      [{ afk_timeout: 60 }, update],
      [{ vanity_uses: 5 }, nothing],
      [{ membership: 'listed' }, nothing],
      [{ welcome_description: 'Hello' }, nothing],
      [{ onboarding_mode: 1 }, nothing],
      [{ default_channels: [ids.general] }, nothing],
      [{ name: 'Sea Bank' }, nothing],
    ] as const) {
      await guild({
        members: [
          { user: 'river', joined_at },
          { user: APP, joined_at },
        ],
        ...change,
      });
      expect(told(), JSON.stringify(change)).toEqual(expected);
    }
  });

  it('is told of again where its number of boosts changes', async () => {
    const { told, nothing, guild, ask } = await listening();
    const member = async (more: object) => {
      await guild({ members: [{ user: 'otter', ...more }] });
      return told();
    };
    const update = { ...nothing, own: [`GUILD_UPDATE ${ids.riverBank}`] };
    expect(await member({ joined_at })).toEqual(nothing);
    expect(await member({ nick: 'Lontra' })).toEqual(nothing);
    expect(await member({ premium_since: SINCE })).toEqual(update);
    expect((await ask(`GET /guilds/${ids.riverBank}`)).body.premium_subscription_count).toBe(1);
    expect(await member({ premium_since: '2026-03-01T00:00:00Z' })).toEqual(nothing);
    expect(await member({ premium_since: null })).toEqual(update);
    expect(await member({ premium_since: SINCE })).toEqual(update);
    expect(await member({ remove: true })).toEqual(update);
    expect(await member({ joined_at, premium_since: SINCE })).toEqual(update);
  });

  it('is told of by the intent GUILDS alone, and is the same for bots that may see the same', async () => {
    const { guild, emulator } = await listening();
    const blind = await listen(emulator, { intents: ALL_INTENTS & ~INTENTS.GUILDS });
    const small = await listen(emulator, { largeThreshold: 2 });
    const large = await listen(emulator, { largeThreshold: 250 });
    await guild({ name: 'Sea Bank', members: [{ user: APP, remove: true }] });
    await guild({ members: [{ user: APP, joined_at }] });
    expect(blind().map(({ event }) => event)).not.toContain('GUILD_CREATE');
    const sizes = [small, large].map(
      (heard) => heard().find(({ event }) => event === 'GUILD_CREATE')?.data.large,
    );
    expect(sizes).toEqual([true, false]);
  });
});
