import { setTimeout as delay } from 'node:timers/promises';
import type * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import type { Base } from '../../api/world.ts';
import { type HasFileAddresses, withoutSignatures } from '../../files/addresses.ts';
import { ACCESS_TABLES } from '../../guilds/channels/access.ts';
import {
  type AnyChannel,
  accessToAnyChannel,
  type ChannelAccess,
  takesMessages,
} from '../../guilds/channels/channel-access.ts';
import { privateName } from '../../guilds/channels/private-channels.ts';
import { isPrivate } from '../../guilds/channels/private-records.ts';
import { checkReachable } from '../../guilds/channels/reachable.ts';
import { isThread } from '../../guilds/channels/records.ts';
import { checkThreadState } from '../../guilds/threads/rules.ts';
import { SettingError } from '../../kernel/errors.ts';
import { isBefore, timeOf } from '../../kernel/snowflake.ts';
import { messageAnswer, type Viewer } from '../../messages/answers.ts';
import type { Message } from '../../messages/records.ts';
import { revisionOf, shortHash } from '../../messages/revision.ts';
import type { messageShape } from '../../messages/shapes.ts';
import type { HasTyping } from '../../messages/typing.ts';
import { tablesOf } from '../../messages/write.ts';
import type { User } from '../../users/records.ts';
import { type Names, namesIn } from './names.ts';

/** Services that these functions need. */
type Needs = Base & HasFileAddresses & HasTyping;

/** A message as one user sees it. */
export interface DrawnMessage {
  readonly revision: string;
  readonly ephemeral: boolean;
  readonly message: z.output<typeof messageShape>;
}

interface ViewedChannel {
  readonly id: string;
  readonly name: string;
  readonly type: number;
  readonly guild_id: string | null;
  readonly topic: string | null;
}

/** Part of a view that says who sees what. */
interface Seen extends Names {
  readonly viewer: { readonly id: string; readonly username: string };
  readonly channel: ViewedChannel;
}

/** A channel as one user sees it. */
export interface ChannelView extends Seen {
  readonly revision: string;
  /** The oldest first. */
  readonly messages: readonly DrawnMessage[];
  readonly typing: readonly string[];
  readonly may: { readonly say: boolean; readonly react: boolean; readonly attach: boolean };
  /** Whether there are older messages. */
  readonly more: boolean;
}

/** A message with its channel as one user sees it. */
export interface MessageView extends Seen, DrawnMessage {}

/** Part of a channel to view. */
export interface ViewedPart {
  /** Only messages before this id. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
}

/** A user's client shows the content of every message that the user can see. */
const CLIENT = { id: '0', intents: ['message_content'] } satisfies NonNullable<
  Viewer['caller']
>['application'];

const DEFAULT_LIMIT = 50;
/** Interval between two views while a caller waits (ms): a busy channel then costs a view at most this often. */
const GATHER_MS = 50;
/** Time after which a waiting caller looks again, because typing ends without a change of the state (ms). */
const LOOK_AGAIN_MS = 1000;

/** Tables that views show. */
const TABLES = [
  ...ACCESS_TABLES,
  'users',
  'private_channels',
  'messages',
  'attachments',
  'ephemeral_messages',
  'ephemeral_attachments',
  'reactions',
  'poll_votes',
] as const;

/** Channels and messages as the users of the platform see them in their clients. */
export class ChannelViews {
  readonly #platform: Needs;
  readonly #base: () => string;

  /** `base` returns the base URL of the API, for files; empty while no server is running. */
  constructor(platform: Needs, base: () => string) {
    this.#platform = platform;
    this.#base = base;
  }

