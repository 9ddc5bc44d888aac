import { callBack } from '../call-back.ts';
import { idText } from '../checks.ts';
import type { Core } from '../core.ts';
import { ErrorType, LoggingSeverity } from '../enums.ts';
import { GuildChannel, GuildMinimal } from '../guild-handles.ts';
import { UserHandle } from '../handles.ts';
import { Failed } from '../outcome.ts';
import { text } from '../raw.ts';
import type { ClientResult } from '../result.ts';
import { callable, flag, type Id } from '../values.ts';
import { action, callbackValues, method, request } from './row.ts';

/** Gets guilds; none on failure. */
export type UserGuildsCallback = (result: ClientResult, guilds: GuildMinimal[]) => void;
/** Gets channels; none on failure. */
export type GuildChannelsCallback = (result: ClientResult, channels: GuildChannel[]) => void;
/** Gets the invite that was used; '' on failure. */
export type JoinLinkedLobbyGuildCallback = (result: ClientResult, inviteUrl: string) => void;

const GUILDS_OF_USER = callbackValues(
  { guilds: [] as GuildMinimal[] },
  (call: UserGuildsCallback, { result, guilds }) => call(result, guilds),
);
const CHANNELS = callbackValues(
  { channels: [] as GuildChannel[] },
  (call: GuildChannelsCallback, { result, channels }) => call(result, channels),
);
const INVITE = callbackValues(
  { inviteUrl: '' },
  (call: JoinLinkedLobbyGuildCallback, { result, inviteUrl }) => call(result, inviteUrl),
);

/** Guilds, their channels, and the lobbies that are linked to these. */
export const GUILDS = {
  /** The guilds of the player. */
  GetUserGuilds: request(GUILDS_OF_USER, async ({ service }) => ({
    guilds: (await service.list('/users/@me/guilds')).map((guild) => new GuildMinimal(guild)),
  })),

  /** The channels of a guild that the player sees. */
  GetGuildChannels: request(CHANNELS, async ({ service }, guildId: Id) => {
    const channels = await service.list(`/guilds/${idText('guildId', guildId)}/channels`);
    return { channels: channels.map((channel) => new GuildChannel(channel)) };
  }),

  /** What is said in the lobby is said in the channel from now on, and the other way round. */
  LinkChannelToLobby: action(async (core, lobbyId: Id, channelId: Id) =>
    link(core, lobbyId, () => idText('channelId', channelId)),
  ),

  UnlinkChannelFromLobby: action(async (core, lobbyId: Id) => link(core, lobbyId, () => null)),

  /**
   * Takes the player into the guild of the channel that a lobby is linked to. A provisional account is in no guild: then the
   * first callback is called, for the game to merge it and to say so by `ProvisionalUserMergeCompleted`. Until then there is no
   * result, as there is none of Authorize while a person decides; `Disconnect` and another call of this end the waiting.
   */
  JoinLinkedLobbyGuild: request(
    INVITE,
    async (core, lobbyId: Id, provisionalUserMergeRequiredCallback: () => void) => {
      const { service, webBase } = core;
      const id = idText('lobbyId', lobbyId);
      await needMerged(core, provisionalUserMergeRequiredCallback);
      const { code } = await service.object('POST', `/lobbies/${id}/members/@me/invites`);
      const invite = encodeURIComponent(text(code));
      await service.ask('POST', `/invites/${invite}`, {});
      return { inviteUrl: `${webBase.replace(/\/+$/, '')}/invite/${invite}` };
    },
    { check: (_lobbyId, callback) => callable('provisionalUserMergeRequiredCallback', callback) },
  ),

  /**
   * The game says whether the merge is done that the first callback of `JoinLinkedLobbyGuild` asked for: then that goes on, with the
   * token of the last `UpdateToken`, or fails. Nothing happens where nothing waits. Throws TypeError for what is no boolean.
   */
  ProvisionalUserMergeCompleted: method(({ merge, log }, success: boolean): void => {
    if (merge.completed(flag('success', success))) return;
    log.tell(LoggingSeverity.Warning, 'ProvisionalUserMergeCompleted: nothing waits for a merge');
  }),
};

async function link({ player, service }: Core, lobbyId: Id, channelId: () => string | null): Promise<void> {
  const path = `/lobbies/${idText('lobbyId', lobbyId)}/channel-linking`;
  const take = player.lobbies.taking();
  take(await service.object('PATCH', path, { channel_id: channelId() }));
}

/** Asks the game to merge a provisional account, and waits for that. */
async function needMerged({ merge, player, service }: Core, mustMerge: () => void): Promise<void> {
  merge.giveUp(new Failed(ErrorType.Aborted, 'JoinLinkedLobbyGuild was called again'));
  const me = player.users.me ?? (await service.object('GET', '/users/@me'));
  if (!new UserHandle(me).IsProvisional()) return;
  await merge.wait(() => callBack('JoinLinkedLobbyGuild', mustMerge));
  const merged = new UserHandle(await service.object('GET', '/users/@me'));
  if (!merged.IsProvisional()) return;
  throw new Failed(
    ErrorType.AuthorizationFailed,
    'The token is still that of a provisional account: call UpdateToken with that of the merged one first',
  );
}
