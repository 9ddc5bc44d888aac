import { ApiError } from '../api/api-error.ts';
import type { Derive, World } from '../api/world.ts';
import type { AutoMod } from '../guilds/automod/automod.ts';
import { MessageBlocked } from '../guilds/automod/automod.ts';
import { accessToPlace, type Place, takesMessages } from '../guilds/channels/channel-access.ts';
import { isReadable } from '../guilds/channels/channels.ts';
import { openDirect } from '../guilds/channels/private-channels.ts';
import { isPrivate } from '../guilds/channels/private-records.ts';
import { isThread } from '../guilds/channels/records.ts';
import { memberOf } from '../guilds/members/membership.ts';
import { guildPermissions } from '../guilds/roles/rights.ts';
import { type ThreadAct, threadObstacle } from '../guilds/threads/rules.ts';
import type { Clock } from '../kernel/clock.ts';
import { SettingError } from '../kernel/errors.ts';
import { MOST_RECORDS } from '../kernel/limits.ts';
import { bitsOf } from '../kernel/permission-bits.ts';
import { attachmentAnswer, type FileAddress, filesBeside, withFiles } from './attachments/attachments.ts';
import { createMessage } from './create.ts';
import { type Fragment, fragments, type Mentions, mentionsIn, mentionsOf, notifies } from './mentions.ts';
import { MESSAGE_FLAGS, type Message } from './records.ts';
import { slowmodeLeft } from './slowmode.ts';

/** What becomes different about messages, told for channels that the logged-in user may read. */
export type MessageChange = {
  /** A notification follows the creation of the same message. */
  readonly type: 'message-created' | 'message-updated' | 'message-removed' | 'notification-created';
  readonly message: Message;
};

/** Only what the logged-in user may read. */
export const messageChanges: Derive<MessageChange> = (commit, tables) => {
  const { created, updated, removed } = commit.of('messages');
  const readable = ({ channel }: Message): boolean => isReadable(tables, channel);
  return [
    ...removed.filter(readable).map((message) => ({ type: 'message-removed', message }) as const),
    ...updated
      .map(({ after }) => after)
      .filter(readable)
      .map((message) => ({ type: 'message-updated', message }) as const),
    ...created.flatMap((message): MessageChange[] => {
      const told: readonly MessageChange[] = readable(message) ? [{ type: 'message-created', message }] : [];
      // RPC knows nothing of private channels but that somebody wrote.
      const isTold = told.length > 0 || tables.private_channels.has(message.channel);
      return isTold && notifies(tables, message)
        ? [...told, { type: 'notification-created', message }]
        : [...told];
    }),
  ];
};

/** What a message carries besides its text. */
interface MessageParts {
  readonly mentions: Mentions;
  readonly embeds: readonly Readonly<Record<string, unknown>>[];
  readonly attachments: readonly object[];
}

/** How many of a channel's messages the client holds ready. */
const AT_HAND = 50;
const LONGEST = 4000;
const SEND_MESSAGES = bitsOf('SEND_MESSAGES');

/** The messages of all text channels. */
export class Messages {
  readonly #world: World;
  readonly #clock: Clock;
  readonly #address: FileAddress;
  readonly #automod: AutoMod;

  constructor(world: World, clock: Clock, address: FileAddress, automod: AutoMod) {
    this.#world = world;
    this.#clock = clock;
    this.#address = address;
    this.#automod = automod;
  }

