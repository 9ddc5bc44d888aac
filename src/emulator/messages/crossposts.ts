import { present } from '../api/present.ts';
import type { Base, Reading, StateRule, Writing } from '../api/world.ts';
import { isSameJson } from '../kernel/same-json.ts';
import { MESSAGE_FLAGS, type Message } from './records.ts';
import { addFile, writeNotice } from './write.ts';

/** Content of a crosspost whose original message was deleted. */
const DELETED_TEXT = '[Original Message Deleted]';
/** Flags that a copy takes over. */
const COPIED = MESSAGE_FLAGS.suppressEmbeds | MESSAGE_FLAGS.componentsV2;

/** Content of a crosspost: the content of its original, without mentions, which belong to the original's guild. */
function copied({ content, embeds, components, stickers, edited_timestamp, tts, flags = 0 }: Message) {
  return {
    content,
    embeds,
    components,
    stickers,
    edited_timestamp,
    tts,
    mentions: { users: [], roles: [], everyone: false },
    flags: (flags & COPIED) | MESSAGE_FLAGS.isCrosspost,
  };
}

/** Copies a published message to every following channel, within the current transaction. @throws ApiError 503. */
export function deliver({ world, clock }: Base, tables: Writing, message: Message): void {
  const now = clock.now();
  const followers = [...tables.channel_webhooks.by('source_channel', message.channel)];
  for (const { id: webhook, name, avatar, channel } of followers) {
    if (channel === null) continue;
    const copy = writeNotice(world, tables, now, {
      ...copied(message),
      channel,
      author: null,
      webhook: { id: webhook, name, avatar },
      about: { kind: 'crosspost', channel: message.channel, message: message.id },
    });
    copyFiles(tables, message, copy);
  }
}

/** Applies changes of a published message to its crossposts, and marks the crossposts of a deleted message. */
export const followCrossposts: StateRule = (tables, commit, restoring) => {
  if (restoring || !commit.touches('messages')) return;
  const { updated, removed } = commit.of('messages');
  for (const { after } of updated) {
    for (const copy of copiesOf(tables, after)) {
      const next = present({ ...copy, ...copied(after) }) as Message;
      if (!isSameJson(next, copy)) tables.messages.replace(next);
      copyFiles(tables, after, copy);
    }
  }
  for (const message of removed) {
    for (const copy of copiesOf(tables, message)) {
      const flags = MESSAGE_FLAGS.isCrosspost | MESSAGE_FLAGS.sourceDeleted;
      if (copy.flags === flags) continue;
      const { embeds: _, components: __, stickers: ___, ...rest } = copy;
      tables.messages.replace({ ...rest, content: DELETED_TEXT, flags });
      for (const { id } of [...tables.attachments.by('message', copy.id)]) tables.attachments.remove(id);
    }
  }
};

function copiesOf({ messages }: Reading, { id, flags = 0 }: Message): readonly Message[] {
  return flags & MESSAGE_FLAGS.crossposted ? [...messages.by('about', id)] : [];
}

/** Copies the files of a message, with new ids. */
function copyFiles(tables: Writing, from: Message, to: Message): void {
  const files = [...tables.attachments.by('message', from.id)];
  const bare = { id: to.id, message: to.id };
  const own = [...tables.attachments.by('message', to.id)].map((file) => ({ ...file, ...bare }));
  if (
    isSameJson(
      files.map((file) => ({ ...file, ...bare })),
      own,
    )
  )
    return;
  for (const { id } of [...tables.attachments.by('message', to.id)]) tables.attachments.remove(id);
  let next = BigInt(to.id);
  for (const file of files) {
    do next += 1n;
    while (tables.attachments.has(String(next)));
    addFile(tables, to, { ...file, id: String(next) });
  }
}
