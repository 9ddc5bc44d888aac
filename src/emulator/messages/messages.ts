import { findUser } from '../accounts/accounts.ts';
import type { Clock } from '../clock.ts';
import { SettingError } from '../errors.ts';
import type { Message } from '../fixture/records.ts';
import { snowflakeAt } from '../fixture/snowflake.ts';
import { hasText } from '../guilds/guilds.ts';
import type { World } from '../world.ts';
import { type Fragment, fragments } from './mentions.ts';

/** How many of a channel's messages the client holds ready. */
const AT_HAND = 50;
const LONGEST = 4000;
const MOST = 10_000;

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
    return this.#world.state.messages.filter(({ channel }) => channel === channelId).slice(-AT_HAND);
  }

  /** A content split at the users it mentions. */
  fragments(content: string): readonly Fragment[] {
    return fragments(this.#world.state, content);
  }

  /** Writes a message. @throws SettingError */
  say(channelId: string, content: string, authorId: string): Message {
    const { state } = this.#world;
    const channel = state.guilds.flatMap((guild) => guild.channels).find(({ id }) => id === channelId);
    if (channel === undefined) throw new SettingError('channel', 'there is no such channel');
    if (!hasText(channel)) throw new SettingError('channel', 'takes no messages');
    if (findUser(state, authorId) === undefined) throw new SettingError('author', 'there is no such user');
    checkContent(content);
    if (state.messages.length >= MOST) {
      throw new SettingError('', `there are ${MOST} messages already; delete some first`);
    }
    const now = this.#clock.now();
    const message: Message = {
      id: snowflakeAt(now, (id) => state.messages.some((other) => other.id === id)),
      channel: channelId,
      author: authorId,
      content,
      timestamp: new Date(now).toISOString(),
      edited_timestamp: null,
      tts: false,
      pinned: false,
    };
    this.#world.commit({ ...state, messages: [...state.messages, message] });
    return message;
  }

  /** Changes what a message says. @throws SettingError */
  edit(id: string, content: string): Message {
    const old = this.#find(id);
    checkContent(content);
    const edited = { ...old, content, edited_timestamp: new Date(this.#clock.now()).toISOString() };
    const { state } = this.#world;
    this.#world.commit({
      ...state,
      messages: state.messages.map((message) => (message === old ? edited : message)),
    });
    return edited;
  }

  /** Deletes a message. @throws SettingError */
  remove(id: string): Message {
    const old = this.#find(id);
    const { state } = this.#world;
    this.#world.commit({ ...state, messages: state.messages.filter((message) => message !== old) });
    return old;
  }

  #find(id: string): Message {
    const message = this.#world.state.messages.find((candidate) => candidate.id === id);
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
