import { ApiError, full } from '../api/api-error.ts';
import { present } from '../api/present.ts';
import { missingPermissions } from '../api/refusals.ts';
import type { Base, Derive } from '../api/world.ts';
import { type HasAutoMod, MessageBlocked } from '../guilds/automod/automod.ts';
import { accessTo, type ChannelAccess } from '../guilds/channels/channel-access.ts';
import type { ChannelRecord } from '../guilds/channels/records.ts';
import { MOST_RECORDS } from '../kernel/limits.ts';
import { isSameJson } from '../kernel/same-json.ts';
import { mentionsAllowed } from '../messages/allowed-mentions.ts';
import { unknownMessage } from '../messages/create.ts';
import { mentionsIn } from '../messages/mentions.ts';
import { MESSAGE_FLAGS, type Message, nonceKey } from '../messages/records.ts';
import { isRemembered, rememberedKey, wasRemoved } from '../messages/removed-nonces.ts';
import type { CreateRequest } from '../messages/requests.ts';
import { editedAnswer, lobbyMessageAnswer } from './answers.ts';
import type { LobbyMessage } from './message-records.ts';
import type { Lobby, LobbyMember } from './records.ts';

const EMPTY_MESSAGE = 50006;
/** Bits that whoever writes a message may set. */
const SETTABLE = MESSAGE_FLAGS.suppressEmbeds | MESSAGE_FLAGS.suppressNotifications;

/** What becomes different about the messages of lobbies, as their applications are told. */
export type LobbyMessageChange = {
  readonly type: 'lobby-message-created' | 'lobby-message-updated' | 'lobby-message-removed';
  /** Id of the application whose lobby it is. */
  readonly application: string;
  /** What an event says of it. */
  readonly data: object;
};

/** Nothing of what moderation says, which the application knows, and nothing of a lobby that goes as a whole. */
export const lobbyMessageChanges: Derive<LobbyMessageChange> = (commit, tables) => {
  const { created, updated, removed } = commit.of('lobby_messages');
  const edited = updated.filter(({ before, after }) => isRewritten(before, after)).map(({ after }) => after);
  const told = (
    type: LobbyMessageChange['type'],
    messages: readonly LobbyMessage[],
    dataOf: (message: LobbyMessage) => object,
  ): LobbyMessageChange[] =>
    messages.flatMap((message) => {
      const lobby = tables.lobbies.get(message.lobby);
      return lobby === undefined ? [] : [{ type, application: lobby.application, data: dataOf(message) }];
    });
  return [
    ...told('lobby-message-removed', removed, ({ id, lobby }) => ({ id, lobby_id: lobby })),
    ...told('lobby-message-updated', edited, (message) => editedAnswer(tables, message)),
    ...told('lobby-message-created', created, (message) => lobbyMessageAnswer(tables, message)),
  ];
};

function isRewritten(before: LobbyMessage, after: LobbyMessage): boolean {
  return before.content !== after.content || before.edited_timestamp !== after.edited_timestamp;
}

/** What writes in lobbies. */
export type LobbyPlatform = Base & HasAutoMod;

/** A message to write in a lobby. */
export interface LobbyMessageRequest
  extends Pick<CreateRequest, 'content' | 'flags' | 'allowed_mentions' | 'nonce' | 'enforce_nonce'> {
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/**
 * Writes a message in a lobby, and in the channel that it is linked to: whoever is in the lobby may, whatever they may in the
 * guild. @throws ApiError 50006 for an empty one, 10008 where the message of an enforced nonce was deleted.
 */
export function sayInLobby(
  platform: LobbyPlatform,
  { lobby, member }: { readonly lobby: Lobby; readonly member: LobbyMember },
  body: LobbyMessageRequest,
): LobbyMessage {
  const { world, clock } = platform;
  const now = clock.now();
  const content = body.content ?? '';
  if (content === '') throw new ApiError(400, 'Cannot send an empty message', { code: EMPTY_MESSAGE });
  const nonce = body.nonce === undefined ? undefined : String(body.nonce);
  if (nonce !== undefined && body.enforce_nonce === true) {
    const same = [...world.tables.lobby_messages.by('nonce', nonceKey(member.user, nonce))].findLast(
      (one) => one.lobby === lobby.id && isRemembered(one, now),
    );
    if (same !== undefined) return same;
    if (wasRemoved(world.tables, rememberedKey(member.user, nonce, lobby.id), now)) throw unknownMessage();
  }
  const { lobby_messages, messages } = world.tables;
  if (lobby_messages.size >= MOST_RECORDS) throw full('messages of lobbies');
  const id = world.ids.next(now, (one) => lobby_messages.has(one) || messages.has(one));
  const said = present({
    id,
    author: member.user,
    content,
    timestamp: new Date(now).toISOString(),
    edited_timestamp: null,
    flags: ((body.flags ?? 0) & SETTABLE) | MESSAGE_FLAGS.sentByGame,
    nonce: nonce === '' ? undefined : nonce,
    additional_name: member.additional_name ?? undefined,
  });
  const place = world.tables.channels.get(lobby.linked_channel ?? '');
  const twin = place === undefined ? undefined : inChannel(platform, place, lobby, body, said);
  return world.transaction((tables) => {
    const channel = twin?.message.channel ?? null;
    const { metadata } = body;
    const written = present({ ...said, lobby: lobby.id, channel, metadata }) as LobbyMessage;
    tables.lobby_messages.insert(written);
    if (twin !== undefined) tables.messages.insert(twin.message);
    twin?.moderate(id);
    return written;
  });
}

/**
 * The same message in the linked channel; undefined where a rule of the guild keeps it out, which keeps it out of the
 * channel alone.
 */
function inChannel(
  platform: LobbyPlatform,
  channel: ChannelRecord,
  lobby: Lobby,
  { allowed_mentions }: LobbyMessageRequest,
  said: Pick<LobbyMessage, 'id' | 'author' | 'content' | 'timestamp' | 'edited_timestamp'>,
): { readonly message: Message; readonly moderate: (messageId: string) => void } | undefined {
  const { tables } = platform.world;
  if (tables.messages.size >= MOST_RECORDS) throw full('messages');
  const { content, author } = said;
  const access = accessTo(platform, channel.id, { id: author ?? '', bot: false }) ?? stranger(channel);
  const mentions = mentionsAllowed(tables, access, content, allowed_mentions, undefined);
  const named = mentionsIn(tables, content);
  try {
    const moderate = platform.automod.check({
      channel,
      author,
      content,
      mentions: named.users.length + named.roles.length,
    });
    const message = present({
      ...said,
      channel: channel.id,
      tts: false,
      pinned: false,
      application: lobby.application,
      mentions: isSameJson(mentions, named) ? undefined : mentions,
    }) as Message;
    return { message, moderate };
  } catch (error) {
    if (error instanceof MessageBlocked) return undefined;
    throw error;
  }
}

/** Somebody who may nothing in a channel. */
function stranger(channel: ChannelRecord): ChannelAccess {
  return {
    channel,
    may: () => false,
    need: () => {
      throw missingPermissions();
    },
  };
}
