import type { Emulator } from '../../emulator/emulator.ts';
import type { Channel, Guild, User } from '../../emulator/fixture/fixture.ts';
import type { Entitlement, Relationship } from '../../emulator/fixture/records.ts';
import type { EventDataOf, ResultOf } from '../../protocol/registry.ts';
import type { Ready } from '../core.ts';

/** User as RPC shows it. `premium` says whether the token may see the subscription tier. */
export function rpcUser(user: User, premium = false): EventDataOf<'CURRENT_USER_UPDATE'> {
  return {
    id: user.id,
    username: user.username,
    discriminator: user.discriminator,
    global_name: user.global_name,
    avatar: user.avatar,
    avatar_decoration_data: null,
    bot: user.bot,
    flags: user.flags,
    premium_type: premium ? user.premium_type : 0,
  };
}

/** `data` of READY, with every field that some client reads unconditionally. */
export function readyFor(user: User): Ready {
  return {
    v: 1,
    config: {
      cdn_host: 'cdn.discordapp.com',
      // Java clients tell the release channel from this value.
      api_endpoint: '//discord.com/api',
      environment: 'production',
    },
    user: rpcUser(user),
  };
}

/** Guild as GET_GUILDS and GUILD_STATUS show it. */
export function partialGuild(guild: Guild): { id: string; name: string; icon_url: string | null } {
  return { id: guild.id, name: guild.name, icon_url: guild.icon_url };
}

/** Channel as GET_CHANNELS and CHANNEL_CREATE show it. */
export function partialChannel({ id, name, type }: Channel): EventDataOf<'CHANNEL_CREATE'> {
  return { id, name, type };
}

/** Relationship with the presence in the application that asks; undefined when the user is gone. */
export function rpcRelationship(
  emulator: Emulator,
  { user: userId, type, status, activity }: Relationship,
  clientId: string,
): EventDataOf<'RELATIONSHIP_UPDATE'> | undefined {
  const user = emulator.user(userId);
  if (user === undefined) return undefined;
  const own = activity?.application === clientId ? activity : null;
  const shown = own && {
    application_id: clientId,
    name: own.name ?? emulator.application(clientId)?.name ?? '',
    type: 0,
    ...(own.details === null ? {} : { details: own.details }),
    ...(own.state === null ? {} : { state: own.state }),
  };
  return { type, user: rpcUser(user), presence: { status, activity: shown } };
}

/** The logged-in user as a member of a guild. */
export function ownMember(emulator: Emulator, guildId: string): EventDataOf<'CURRENT_GUILD_MEMBER_UPDATE'> {
  const { id } = emulator.me();
  return {
    user_id: id,
    nick: emulator.people.nick(guildId, id),
    guild_id: guildId,
    avatar: null,
    avatar_decoration_data: null,
  };
}

/** Something the user owns. */
export function rpcEntitlement(owned: Entitlement): EventDataOf<'ENTITLEMENT_CREATE'>['entitlement'] {
  const { id, sku, application, user, type, deleted } = owned;
  return { id, sku_id: sku, application_id: application, user_id: user, type, deleted };
}

/** Who takes part in an application's embedded activity. */
export function participants(
  emulator: Emulator,
  clientId: string,
): ResultOf<'GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS'> {
  return {
    participants: emulator.shop.participants(clientId).map((user) => ({
      ...rpcUser(user),
      nickname: user.global_name ?? user.username,
    })),
  };
}
