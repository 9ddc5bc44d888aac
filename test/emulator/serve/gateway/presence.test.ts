import { describe, expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient } from '../../../helpers/gateway-client.ts';
import { told } from '../../../helpers/gateway-told.ts';

const PRESENCES = 1 << 8;
const CUSTOM = { name: 'Custom Status', type: 'custom', state: 'mending nets' };
const PLAYING = { name: 'Harbour', type: 'playing', state: 'In the bay' };
/** With them the guild has more than 200 members. */
const crowd = Array.from({ length: 200 }, (_, n) => ({ id: String(9_000 + n), username: `crew${n}` }));

async function listening(change: object = {}) {
  const platform = await botPlatform(change, ['guild_presences']);
  const open = async (intents: number): Promise<GatewayClient> => {
    const client = new GatewayClient(platform.url);
    await client.identify(platform.bot().authorization.slice('Bot '.length), { intents });
    return client;
  };
  return { ...platform, open };
}

const ofRiverBank = (events: Awaited<ReturnType<typeof told>>) =>
  events.filter(({ t, d }) => t === 'PRESENCE_UPDATE' && d.guild_id === ids.riverBank).map(({ d }) => d);

describe.each([
  ['small', {}],
  ['large', { users: crowd }],
] as const)('PRESENCE_UPDATE in a %s guild', (size, change) => {
  it('omits a custom status by the privacy of its author, and never other activities [V-3, O-15]', async () => {
    const { emulator, open } = await listening(change);
    const [client, blind] = [await open(PRESENCES), await open(1)];
    await told(client);
    await told(blind);
    const expected = {
      everyone: true,
      friends_and_small_servers: size === 'small',
      friends: false,
    } as const;
    for (const [privacy, isShown] of Object.entries(expected)) {
      const presence = { user: 'heron', custom_status_privacy: privacy, activities: [CUSTOM, PLAYING] };
      await emulator.apply({ user_presences: [presence] });
      const [update, ...more] = ofRiverBank(await told(client));
      expect(more).toEqual([]);
      expect(update).toMatchObject({ user: { id: ids.heron }, status: 'online' });
      expect(update.activities.map(({ type }: { type: number }) => type)).toEqual(isShown ? [4, 0] : [0]);
      // Whoever comes now sees the same.
      const late = await open(1 | PRESENCES);
      const { d: guild } = await late.event('GUILD_CREATE');
      const seen = guild.presences.find(({ user }: { user: { id: string } }) => user.id === ids.heron);
      expect(seen.activities).toEqual(update.activities);
      late.socket.close();
    }
    expect(ofRiverBank(await told(blind))).toEqual([]);
  });
});

it('an activity that an app sets over RPC is sent to the guild, and removed with the app [K-10, O-16, O-17, O-18]', async () => {
  const { emulator, open } = await listening();
  const client = await open(PRESENCES);
  await told(client);
  const activity = {
    application_id: ids.harbourExample,
    name: 'High Water',
    type: 0,
    state: 'On deck',
    state_url: 'https://example.com/s',
    details_url: 'https://example.com/d',
    assets: {
      large_url: 'https://example.com/l',
      small_url: 'https://example.com/m',
      invite_cover_image: 'cover',
    },
    secrets: { join: 'never told' },
  };
  emulator.presences.set('app', activity);
  const { secrets: _secrets, ...shown } = activity;
  const [update] = ofRiverBank(await told(client));
  expect(update).toMatchObject({
    user: { id: ids.river },
    status: 'online',
    client_status: { desktop: 'online' },
    activities: [{ ...shown, created_at: expect.any(Number) }],
  });
  expect(JSON.stringify(update)).not.toContain('never told');
  emulator.presences.drop('app');
  expect(ofRiverBank(await told(client))).toMatchObject([{ activities: [] }]);
  emulator.accounts.logOut();
  expect(ofRiverBank(await told(client))).toMatchObject([{ status: 'offline', client_status: {} }]);
  emulator.accounts.logIn(ids.river);
  emulator.accounts.befriend(ids.heron, 'dnd');
  expect(ofRiverBank(await told(client)).map(({ user, status }) => [user.id, status])).toEqual([
    [ids.river, 'online'],
    [ids.heron, 'dnd'],
  ]);
});
