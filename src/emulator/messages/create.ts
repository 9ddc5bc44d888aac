import { ApiError, full, invalidField, invalidForm } from '../api/api-error.ts';
import { present } from '../api/present.ts';
import type { Base, Reading } from '../api/world.ts';
import type { HasAutoMod } from '../guilds/automod/automod.ts';
import {
  type AnyChannel,
  accessToAnyChannel,
  type ChannelAccess,
  takesMessages,
} from '../guilds/channels/channel-access.ts';
import { isPrivate } from '../guilds/channels/private-records.ts';
import { checkReachable } from '../guilds/channels/reachable.ts';
import { isThread } from '../guilds/channels/records.ts';
import { joinThread } from '../guilds/threads/members.ts';
import { checkThreadState } from '../guilds/threads/rules.ts';
import { unlessBlank } from '../kernel/own-text.ts';
import { isSameJson } from '../kernel/same-json.ts';
import { mentionsAllowed } from './allowed-mentions.ts';
import { maySeeContent } from './answers.ts';
import { faultsOfFiles } from './attachments/attachments.ts';
import { faultsOfComponents, legacyFault, withIds } from './component-tree.ts';
import { emojisFor, faultsOfEmojis, type UsableEmoji, withUsableEmojis } from './emoji-use.ts';
import { mentionsIn } from './mentions.ts';
import { pollOf } from './polls.ts';
import {
  isEphemeral,
  isSystem,
  isVoiceMessage,
  MESSAGE_FLAGS,
  MESSAGE_TYPES,
  type Message,
  nonceKey,
} from './records.ts';
import { isRemembered, rememberedKey, wasRemoved } from './removed-nonces.ts';
import type { CreateRequest } from './requests.ts';
import { checkSlowmode } from './slowmode.ts';
import { stickersOf } from './stickers.ts';
import { checkVoiceMessage } from './voice-message.ts';
import { type ComposedMessage, messageIds, type NewFile, newMessage, writeMessage } from './write.ts';
import type { ApplicationWriter, UserWriter, Writer } from './writer.ts';

/** Flags that the author of a message may set. */
const SETTABLE =
  MESSAGE_FLAGS.suppressEmbeds |
  MESSAGE_FLAGS.suppressNotifications |
  MESSAGE_FLAGS.voiceMessage |
  MESSAGE_FLAGS.componentsV2;

/** Writes a message as a bot, a user or a webhook. On an error, the state is unchanged. @throws ApiError */
export function createMessage(
  platform: Base & HasAutoMod,
  writer: Writer,
  access: ChannelAccess<AnyChannel>,
  body: CreateRequest,
  files: readonly NewFile[] = [],
  ownId?: string,
): Message {
  const { world, clock } = platform;
  const { channel } = access;
  checkMayWrite(platform, writer, access, body, files);
  const author = 'webhook' in writer ? '' : writer.user.id;
  const nonce = body.enforce_nonce === true ? nonceOf(body) : undefined;
  if (nonce !== undefined) {
    const last = world.tables.messages.by('nonce', nonceKey(author, nonce)).last(1);
    const same = sentBefore(world.tables, last, rememberedKey(author, nonce), clock.now());
    if (same !== undefined) return same;
  }
  const composed = composeMessage(platform, writer, access, body, files, { id: ownId });
  return world.transaction((tables) => {
    const sent = writeMessage(tables, composed);
    // The author of a message in a thread joins the thread. Source: the platform's page on channels, "Example Thread
    // Channel".
    if (!('webhook' in writer) && !isPrivate(channel) && isThread(channel)) {
      joinThread(tables, { thread: channel.id, user: author }, Date.parse(sent.timestamp));
    }
    return sent;
  });
}

/**
 * The recent message with a nonce. @throws ApiError 10008 when that message was deleted, because a repeated request
 * does not restore it.
 */
export function sentBefore<Row extends Parameters<typeof isRemembered>[0]>(
  tables: Reading,
  sent: readonly Row[],
  key: string,
  now: number,
): Row | undefined {
  const same = sent.findLast((one) => isRemembered(one, now));
  if (same === undefined && wasRemoved(tables, key, now)) throw new ApiError('UnknownMessage');
  return same;
}

/**
 * Composes a message from a request and `known` fields, without a change of state.
 * @throws ApiError
 */
