import { ApiError, invalidForm } from '../api/api-error.ts';
import type { Base, Reading, Writing } from '../api/world.ts';
import type { AutoMod } from '../guilds/automod/automod.ts';
import type { AnyChannel, ChannelAccess } from '../guilds/channels/channel-access.ts';
import { checkThreadState } from '../guilds/threads/rules.ts';
import type { Clock } from '../kernel/clock.ts';
import { unlessBlank } from '../kernel/own-text.ts';
import { isSameJson } from '../kernel/same-json.ts';
import { mentionsAllowed } from './allowed-mentions.ts';
import { embeddedFiles, faultsOfFiles } from './attachments/attachments.ts';
import type { AttachmentRecord } from './attachments/records.ts';
import { MESSAGE_FILES } from './attachments/uploads.ts';
import { faultsOfComponents, legacyFault, withIds } from './component-tree.ts';
import { emojisFor, faultsOfEmojis, withUsableEmojis } from './emoji-use.ts';
import { mentionsIn } from './mentions.ts';
import { isSystem, isVoiceMessage, MESSAGE_FLAGS, type Message } from './records.ts';
import type { AttachmentRequest, EditRequest } from './requests.ts';
import { addFile, messageIds, type NewFile } from './write.ts';
import { hasWritten, type Writer } from './writer.ts';

/** Flags that users other than the author may change. */
const OF_OTHERS = MESSAGE_FLAGS.suppressEmbeds;
/** Flags that an author may change; the flag for version 2 of components cannot be cleared. */
const SETTABLE = MESSAGE_FLAGS.suppressEmbeds | MESSAGE_FLAGS.componentsV2;

/** Tables of messages, with clock and moderation for their changes. */
export interface MessageStore {
  readonly world: Pick<Base['world'], 'tables' | 'transaction' | 'ids'>;
  readonly clock: Clock;
  readonly automod: Pick<AutoMod, 'check'>;
}

/** Edits a message. On an error, the state is unchanged. @throws ApiError */
export function editMessage(
  platform: MessageStore,
  writer: Writer,
  access: ChannelAccess<AnyChannel>,
  message: Message,
  body: EditRequest,
  files: readonly NewFile[] = [],
): Message {
  const { world, clock } = platform;
  // An ephemeral message is not part of the thread, so the thread's state does not matter.
  if (((message.flags ?? 0) & MESSAGE_FLAGS.ephemeral) === 0) checkThreadState(access, 'change');
  if (message.poll !== undefined) throw new ApiError('CannotEditAPollMessage');
  if (isVoiceMessage(message)) throw new ApiError('VoiceMessagesCannotBeEdited');
  if (!hasWritten(writer, message)) return editOfOther(platform, access, message, body, files);
  if (isSystem(message)) throw new ApiError('CannotExecuteActionOnSystemMessage');
  const flags = flagsAfter(message, body.flags, SETTABLE);
  const usable = emojisFor(world.tables, writer, access);
  const content =
    body.content === undefined ? message.content : withUsableEmojis(unlessBlank(body.content ?? ''), usable);
  const embeds = body.embeds === undefined ? message.embeds : (body.embeds ?? []);
  const components = body.components === undefined ? undefined : (body.components ?? []);
  if (components !== undefined) {
    const isV2 = (flags & MESSAGE_FLAGS.componentsV2) !== 0;
    const faults = [...faultsOfComponents(components, isV2), ...faultsOfEmojis(components, usable)];
    if (faults.length > 0) throw invalidForm(faults);
  }
  if ((flags & MESSAGE_FLAGS.componentsV2) !== 0) refuseLegacy({ content, embeds });
  if (embeds?.length && body.embeds !== undefined) access.need('EMBED_LINKS');
  if (files.length > 0) access.need('ATTACH_FILES');
  const remaining = remainingFiles(world.tables, message, body);
  const after = [...remaining, ...files];
  const missing = [
    ...faultsOfFiles('embeds', body.embeds ?? [], after),
    ...faultsOfFiles('components', components ?? [], after),
  ];
  if (missing.length > 0) throw invalidForm(missing);
  const { maxCount, tooMany } = MESSAGE_FILES;
  if (after.length > maxCount) throw new ApiError(tooMany, { limit: maxCount });
  const storedComponents =
    components === undefined ? message.components : withIds(components, messageIds(world, clock.now()));
  const hasOtherContent = message.snapshot !== undefined || message.stickers !== undefined;
  if (
    !hasOtherContent &&
    content === '' &&
    !embeds?.length &&
    !storedComponents?.length &&
    after.length === 0
  ) {
    throw new ApiError('CannotSendAnEmptyMessage');
  }
  // The moderation metadata is removed, because it concerned the previous text.
  const {
    mentions: before,
    flags: _,
    embeds: __,
    components: ___,
    moderation_metadata: ____,
    ...rest
  } = message;
  const mentions =
    body.content === undefined && body.allowed_mentions === undefined
      ? before
      : mentionsAfter(world.tables, access, message, content, body);
  const textMentions = mentionsIn(world.tables, content);
  const moderate =
    body.content === undefined
      ? () => {}
      : platform.automod.check({
          channel: access.channel,
          author: message.author,
          content,
          mentions: textMentions.users.length + textMentions.roles.length,
        });
  return world.transaction((tables) => {
    changeFiles(tables, message, remaining, body.attachments);
    for (const file of files) addFile(tables, message, file);
    moderate(message.id);
    return tables.messages.replace({
      ...rest,
      content,
      edited_timestamp: new Date(clock.now()).toISOString(),
      ...(mentions === undefined ? {} : { mentions }),
      ...(flags === 0 ? {} : { flags }),
      ...(embeds?.length ? { embeds } : {}),
      ...(storedComponents?.length ? { components: storedComponents } : {}),
    });
  });
}