  /** What a message carries besides its text, as everybody sees it who may read it. */
  parts(message: Message): MessageParts {
    const { tables } = this.#world;
    const files = [...tables.attachments.by('message', message.id)];
    const isSuppressed = ((message.flags ?? 0) & MESSAGE_FLAGS.suppressEmbeds) !== 0;
    return {
      mentions: mentionsOf(tables, message),
      embeds: isSuppressed ? [] : withFiles(message.embeds ?? [], files, this.#address),
      attachments: filesBeside(message, files).map((file) => attachmentAnswer(file, this.#address)),
    };
  }

  /** The last 50 messages of a channel, newest last. */
  of(channelId: string): readonly Message[] {
    return this.#world.tables.messages.by('channel', channelId).last(AT_HAND);
  }

  /** A content split at the users it mentions. */
  fragments(content: string): readonly Fragment[] {
    return fragments(this.#world.tables, content);
  }

  /** Writes a message. @throws SettingError */
  say(channelId: string, content: string, authorId: string): Message {
    const { channels, private_channels, users, messages } = this.#world.tables;
    const channel = channels.get(channelId) ?? private_channels.get(channelId);
    if (channel === undefined) throw new SettingError('channel', 'there is no such channel');
    if (!takesMessages(channel)) throw new SettingError('channel', 'takes no messages; give a text channel');
    const user = users.get(authorId);
    if (user === undefined) throw new SettingError('author', 'there is no such user');
    if (isPrivate(channel) && !channel.recipients.includes(authorId)) {
      throw new SettingError('author', 'is not in this private channel');
    }
    checkContent(content);
    if (messages.size >= MOST_RECORDS) {
      throw new SettingError('', `there are ${MOST_RECORDS} messages already; delete some first`);
    }
    const now = this.#clock.now();
    if (!isPrivate(channel)) checkMayTalk(this.#world.tables, channel.guild, authorId, now);
    const left = isPrivate(channel) ? 0 : slowmodeLeft(this.#world.tables, channel, authorId, now);
    if (left > 0) {
      throw new SettingError('author', `is in slow mode for another ${Math.ceil(left / 1000)} s`);
    }
    const platform = { world: this.#world, clock: this.#clock, automod: this.#automod };
    const access = accessToPlace(platform, channelId, user);
    if (access === undefined) throw new SettingError('author', 'cannot see this channel');
    const right = !isPrivate(channel) && isThread(channel) ? 'SEND_MESSAGES_IN_THREADS' : 'SEND_MESSAGES';
    if (!access.may(right)) throw new SettingError('author', `has no permission ${right} in this channel`);
    checkThread(access, 'send', 'channel');
    return inWords(() => createMessage(platform, { user }, access, { content }));
  }

  /** Writes to somebody in private; the two have a channel from then on. @throws SettingError */
  sayTo(userId: string, content: string, authorId: string): Message {
    const { users } = this.#world.tables;
    if (userId === authorId) throw new SettingError('channel', 'nobody writes to themselves in private');
    if (!users.has(userId)) throw new SettingError('channel', 'there is no such user');
    if (!users.has(authorId)) throw new SettingError('author', 'there is no such user');
    checkContent(content);
    const { id } = openDirect({ world: this.#world, clock: this.#clock }, authorId, userId);
    return this.say(id, content, authorId);
  }

  /** Changes what a message says. @throws SettingError */
  edit(id: string, content: string): Message {
    const { channel, author } = this.#find(id);
    checkContent(content);
    const { channels, users } = this.#world.tables;
    const place = channels.get(channel);
    if (place !== undefined) {
      const user = users.get(author ?? '');
      const access = user && accessToPlace({ world: this.#world, clock: this.#clock }, channel, user);
      // A webhook is responsible to nobody.
      const may = user === undefined ? () => true : (access?.may ?? (() => false));
      checkThread({ channel: place, may }, 'change', '');
    }
    const moderate = place === undefined ? () => {} : this.#moderated(place, author, content);
    const edited_timestamp = new Date(this.#clock.now()).toISOString();
    return this.#world.transaction(({ messages }) => {
      const edited = messages.update(id, { content, edited_timestamp });
      moderate(id);
      return edited;
    });
  }

  /** Deletes a message. @throws SettingError */
  remove(id: string): Message {
    const message = this.#find(id);
    this.#world.transaction(({ messages }) => messages.remove(id));
    return message;
  }

  /** @throws SettingError for what a rule of the guild keeps out. */
  #moderated(channel: Place, author: string | null, content: string): (messageId: string) => void {
    const { users, roles } = mentionsIn(this.#world.tables, content);
    const mentions = users.length + roles.length;
    return inWords(() => this.#automod.check({ channel, author, content, mentions }));
  }

  #find(id: string): Message {
    const message = this.#world.tables.messages.get(id);
    if (message === undefined)
      throw new SettingError('', `there is no message ${JSON.stringify(id.slice(0, 20))}`);
    return message;
  }
}

/** @throws SettingError where the state of a thread forbids an act. */
function checkThread(where: Parameters<typeof threadObstacle>[0], act: ThreadAct, key: string): void {
  const obstacle = threadObstacle(where, act);
  if (obstacle === 'archived') throw new SettingError(key, 'is in an archived thread; open it first');
  if (obstacle === 'locked') throw new SettingError(key, 'is locked; only who manages threads writes there');
}

/** Runs what the platform may refuse, and words a refusal for a person. @throws SettingError */
function inWords<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof MessageBlocked) {
      const more = error.explanation === undefined ? '' : `: ${error.explanation}`;
      throw new SettingError('text', `is blocked by automatic moderation${more}`);
    }
    throw error instanceof ApiError ? new SettingError('', error.message) : error;
  }
}

/** Nobody talks in a guild that they are not in, nor while timed out, but for those whom no timeout binds. @throws SettingError */
function checkMayTalk(tables: World['tables'], guild: string, author: string, now: number): void {
  const member = memberOf(tables, guild, author);
  if (member === undefined) throw new SettingError('author', 'is no member of the guild of this channel');
  const until = member.communication_disabled_until;
  if (until === null || Date.parse(until) <= now) return;
  if ((guildPermissions(tables, guild, author, now) & SEND_MESSAGES) !== 0n) return;
  throw new SettingError('author', `is timed out until ${until}`);
}

function checkContent(content: string): void {
  if (content.length < 1 || content.length > LONGEST) {
    throw new SettingError('text', `must be of 1 to ${LONGEST} characters`);
  }
}