export function composeMessage(
  platform: Base & HasAutoMod,
  writer: Writer,
  access: ChannelAccess<AnyChannel>,
  body: CreateRequest,
  files: readonly NewFile[],
  known: { readonly id?: string | undefined } & Partial<
    Pick<Message, 'type' | 'about' | 'interaction' | 'flags' | 'additional_name'>
  >,
): ComposedMessage {
  const { world, clock } = platform;
  const { channel } = access;
  const author = 'webhook' in writer ? null : writer.user.id;
  const now = clock.now();
  const reference = 'webhook' in writer ? undefined : referred(platform, writer, access, body);
  const flags = (body.flags ?? 0) & SETTABLE;
  const usable = emojisFor(world.tables, writer, access);
  const content = withUsableEmojis(unlessBlank(body.content ?? ''), usable);
  checkContent(content, { body, flags, files, reference, usable });
  const poll = body.poll === undefined ? undefined : pollOf(body.poll, usable, now);
  const guild = isPrivate(channel) ? undefined : channel.guild;
  const stickers = stickersOf(world.tables, access, guild, body.sticker_ids ?? []);
  if (author !== null && !world.tables.users.has(author)) throw full('users');
  const repliedTo = (reference?.kind === 'reply' ? reference.message.author : null) ?? undefined;
  const textMentions = mentionsIn(world.tables, content);
  const mentions = mentionsAllowed(world.tables, access, textMentions, body.allowed_mentions, repliedTo);
  const nextId = messageIds(world, now);
  // A forum post and its first message have the same id.
  const id = known.id ?? nextId();
  const snapshot = reference?.kind === 'forward' ? snapshotOf(platform, reference.message) : undefined;
  const passedOn =
    reference?.kind === 'forward'
      ? [...world.tables.attachments.by('message', reference.message.id)].map((file) => ({
          ...file,
          id: nextId(),
        }))
      : [];
  const bits = flags | (known.flags ?? 0) | (snapshot === undefined ? 0 : MESSAGE_FLAGS.hasSnapshot);
  const message = newMessage(world, now, {
    id,
    channel: channel.id,
    author,
    webhook: 'webhook' in writer ? writer.webhook : undefined,
    content,
    tts: body.tts ?? false,
    type: reference?.kind === 'reply' ? MESSAGE_TYPES.reply : known.type,
    interaction: known.interaction,
    additional_name: known.additional_name,
    flags: bits === 0 ? undefined : bits,
    nonce: nonceOf(body),
    metadata: body.metadata,
    application: writer.application?.id,
    embeds: body.embeds?.length ? body.embeds : undefined,
    components: body.components?.length ? withIds(body.components, nextId) : undefined,
    // Mentions are only stored if they differ from the mentions in the text.
    mentions: isSameJson(mentions, textMentions) ? undefined : mentions,
    about:
      reference === undefined
        ? known.about
        : { kind: reference.kind, channel: reference.channel, message: reference.id },
    stickers: stickers.length === 0 ? undefined : stickers,
    poll,
    snapshot,
  });
  return {
    message,
    files: [...files, ...passedOn],
    // AutoMod does not check ephemeral messages.
    ...(isEphemeral(message)
      ? {}
      : {
          moderate: platform.automod.check({
            channel,
            author,
            content,
            mentions: textMentions.users.length + textMentions.roles.length,
          }),
        }),
  };
}

/** Nonce of a request; undefined for an empty nonce. */
export function nonceOf({ nonce }: Pick<CreateRequest, 'nonce'>): string | undefined {
  return nonce === undefined || nonce === '' ? undefined : String(nonce);
}

function checkMayWrite(
  { world, clock }: Base,
  writer: Writer,
  access: ChannelAccess<AnyChannel>,
  body: CreateRequest,
  files: readonly NewFile[],
): void {
  const { channel, need } = access;
  if (!takesMessages(channel)) throw new ApiError('CannotSendMessagesInNonTextChannel');
  need(isThread(channel) ? 'SEND_MESSAGES_IN_THREADS' : 'SEND_MESSAGES');
  checkThreadState(access, 'send');
  if (body.tts === true) need('SEND_TTS_MESSAGES');
  if (body.poll !== undefined) need('SEND_POLLS');
  if (body.embeds?.length) need('EMBED_LINKS');
  if (files.length > 0) need('ATTACH_FILES');
  if (isVoiceMessage(body)) need('SEND_VOICE_MESSAGES');
  if ('webhook' in writer) return;
  if (isPrivate(channel)) checkReachable(world.tables, channel, writer.user);
  else checkSlowmode(world.tables, channel, writer.user.id, clock.now());
}

