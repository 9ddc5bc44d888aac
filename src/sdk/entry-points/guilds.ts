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

/** Receives guilds; an empty list on failure. */
export type UserGuildsCallback = (result: ClientResult, guilds: GuildMinimal[]) => void;
/** Receives channels; an empty list on failure. */
export type GuildChannelsCallback = (result: ClientResult, channels: GuildChannel[]) => void;
/** Receives the URL of the invite that was used; '' on failure. */
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

/** Entry points for guilds, their channels, and the lobbies that are linked to channels. */
export const GUILDS = {
  /** The guilds of the player. */
  GetUserGuilds: request(GUILDS_OF_USER, async ({ service }) => ({
    guilds: (await service.list('/users/@me/guilds')).map((guild) => new GuildMinimal(guild)),
  })),

  /** The channels of a guild that are visible to the player. */
  GetGuildChannels: request(CHANNELS, async ({ service }, guildId: Id) => {
    const channels = await service.list(`/guilds/${idText('guildId', guildId)}/channels`);
    return { channels: channels.map((channel) => new GuildChannel(channel)) };
  }),

  /**
   * Links a lobby to a channel: from then on, messages in the lobby also appear in the channel, and messages in the
   * channel also in the lobby.
   */
  LinkChannelToLobby: action(async (core, lobbyId: Id, channelId: Id) =>
    link(core, lobbyId, () => idText('channelId', channelId)),
  ),

  UnlinkChannelFromLobby: action(async (core, lobbyId: Id) => link(core, lobbyId, () => null)),

  /**
   * Adds the player to the guild of the channel that a lobby is linked to. A provisional account cannot be in a guild:
   * for such an account the first callback is called, the game merges the account and calls
   * `ProvisionalUserMergeCompleted`. Until then the request is pending without a time limit, as Authorize is;
   * `Disconnect` and another call of `JoinLinkedLobbyGuild` end it.
   */
  JoinLinkedLobbyGuild: request(
    INVITE,
    async (core, lobbyId: Id, provisionalUserMergeRequiredCallback: () => void) => {
      const { service, webBase } = core;
      const id = idText('lobbyId', lobbyId);
      await needMerged(core, provisionalUserMergeRequiredCallback);
      const { code } = await service.object('POST', `/lobbies/${id}/members/@me/invites`);
      const invite = encodeURIComponent(text(code));
      await service.request('POST', `/invites/${invite}`, {});
      return { inviteUrl: `${webBase.replace(/\/+$/, '')}/invite/${invite}` };
    },
    { check: (_lobbyId, callback) => callable('provisionalUserMergeRequiredCallback', callback) },
  ),

  /**
   * Reports the result of the merge that `JoinLinkedLobbyGuild` requested by its first callback. With true the join
   * continues with the token of the last `UpdateToken`; with false the join fails. No effect when no join is waiting.
   * Throws TypeError for a value that is not a boolean.
   */
  ProvisionalUserMergeCompleted: method(({ merge, log }, success: boolean): void => {
    if (merge.completed(flag('success', success))) return;
    log.write(LoggingSeverity.Warning, 'ProvisionalUserMergeCompleted: nothing waits for a merge');
  }),
};

async function link({ player, service }: Core, lobbyId: Id, channelId: () => string | null): Promise<void> {
  const path = `/lobbies/${idText('lobbyId', lobbyId)}/channel-linking`;
  const take = player.lobbies.taking();
  take(await service.object('PATCH', path, { channel_id: channelId() }));
}

/** Asks the game to merge a provisional account, and waits for the end of the merge. */
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