  /** A channel as a user sees it. @throws SettingError for a channel that the user does not see. */
  channel(channelId: string, user: User, { before, limit = DEFAULT_LIMIT }: ViewedPart = {}): ChannelView {
    const { typing } = this.#platform;
    const access = this.#access(channelId, user);
    const { latest, more } = this.#messages(access, user, before, limit);
    const messages = latest.map((message) => this.#drawn(message, user));
    // A message ends the typing indicator of its author.
    const typers = [...typing.in(channelId)]
      .filter(
        ([id, since]) =>
          id !== user.id && !latest.some((one) => one.author === id && timeOf(one.id) >= since),
      )
      .map(([id]) => id);
    const text = textOf(messages);
    const rest = {
      ...this.#seen(access, user, [text, ...typers]),
      typing: typers,
      may: this.#may(access, user),
      more,
    };
    return { revision: shortHash(text + JSON.stringify(rest)), messages, ...rest };
  }

  /**
   * Like {@link channel}, but waits up to `ms` of the machine's time while the revision is still `after`. @throws
   * SettingError also when the channel goes meanwhile.
   */
  async changed(
    channelId: string,
    user: User,
    part: ViewedPart,
    { after, ms }: { readonly after: string | undefined; readonly ms: number },
  ): Promise<ChannelView> {
    const until = performance.now() + ms;
    for (;;) {
      const view = this.channel(channelId, user, part);
      const left = (): number => Math.max(0, until - performance.now());
      if (view.revision !== after || left() === 0) return view;
      await this.#nextChange(Math.min(left(), LOOK_AGAIN_MS));
      await delay(Math.min(left(), GATHER_MS), undefined, { ref: false });
    }
  }

  /** A message as a user sees it. @throws SettingError for a message that the user does not see. */
  message(id: string, user: User): MessageView {
    const message = this.#found(id, user);
    const access = this.#access(message.channel, user);
    const isOwn = this.#platform.world.tables.ephemeral_messages.has(id);
    if (!isOwn && !access.may('READ_MESSAGE_HISTORY'))
      throw new SettingError(
        'channel',
        `${user.username} has no permission READ_MESSAGE_HISTORY in this channel`,
      );
    const drawn = this.#drawn(message, user);
    return { ...drawn, ...this.#seen(access, user, [textOf([drawn])]) };
  }

  #found(id: string, user: User): Message {
    const { messages, ephemeral_messages } = this.#platform.world.tables;
    const ephemeral = ephemeral_messages.get(id);
    const found = messages.get(id) ?? (ephemeral?.interaction?.user === user.id ? ephemeral : undefined);
    if (found !== undefined) return found;
    const why =
      ephemeral === undefined ? '' : `, or not for ${user.username}: it is ephemeral for another user`;
    throw new SettingError('', `there is no message ${JSON.stringify(id.slice(0, 20))}${why}`);
  }

  #access(channelId: string, user: User): ChannelAccess<AnyChannel> {
    const access = accessToAnyChannel(this.#platform, channelId, user);
    if (access === undefined) throw new SettingError('channel', `${user.username} does not see this channel`);
    return access;
  }

  /** Messages of the channel, and those that only the user sees, the oldest first. */
  #messages(
    { channel, may }: ChannelAccess<AnyChannel>,
    user: User,
    before: string | undefined,
    limit: number,
  ) {
    const { messages, ephemeral_messages } = this.#platform.world.tables;
    const all = messages.by('channel', channel.id);
    // Without the permission, the history is empty, as over HTTP.
    const page = !may('READ_MESSAGE_HISTORY')
      ? []
      : before === undefined
        ? all.last(limit)
        : all.before(before, limit);
    const own = [...ephemeral_messages.by('channel', channel.id)].filter(
      (one) => one.interaction?.user === user.id && (before === undefined || isBefore(one.id, before)),
    );
    const both =
      own.length === 0 ? page : [...page, ...own].toSorted((a, b) => (isBefore(a.id, b.id) ? -1 : 1));
    const latest = both.slice(-limit);
    const [oldest] = page;
    const more = latest.length < both.length || (oldest !== undefined && all.before(oldest.id, 1).length > 0);
    return { latest, more };
  }

  #drawn(message: Message, user: User): DrawnMessage {
    const { world, files } = this.#platform;
    const ephemeral = world.tables.ephemeral_messages.has(message.id);
    const tables = tablesOf(world.tables, message);
    const base = this.#base();
    const address: Viewer['address'] = (file) =>
      // Without a running server, the file has no URL that can be fetched.
      base === '' ? `attachment://${file.filename}` : files.of(base, message.channel, file);
    return {
      revision: revisionOf(tables, message),
      ephemeral,
      message: messageAnswer(
        { tables, publicTables: world.tables, caller: { user, application: CLIENT }, address },
        message,
      ),
    };
  }

  #seen({ channel }: ChannelAccess<AnyChannel>, user: User, texts: readonly string[]): Seen {
    const { tables } = this.#platform.world;
    const guild = isPrivate(channel) ? undefined : channel.guild;
    return {
      channel: {
        id: channel.id,
        name: isPrivate(channel) ? privateName(tables, channel, user.id) : channel.name,
        type: channel.type,
        guild_id: guild ?? null,
        topic: isPrivate(channel) ? null : channel.topic,
      },
      viewer: { id: user.id, username: user.username },
      ...namesIn(tables, [...texts, user.id].join(' '), { guild, viewer: user.id }),
    };
  }

  /** What the composer offers; the functions that carry it out check the same again. */
  #may(access: ChannelAccess<AnyChannel>, user: User): ChannelView['may'] {
    const { channel, may } = access;
    const { tables } = this.#platform.world;
    const passes = (check: () => void): boolean => {
      try {
        check();
        return true;
      } catch (error) {
        if (error instanceof ApiError) return false;
        throw error;
      }
    };
    const say =
      takesMessages(channel) &&
      may(isThread(channel) ? 'SEND_MESSAGES_IN_THREADS' : 'SEND_MESSAGES') &&
      passes(() => checkThreadState(access, 'send')) &&
      passes(() => (isPrivate(channel) ? checkReachable(tables, channel, user) : undefined));
    const react =
      may('ADD_REACTIONS') && may('READ_MESSAGE_HISTORY') && passes(() => checkThreadState(access, 'react'));
    return { say, react, attach: say && may('ATTACH_FILES') };
  }

  /** Resolves after a change of a table that views show, or after `ms`. */
  async #nextChange(ms: number): Promise<void> {
    const over = new AbortController();
    const wake = (): void => over.abort();
    const stop = this.#platform.world.subscribeCommits(
      (commit) => {
        if (commit.touches(...TABLES)) wake();
      },
      { name: 'a view of a channel', recover: wake },
    );
    await delay(ms, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
    stop();
  }
}

/** Messages as text. The address of a file contains the time, which is no change of the message. */
function textOf(messages: readonly DrawnMessage[]): string {
  return withoutSignatures(JSON.stringify(messages));
}
