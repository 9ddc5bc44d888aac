import { ApiError, full, invalidForm, notFound } from '../api/api-error.ts';
import { present } from '../api/present.ts';
import type { BotCaller } from '../caller.ts';
import { accessTo, type ChannelAccess, type Deciding } from '../channels/channel-access.ts';
import { hasText, isThread } from '../channels/records.ts';
import { MOST_RECORDS } from '../limits.ts';
import { isSameJson } from '../same-json.ts';
import type { Writing } from '../world.ts';
import { mentionsAllowed } from './allowed-mentions.ts';
import { maySeeContent } from './answers.ts';
import type { AttachmentRecord } from './attachment-records.ts';
import { faultsOfComponents, withIds } from './components.ts';
import { mentionsIn } from './mentions.ts';
import { MESSAGE_FLAGS, MESSAGE_TYPES, type Message, nonceKey } from './records.ts';
import type { CreateRequest } from './requests.ts';

const EMPTY_MESSAGE = 50006;
const NO_TEXT = 50008;
const ARCHIVED = 50083;
const NO_HISTORY = 160_002;
const FORWARD_WITH_MORE = 160_011;
const UNREADABLE = 160_014;
const UNKNOWN_MESSAGE = 10008;

/** Bits that whoever writes a message may set. */
const SETTABLE =
  MESSAGE_FLAGS.suppressEmbeds | MESSAGE_FLAGS.suppressNotifications | MESSAGE_FLAGS.componentsV2;
/** So long a nonce is remembered: the platform says "a few minutes". */
const NONCE_MS = 5 * 60_000;
/** Types of messages that can be passed on. */
const FORWARDED: readonly number[] = [
  MESSAGE_TYPES.default,
  MESSAGE_TYPES.reply,
  MESSAGE_TYPES.command,
  MESSAGE_TYPES.contextMenu,
];

/** A file of a message that is being written. */
export type NewFile = Omit<AttachmentRecord, 'message'>;

/** 404 with code 10008. */
export function unknownMessage(): ApiError {
  return notFound('Unknown Message', UNKNOWN_MESSAGE);
}

/** Writes a message as a bot. @throws ApiError in the words of the platform, with everything as it was. */
export function createMessage(
  platform: Deciding,
  caller: Pick<BotCaller, 'user' | 'application'>,
  access: ChannelAccess,
  body: CreateRequest,
  files: readonly NewFile[] = [],
  ownId?: string,
): Message {
  const { world, clock } = platform;
  const { channel } = access;
  checkMayWrite(access, body, files);
  const { user, application } = caller;
  const now = clock.now();
  const nonce = body.nonce === undefined ? undefined : String(body.nonce);
  if (nonce !== undefined && body.enforce_nonce === true) {
    const [same] = world.tables.messages.by('nonce', nonceKey(user.id, nonce)).last(1);
    if (same !== undefined && now - Date.parse(same.timestamp) < NONCE_MS) return same;
  }
  const reference = referred(platform, caller, access, body);
  const flags = (body.flags ?? 0) & SETTABLE;
  const content = body.content ?? '';
  checkSaid(content, body, flags, files, reference);
  if (world.tables.messages.size >= MOST_RECORDS) throw full('messages');
  if (!world.tables.users.has(user.id)) throw full('users');
  const repliedTo = reference?.kind === 'reply' ? reference.message?.author : undefined;
  const mentions = mentionsAllowed(world.tables, access, content, body.allowed_mentions, repliedTo);
  const nextId = (): string =>
    world.ids.next(now, (id) => world.tables.messages.has(id) || world.tables.attachments.has(id));
  // The first message of a post bears the id of the post.
  const id = ownId ?? nextId();
  const snapshot = reference?.kind === 'forward' ? snapshotOf(platform, reference.message) : undefined;
  const passedOn =
    reference?.kind === 'forward'
      ? [...world.tables.attachments.by('message', reference.message.id)].map((file) => ({
          ...file,
          id: nextId(),
        }))
      : [];
  const bits = flags | (snapshot === undefined ? 0 : MESSAGE_FLAGS.hasSnapshot);
  const message: Message = present({
    id,
    channel: channel.id,
    author: user.id,
    content,
    timestamp: new Date(now).toISOString(),
    edited_timestamp: null,
    tts: body.tts ?? false,
    pinned: false,
    type: reference?.kind === 'reply' ? MESSAGE_TYPES.reply : undefined,
    flags: bits === 0 ? undefined : bits,
    nonce,
    application: application.id,
    embeds: body.embeds?.length ? body.embeds : undefined,
    components: body.components?.length ? withIds(body.components, nextId) : undefined,
    // What the text says by itself is not kept twice.
    mentions: isSameJson(mentions, mentionsIn(world.tables, content)) ? undefined : mentions,
    about:
      reference === undefined
        ? undefined
        : { kind: reference.kind, channel: reference.channel, message: reference.id },
    snapshot,
  }) as Message;
  return world.transaction((tables) => {
    wake(tables, channel.id);
    tables.messages.insert(message);
    for (const file of [...files, ...passedOn]) tables.attachments.insert({ ...file, message: id });
    return message;
  });
}

