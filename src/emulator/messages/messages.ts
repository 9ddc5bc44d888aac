import { isReadable } from '../channels/channels.ts';
import { hasText } from '../channels/records.ts';
import type { Clock } from '../clock.ts';
import { SettingError } from '../errors.ts';
import { MOST_RECORDS } from '../limits.ts';
import type { Derive, World } from '../world.ts';
import { type Fragment, fragments, notifies } from './mentions.ts';
import type { Message } from './records.ts';
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
    ...created.filter(readable).flatMap((message): MessageChange[] => {
      const told: MessageChange = { type: 'message-created', message };
      return notifies(tables, message) ? [told, { type: 'notification-created', message }] : [told];
    }),
  ];
};

/** How many of a channel's messages the client holds ready. */
const AT_HAND = 50;
const LONGEST = 4000;

/** The messages of all text channels. */
export class Messages {
  readonly #world: World;
  readonly #clock: Clock;

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
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
    const { channels, users, messages } = this.#world.tables;
    const channel = channels.get(channelId);
    if (channel === undefined) throw new SettingError('channel', 'there is no such channel');
    if (!hasText(channel)) throw new SettingError('channel', 'takes no messages; give a text channel');
    if (!users.has(authorId)) throw new SettingError('author', 'there is no such user');
    checkContent(content);
    if (messages.size >= MOST_RECORDS) {
      throw new SettingError('', `there are ${MOST_RECORDS} messages already; delete some first`);
    }
    const now = this.#clock.now();
    const left = slowmodeLeft(this.#world.tables, channel, authorId, now);
    if (left > 0) {
      throw new SettingError('author', `is in slow mode for another ${Math.ceil(left / 1000)} s`);
    }
    const message: Message = {
      id: this.#world.ids.next(now, (id) => messages.has(id)),
      channel: channelId,
      author: authorId,
      content,
      timestamp: new Date(now).toISOString(),
      edited_timestamp: null,
      tts: false,
      pinned: false,
    };
    return this.#world.transaction((tables) => tables.messages.insert(message));
  }

  /** Changes what a message says. @throws SettingError */
  edit(id: string, content: string): Message {
    this.#find(id);
    checkContent(content);
    const edited_timestamp = new Date(this.#clock.now()).toISOString();
    return this.#world.transaction(({ messages }) => messages.update(id, { content, edited_timestamp }));
  }

  /** Deletes a message. @throws SettingError */
  remove(id: string): Message {
    const message = this.#find(id);
    this.#world.transaction(({ messages }) => messages.remove(id));
    return message;
  }

  #find(id: string): Message {
    const message = this.#world.tables.messages.get(id);
    if (message === undefined)
      throw new SettingError('', `there is no message ${JSON.stringify(id.slice(0, 20))}`);
    return message;
  }
}

function checkContent(content: string): void {
  if (content.length < 1 || content.length > LONGEST) {
    throw new SettingError('text', `must be of 1 to ${LONGEST} characters`);
  }
}