type Referred =
  | { readonly kind: 'reply'; readonly channel: string; readonly id: string; readonly message: Message }
  | { readonly kind: 'forward'; readonly channel: string; readonly id: string; readonly message: Message };

function referred(
  platform: Base,
  writer: ApplicationWriter | UserWriter,
  access: ChannelAccess<AnyChannel>,
  { message_reference: reference }: CreateRequest,
): Referred | undefined {
  if (reference === undefined) return undefined;
  const { tables } = platform.world;
  const channel = reference.channel_id ?? access.channel.id;
  const { message_id: id } = reference;
  const message = tables.messages.get(id);
  if (reference.type === 1) {
    const source = accessToAnyChannel(platform, channel, writer.user);
    if (message === undefined || message.channel !== channel) {
      // The error must not reveal messages of a channel that the caller cannot see.
      throw source === undefined
        ? new ApiError('CannotForwardMessageWithUnreadableContent')
        : badReference('Unknown message');
    }
    const caller = writer.application === undefined ? undefined : writer;
    const readable =
      source?.may('READ_MESSAGE_HISTORY') === true && maySeeContent({ tables, caller }, message);
    if (!readable) throw new ApiError('CannotForwardMessageWithUnreadableContent');
    if (message.poll !== undefined || isSystem(message)) {
      throw badReference('This message cannot be forwarded');
    }
    return { kind: 'forward', channel, id, message };
  }
  if (channel !== access.channel.id) throw badReference('Cannot reply to a message in another channel');
  if (!access.may('READ_MESSAGE_HISTORY')) {
    throw new ApiError('CannotReplyWithoutPermissionToReadMessageHistory');
  }
  if (message === undefined || message.channel !== channel) {
    if (reference.fail_if_not_exists === false) return undefined;
    throw badReference('Unknown message');
  }
  if (isSystem(message)) {
    throw badReference('Cannot reply to a system message', 'REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE');
  }
  return { kind: 'reply', channel, id, message };
}

function badReference(message: string, code = 'MESSAGE_REFERENCE_UNKNOWN_MESSAGE'): ApiError {
  return invalidField(['message_reference'], code, message);
}

interface ContentParts {
  readonly body: CreateRequest;
  readonly flags: number;
  readonly files: readonly NewFile[];
  readonly reference: Referred | undefined;
  readonly usable: UsableEmoji;
}

function checkContent(content: string, { body, flags, files, reference, usable }: ContentParts): void {
  const { embeds = [], components = [], sticker_ids = [] } = body;
  const isV2 = (flags & MESSAGE_FLAGS.componentsV2) !== 0;
  const used = {
    content: content !== '',
    embeds: embeds.length > 0,
    poll: body.poll !== undefined,
    sticker_ids: sticker_ids.length > 0,
  };
  const hasParts = Object.values(used).includes(true) || components.length > 0;
  if (isVoiceMessage({ flags })) return checkVoiceMessage(hasParts || reference?.kind === 'forward', files);
  const isEmpty = !hasParts && files.length === 0;
  if (reference?.kind === 'forward') {
    if (isEmpty) return;
    throw new ApiError('ForwardMessagesCannotHaveAdditionalContent');
  }
  const faults = [
    ...faultsOfComponents(components, isV2),
    ...faultsOfEmojis(components, usable),
    ...faultsOfFiles('embeds', embeds, files),
    ...faultsOfFiles('components', components, files),
  ];
  if (isV2) {
    for (const [name, isUsed] of Object.entries(used)) {
      if (isUsed) faults.push(legacyFault(name));
    }
  }
  if (faults.length > 0) throw invalidForm(faults);
  if (isEmpty) throw new ApiError('CannotSendAnEmptyMessage');
}

/** Copy of a message for a forward. A message that is itself a forward passes on the copy it contains. */
function snapshotOf({ world }: Base, message: Message): NonNullable<Message['snapshot']> {
  if (message.snapshot !== undefined) return message.snapshot;
  const { type, flags, content, timestamp, edited_timestamp, embeds, components, stickers } = message;
  const { users, roles } = message.mentions ?? mentionsIn(world.tables, content);
  return present({
    type,
    flags,
    content,
    timestamp,
    edited_timestamp,
    embeds,
    components,
    users: [...users],
    roles: [...roles],
    stickers,
  }) as NonNullable<Message['snapshot']>;
}
