import { callBack } from './call-back.ts';
import { idText } from './checks.ts';
import type { Core } from './core.ts';
import { ErrorType, LoggingSeverity } from './enums.ts';
import { GuildChannel, GuildMinimal } from './guild-handles.ts';
import { UserHandle } from './handles.ts';
import { MessageEntryPoints } from './message-entry-points.ts';
import { Failed, type Outcome } from './outcome.ts';
import { text } from './raw.ts';
import type { ClientResult, ResultCallback } from './result.ts';
import { callable, flag, type Id } from './values.ts';

/** Gets guilds; none on failure. */
export type UserGuildsCallback = (result: ClientResult, guilds: GuildMinimal[]) => void;
/** Gets channels; none on failure. */
export type GuildChannelsCallback = (result: ClientResult, channels: GuildChannel[]) => void;
/** Gets the invite that was used; '' on failure. */
export type JoinLinkedLobbyGuildCallback = (result: ClientResult, inviteUrl: string) => void;

/** Guilds, their channels, and the lobbies that are linked to these. */
export class GuildEntryPoints extends MessageEntryPoints {
  readonly #core: Core;

  constructor(core: Core) {
    super(core);
    this.#core = core;
  }

  /** The guilds of the player. */
  GetUserGuilds(callback?: UserGuildsCallback): Promise<Outcome<{ readonly guilds: GuildMinimal[] }>> {
    const work = async (): Promise<{ guilds: GuildMinimal[] }> => ({
      guilds: (await this.#core.service.list('/users/@me/guilds')).map((guild) => new GuildMinimal(guild)),
    });
    const empty = { guilds: [] as GuildMinimal[] };
    return this.#core.settle('GetUserGuilds', empty, work, callback, (call, { result, guilds }) =>
      call(result, guilds),
    );
  }

  /** The channels of a guild that the player sees. */
  GetGuildChannels(
    guildId: Id,
    callback?: GuildChannelsCallback,
  ): Promise<Outcome<{ readonly channels: GuildChannel[] }>> {
    const work = async (): Promise<{ channels: GuildChannel[] }> => {
      const told = await this.#core.service.list(`/guilds/${idText('guildId', guildId)}/channels`);
      return { channels: told.map((channel) => new GuildChannel(channel)) };
    };
    const empty = { channels: [] as GuildChannel[] };
    return this.#core.settle('GetGuildChannels', empty, work, callback, (call, { result, channels }) =>
      call(result, channels),
    );
  }

  /** What is said in the lobby is said in the channel from now on, and the other way round. */
  LinkChannelToLobby(lobbyId: Id, channelId: Id, callback?: ResultCallback): Promise<Outcome> {
    const body = (): object => ({ channel_id: idText('channelId', channelId) });
    return this.#link('LinkChannelToLobby', lobbyId, body, callback);
  }

  UnlinkChannelFromLobby(lobbyId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#link('UnlinkChannelFromLobby', lobbyId, () => ({ channel_id: null }), callback);
  }

  /**
   * Takes the player into the guild of the channel that a lobby is linked to. A provisional account is in no guild: then the
   * first callback is called, for the game to merge it and to say so by `ProvisionalUserMergeCompleted`. Until then there is no
   * result, as there is none of Authorize while a person decides; `Disconnect` and another call of this end the waiting.
   */
  JoinLinkedLobbyGuild(
    lobbyId: Id,
    provisionalUserMergeRequiredCallback: () => void,
    callback?: JoinLinkedLobbyGuildCallback,
  ): Promise<Outcome<{ readonly inviteUrl: string }>> {
    const mustMerge = callable('provisionalUserMergeRequiredCallback', provisionalUserMergeRequiredCallback);
    const work = async (): Promise<{ inviteUrl: string }> => {
      const { service, users, merge } = this.#core;
      const id = idText('lobbyId', lobbyId);
      merge.giveUp(new Failed(ErrorType.Aborted, 'JoinLinkedLobbyGuild was called again'));
      const me = users.me ?? (await service.object('GET', '/users/@me'));
      if (new UserHandle(me).IsProvisional()) {
        await merge.wait(() => callBack('JoinLinkedLobbyGuild', mustMerge));
        const merged = new UserHandle(await service.object('GET', '/users/@me'));
        if (merged.IsProvisional())
          throw new Failed(
            ErrorType.AuthorizationFailed,
            'The token is still that of a provisional account: call UpdateToken with that of the merged one first',
          );
      }
      const { code } = await service.object('POST', `/lobbies/${id}/members/@me/invites`);
      const invite = encodeURIComponent(text(code));
      await service.ask('POST', `/invites/${invite}`, {});
      return { inviteUrl: `${this.#core.webBase.replace(/\/+$/, '')}/invite/${invite}` };
    };
    return this.#core.settle(
      'JoinLinkedLobbyGuild',
      { inviteUrl: '' },
      work,
      callback,
      (call, { result, inviteUrl }) => call(result, inviteUrl),
    );
  }

  /**
   * The game says whether the merge is done that the first callback of `JoinLinkedLobbyGuild` asked for: then that goes on, with the
   * token of the last `UpdateToken`, or fails. Nothing happens where nothing waits. Throws TypeError for what is no boolean.
   */
  ProvisionalUserMergeCompleted(success: boolean): void {
    if (!this.#core.merge.completed(flag('success', success)))
      this.#core.log.tell(
        LoggingSeverity.Warning,
        'ProvisionalUserMergeCompleted: nothing waits for a merge',
      );
  }

  #link(
    name: string,
    lobbyId: Id,
    body: () => object,
    callback: ResultCallback | undefined,
  ): Promise<Outcome> {
    const work = async (): Promise<object> => {
      const path = `/lobbies/${idText('lobbyId', lobbyId)}/channel-linking`;
      const { lobbies, service } = this.#core;
      const take = lobbies.taking();
      take(await service.object('PATCH', path, body()));
      return {};
    };
    return this.#core.settle(name, {}, work, callback, (call, { result }) => call(result));
  }
}
