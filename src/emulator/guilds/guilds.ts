import { SettingError } from '../errors.ts';
import type { Channel, Fixture, FixtureChannel, FixtureGuild, Guild, User } from '../fixture/fixture.ts';
import { unknownKey } from '../fixture/nearest.ts';

/** What the logged-in user may know of a channel id. */
export type ChannelLookup =
  | { readonly kind: 'found'; readonly channel: Channel }
  | { readonly kind: 'denied'; readonly id: string }
  | { readonly kind: 'unknown'; readonly id: string };

/** A guild without its channels. */
export function publicGuild(guild: FixtureGuild): Guild {
  const { id, name, icon_url, vanity_url_code, owner } = guild;
  return { id, name, icon_url, vanity_url_code, owner };
}

/** A channel without the list of those who cannot see it. */
function publicChannel(guild: FixtureGuild, channel: FixtureChannel): Channel {
  const { deny: _, ...rest } = channel;
  return { ...rest, guild_id: guild.id };
}

/** The channels that the logged-in user may view, of one guild or of all, in the order of the fixture. */
export function visibleChannels(fixture: Fixture, guildId?: string): Channel[] {
  return fixture.guilds
    .filter((guild) => guildId === undefined || guild.id === guildId)
    .flatMap((guild) =>
      guild.channels
        .filter((channel) => !channel.deny.includes(fixture.me))
        .map((channel) => publicChannel(guild, channel)),
    );
}

/** Looks a channel up with the eyes of a user, of the logged-in one unless told. */
export function lookUpChannel(fixture: Fixture, id: string, userId: string = fixture.me): ChannelLookup {
  for (const guild of fixture.guilds) {
    const channel = guild.channels.find((candidate) => candidate.id === id);
    if (channel === undefined) continue;
    return channel.deny.includes(userId)
      ? { kind: 'denied', id }
      : { kind: 'found', channel: publicChannel(guild, channel) };
  }
  return { kind: 'unknown', id };
}

/** Whether people can talk in a channel: guild voice or stage. */
export function hasVoice(channel: Pick<Channel, 'type'>): boolean {
  return channel.type === 2 || channel.type === 13;
}

/** Whether people can write in a channel: guild text or announcement. */
export function hasText(channel: Pick<Channel, 'type'>): boolean {
  return channel.type === 0 || channel.type === 5;
}

/** Whether the logged-in user may read the messages of a channel over RPC: it is in view and not age-restricted. */
export function isReadable(fixture: Fixture, channelId: string): boolean {
  const found = lookUpChannel(fixture, channelId);
  return found.kind === 'found' && !found.channel.nsfw;
}

/** What a user is called in a guild: nickname, else display name, else username. */
export function nameIn(fixture: Fixture, guildId: string, user: User): string {
  const guild = fixture.guilds.find(({ id }) => id === guildId);
  const nick = guild?.members.find((member) => member.user === user.id)?.nick;
  return nick ?? user.global_name ?? user.username;
}

const VIEW_CHANNEL = 1n << 10n;
const CONNECT = 1n << 20n;
/** Every documented permission: bits 0 to 52. */
const ALL_PERMISSIONS = (1n << 53n) - 1n;

/** A user's permissions in a channel as a bit field. Nobody lacks any here, except that `deny` takes view and connect. */
export function permissionsIn(fixture: Fixture, channelId: string, userId: string): bigint {
  const denied = lookUpChannel(fixture, channelId, userId).kind !== 'found';
  return denied ? ALL_PERMISSIONS & ~(VIEW_CHANNEL | CONNECT) : ALL_PERMISSIONS;
}

/**
 * Returns the fixture with one property of a guild changed; `icon` sets `icon_url`, and null or an empty
 * text takes the icon away.
 * @throws SettingError naming what is wrong.
 */
export function withGuild(fixture: Fixture, id: string, key: string, value: string | null): Fixture {
  if (!fixture.guilds.some((guild) => guild.id === id)) {
    throw new SettingError('', `there is no guild with the id ${JSON.stringify(id.slice(0, 20))}`);
  }
  let change: Partial<FixtureGuild>;
  if (key === 'name') {
    if (value === null || value === '' || value.length > 100) {
      throw new SettingError('name', 'must be a text of 1 to 100 characters');
    }
    change = { name: value };
  } else if (key === 'icon') {
    if (value !== null && value.length > 2048) {
      throw new SettingError('icon', 'must be an address of at most 2048 characters');
    }
    change = { icon_url: value === '' ? null : value };
  } else {
    throw new SettingError('', unknownKey(key, ['name', 'icon']));
  }
  return {
    ...fixture,
    guilds: fixture.guilds.map((guild) => (guild.id === id ? { ...guild, ...change } : guild)),
  };
}