function checkMayWrite(access: ChannelAccess, body: CreateRequest, files: readonly NewFile[]): void {
  const { channel, need, may } = access;
  if (!hasText(channel)) {
    throw new ApiError(400, 'Cannot send messages in a non-text channel', { code: NO_TEXT });
  }
  need(isThread(channel) ? 'SEND_MESSAGES_IN_THREADS' : 'SEND_MESSAGES');
  if (channel.thread?.locked === true && channel.thread.archived && !may('MANAGE_THREADS')) {
    throw new ApiError(400, 'Thread is archived', { code: ARCHIVED });
  }
  if (body.tts === true) need('SEND_TTS_MESSAGES');
  if (body.embeds?.length) need('EMBED_LINKS');
  if (files.length > 0) need('ATTACH_FILES');
}

/** A message wakes an archived thread. */
function wake({ channels }: Writing, channelId: string): void {
  const thread = channels.get(channelId)?.thread;
  if (thread?.archived) channels.update(channelId, { thread: { ...thread, archived: false } });
}

type Referred =
  | { readonly kind: 'reply'; readonly channel: string; readonly id: string; readonly message: Message }
  | { readonly kind: 'forward'; readonly channel: string; readonly id: string; readonly message: Message };

function referred(
  platform: Deciding,
  caller: Pick<BotCaller, 'user' | 'application'>,
  access: ChannelAccess,
  { message_reference: asked }: CreateRequest,
): Referred | undefined {
  if (asked === undefined) return undefined;
  const { tables } = platform.world;
  const channel = asked.channel_id ?? access.channel.id;
  const { message_id: id } = asked;
  const message = tables.messages.get(id);
  if (asked.type === 1) {
    const source = accessTo(platform, channel, caller.user);
    if (message === undefined || message.channel !== channel) {
      // Whoever may not look into the channel does not learn what is in it.
      throw source === undefined ? unreadable() : badReference('Unknown message');
    }
    const readable =
      source?.may('READ_MESSAGE_HISTORY') === true && maySeeContent({ tables, caller }, message);
    if (!readable) throw unreadable();
    if (!FORWARDED.includes(message.type ?? MESSAGE_TYPES.default)) {
      throw badReference('This message cannot be forwarded');
    }
    return { kind: 'forward', channel, id, message };
  }
  if (channel !== access.channel.id) throw badReference('Cannot reply to a message in another channel');
  if (!access.may('READ_MESSAGE_HISTORY')) {
    throw new ApiError(403, 'Cannot reply without permission to read message history', { code: NO_HISTORY });
  }
  if (message === undefined || message.channel !== channel) {
    if (asked.fail_if_not_exists === false) return undefined;
    throw badReference('Unknown message');
  }
  if (!FORWARDED.includes(message.type ?? MESSAGE_TYPES.default)) {
    throw badReference('Cannot reply to a system message', 'REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE');
  }
  return { kind: 'reply', channel, id, message };
}

function unreadable(): ApiError {
  return new ApiError(403, 'You cannot forward a message whose content you cannot read.', {
    code: UNREADABLE,
  });
}

function badReference(message: string, code = 'MESSAGE_REFERENCE_UNKNOWN_MESSAGE'): ApiError {
  return invalidForm([{ path: ['message_reference'], code, message }]);
}

function checkSaid(
  content: string,
  body: CreateRequest,
  flags: number,
  files: readonly NewFile[],
  reference: Referred | undefined,
): void {
  const { embeds = [], components = [] } = body;
  const isV2 = (flags & MESSAGE_FLAGS.componentsV2) !== 0;
  const said = content !== '' || embeds.length > 0 || files.length > 0;
  if (reference?.kind === 'forward') {
    if (!said && components.length === 0) return;
    throw new ApiError(400, 'Forward messages cannot have additional content', { code: FORWARD_WITH_MORE });
  }
  const faults = faultsOfComponents(components, isV2);
  if (isV2) {
    for (const name of ['content', 'embeds'] as const) {
      if (name === 'content' ? content !== '' : embeds.length > 0) {
        const message = `The '${name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`;
        faults.push({ path: [name], code: 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2', message });
      }
    }
  }
  if (faults.length > 0) throw invalidForm(faults);
  if (!said && components.length === 0) {
    throw new ApiError(400, 'Cannot send an empty message', { code: EMPTY_MESSAGE });
  }
}

/** What is kept of a message that is passed on; one that was passed on itself is passed on as it was. */
function snapshotOf({ world }: Deciding, message: Message): NonNullable<Message['snapshot']> {
  if (message.snapshot !== undefined) return message.snapshot;
  const { type, flags, content, timestamp, edited_timestamp, embeds, components } = message;
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
  }) as NonNullable<Message['snapshot']>;
}