/**
 * Refuses content that a message with version 2 of components cannot have. An edit that sets this version must remove
 * the older content.
 */
function refuseLegacy(content: {
  readonly content: string;
  readonly embeds: readonly unknown[] | undefined;
}) {
  const faults = Object.entries(content)
    .filter(([, value]) => value !== undefined && value.length > 0)
    .map(([name]) => legacyFault(name));
  if (faults.length > 0) throw invalidForm(faults);
}

function mentionsAfter(
  tables: Reading,
  access: ChannelAccess<AnyChannel>,
  { about }: Message,
  content: string,
  { allowed_mentions }: EditRequest,
): Message['mentions'] {
  const repliedTo = about?.kind === 'reply' ? tables.messages.get(about.message ?? '')?.author : undefined;
  const named = mentionsIn(tables, content);
  const mentions = mentionsAllowed(tables, access, named, allowed_mentions, repliedTo ?? undefined);
  return isSameJson(mentions, named)
    ? undefined
    : { users: [...mentions.users], roles: [...mentions.roles], everyone: mentions.everyone };
}

/** Users who manage messages may only hide the embeds of another user's message. */
function editOfOther(
  { world }: Pick<MessageStore, 'world'>,
  access: ChannelAccess<AnyChannel>,
  message: Message,
  body: EditRequest,
  files: readonly NewFile[],
): Message {
  const { flags: wanted, ...more } = body;
  const changesMore = files.length > 0 || Object.values(more).some((value) => value !== undefined);
  if (wanted === undefined || changesMore) throw new ApiError('CannotEditMessageAuthoredByAnotherUser');
  access.need('MANAGE_MESSAGES');
  const flags = flagsAfter(message, wanted, OF_OTHERS);
  if (flags === (message.flags ?? 0)) return message;
  return world.transaction(({ messages }) => messages.update(message.id, { flags }));
}

function flagsAfter({ flags = 0 }: Message, wanted: number | undefined, settable: number): number {
  if (wanted === undefined) return flags;
  return (flags & ~settable) | (wanted & settable) | (flags & MESSAGE_FLAGS.componentsV2);
}

/**
 * Files that remain after an edit: all, or those that the request lists and those that unchanged embeds or components
 * use.
 * @throws ApiError 50035 for an unknown file.
 */
function remainingFiles(
  { attachments }: Reading,
  message: Message,
  { attachments: listed, embeds, components }: EditRequest,
): readonly AttachmentRecord[] {
  const own = [...attachments.by('message', message.id)];
  if (listed === undefined) return own;
  // Short ids are the numbers of files in the request; longer ids name existing files.
  const named = (listed ?? [])
    .map((one, index) => [one.id, index] as const)
    .filter(([file]) => file.length > 2);
  const faults = named
    .filter(([file]) => !own.some(({ id }) => id === file))
    .map(([, index]) => ({
      path: ['attachments', index, 'id'],
      code: 'ATTACHMENT_NOT_FOUND',
      message: 'Attachment data not found.',
    }));
  if (faults.length > 0) throw invalidForm(faults);
  const unchanged = [
    embeds === undefined ? message.embeds : undefined,
    components === undefined ? message.components : undefined,
  ];
  const embedded = embeddedFiles(unchanged, own);
  return own.filter((file) => embedded.has(file) || named.some(([id]) => id === file.id));
}

function changeFiles(
  tables: Writing,
  { id }: Message,
  remaining: readonly AttachmentRecord[],
  listed: readonly AttachmentRequest[] | null | undefined,
): void {
  const stays = new Set(remaining.map((file) => file.id));
  for (const file of [...tables.attachments.by('message', id)]) {
    if (!stays.has(file.id)) tables.attachments.remove(file.id);
  }
  for (const { id: file, title, description, is_spoiler } of listed ?? []) {
    if (!stays.has(file)) continue;
    tables.attachments.update(file, {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(is_spoiler === undefined ? {} : { spoiler: is_spoiler }),
    });
  }
}
