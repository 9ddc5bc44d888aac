import type { Base } from '../api/world.ts';
import { type InputFile, readFiles } from '../files/input-files.ts';
import type { HasFileStore } from '../files/store.ts';
import type { HasAutoMod } from '../guilds/automod/automod.ts';
import { type AnyChannel, accessToAnyChannel, noAccess } from '../guilds/channels/channel-access.ts';
import { openDirect } from '../guilds/channels/private-channels.ts';
import { isPrivate } from '../guilds/channels/private-records.ts';
import { isIn, memberOf } from '../guilds/members/membership.ts';
import { checkThreadState } from '../guilds/threads/rules.ts';
import { SettingError } from '../kernel/errors.ts';
import type { Permission } from '../kernel/permission-bits.ts';
import type { User } from '../users/records.ts';
import type { FileAddress } from './attachments/attachments.ts';
import { maxFileBytes, withUploads } from './attachments/uploads.ts';
import { createMessage } from './create.ts';
import { deleteAnswer, deleteMessage } from './delete.ts';
import { editMessage } from './edit.ts';
import { type Fragment, fragments, type Mentions, mentionsOf } from './mentions.ts';
import { carriedBy } from './presenting.ts';
import { isSystem, type Message } from './records.ts';
import { asSettingError, checkText } from './refusal-text.ts';
import { checkRevision } from './revision.ts';
import { type NewFile, tablesOf } from './write.ts';
import type { Writer } from './writer.ts';

/** Number of messages per channel that the client has loaded. */
const AT_HAND = 50;

/** Further parts of a user's message. */
export interface More {
  /** Id of the message that it answers. */
  readonly reply?: string | undefined;
  readonly files?: readonly NewFile[];
}

/** The messages of all text channels. */
export class Messages {
  readonly #platform: Base & HasAutoMod & HasFileStore;
  readonly #address: FileAddress;

  constructor(platform: Base & HasAutoMod & HasFileStore, address: FileAddress) {
    this.#platform = platform;
    this.#address = address;
  }

  /** Parts of a message other than its text, in the form that every reader of the channel sees. */
  parts(message: Message): ReturnType<typeof carriedBy> & { readonly mentions: Mentions } {
    const { tables } = this.#platform.world;
    const files = [...tables.attachments.by('message', message.id)];
    return { ...carriedBy(message, files, this.#address), mentions: mentionsOf(tables, message) };
  }

  /** The last 50 messages of a channel, newest last. */
  of(channelId: string): readonly Message[] {
    return this.#platform.world.tables.messages.by('channel', channelId).last(AT_HAND);
  }

  /** Splits a content at the users it mentions. */
  fragments(content: string): readonly Fragment[] {
    return fragments(this.#platform.world.tables, content);
  }

  /** Writes a message. @throws SettingError */
  send(channelId: string, content: string, authorId: string, { reply, files = [] }: More = {}): Message {
    const { channels, private_channels, users } = this.#platform.world.tables;
    const channel = channels.get(channelId) ?? private_channels.get(channelId);
    if (channel === undefined) throw new SettingError('channel', 'there is no such channel');
    const user = users.get(authorId);
    if (user === undefined) throw new SettingError('author', 'there is no such user');
    if (files.length === 0) checkText(content);
    const access = accessToAnyChannel(this.#platform, channelId, user);
    if (access === undefined) throw new SettingError('author', this.#whyUnseen(channel, authorId));
    const need: typeof access.need = (...permissions) => {
      const lacking = permissions.find((one) => !access.may(one));
      if (lacking !== undefined) throw new SettingError('author', this.#whyNot(channel, authorId, lacking));
    };
    if (reply !== undefined) this.#checkReply(channelId, reply);
    const body = reply === undefined ? { content } : { content, message_reference: { message_id: reply } };
    return asSettingError(() => createMessage(this.#platform, { user }, { ...access, need }, body, files));
  }

  /** Stores files while `send` writes the message that has them. @throws SettingError */
  async withFiles(
    sent: readonly InputFile[],
    send: (files: readonly NewFile[]) => Message,
  ): Promise<Message> {
    const files = readFiles('files', sent, maxFileBytes(this.#platform));
    const uploaded = files.map(({ name, type = '', bytes }, index) => ({
      field: `files[${index}]`,
      name,
      // A message stores the type alone.
      type: type.replace(/;.*$/, ''),
      bytes,
    }));
    return withUploads(this.#platform, uploaded, undefined, send);
  }

  /** Sends a private message, and opens the private channel if it does not exist yet. @throws SettingError */
  sendTo(userId: string, content: string, authorId: string, more: More = {}): Message {
    const { users } = this.#platform.world.tables;
    if (userId === authorId)
      throw new SettingError('channel', 'users cannot send private messages to themselves');
    if (!users.has(userId)) throw new SettingError('channel', 'there is no such user');
    if (!users.has(authorId)) throw new SettingError('author', 'there is no such user');
    if ((more.files ?? []).length === 0) checkText(content);
    // The transaction also undoes the opening of the channel when the message is refused.
    return this.#platform.world.transaction(() => {
      const { id } = openDirect(this.#platform, authorId, userId);
      return this.send(id, content, authorId, more);
    });
  }

  /** Changes the text of a message. @throws SettingError */
  edit(id: string, content: string): Message {
    const message = this.#find(id);
    checkText(content);
    const { channels, private_channels, users, applications } = this.#platform.world.tables;
    const target = (channels.get(message.channel) ?? private_channels.get(message.channel)) as AnyChannel;
    const user = users.get(message.author ?? '');
    const { webhook } = message;
    const application = applications.get(message.application ?? '');
    const writer = (webhook === undefined ? { user, application } : { webhook, application }) as Writer;
    const access =
      user === undefined
        ? // A webhook needs no permissions.
          { channel: target, may: () => true, need: () => undefined }
        : (accessToAnyChannel(this.#platform, target.id, user) ?? noAccess(target));
    return asSettingError(() => editMessage(this.#platform, writer, access, message, { content }));
  }

  /**
   * Deletes a message of any author or, with `user`, as that user may: as its author, with the permission to manage
   * messages, or as the reader of an ephemeral message. @throws SettingError, StaleRevision
   */
  remove(id: string, user?: User, revision?: string): Message {
    const { tables } = this.#platform.world;
    const own = user === undefined ? undefined : tables.ephemeral_messages.get(id);
    const message = own?.interaction?.user === user?.id && own !== undefined ? own : this.#find(id);
    checkRevision(tablesOf(tables, message), message, revision);
    if (message === own) deleteAnswer(this.#platform, message);
    else {
      if (user !== undefined) this.#checkMayDelete(message, user);
      asSettingError(() => deleteMessage(this.#platform, message));
    }
    return message;
  }

  #checkMayDelete({ author, channel }: Message, user: User): void {
    const access = accessToAnyChannel(this.#platform, channel, user);
    if (access === undefined) throw new SettingError('user', 'cannot see this channel');
    if (author !== user.id && !access.may('MANAGE_MESSAGES'))
      throw new SettingError('user', 'has no permission MANAGE_MESSAGES in this channel');
    asSettingError(() => checkThreadState(access, 'delete'));
  }

  #checkReply(channelId: string, reply: string): void {
    const found = this.#platform.world.tables.messages.get(reply);
    const what = JSON.stringify(reply.slice(0, 20));
    if (found?.channel !== channelId)
      throw new SettingError('reply', `there is no message ${what} in this channel`);
    if (isSystem(found))
      throw new SettingError('reply', `nobody can reply to ${what}: it is a system message`);
  }

  #whyUnseen(channel: AnyChannel, author: string): string {
    if (isPrivate(channel)) return 'is not in this private channel';
    return isIn(this.#platform.world.tables, channel.guild, author)
      ? 'cannot see this channel'
      : 'is not a member of the guild of this channel';
  }

  #whyNot(channel: AnyChannel, author: string, lacking: Permission): string {
    const { world, clock } = this.#platform;
    const member = isPrivate(channel) ? undefined : memberOf(world.tables, channel.guild, author);
    const until = member?.communication_disabled_until ?? null;
    return until !== null && Date.parse(until) > clock.now()
      ? `is timed out until ${until}`
      : `has no permission ${lacking} in this channel`;
  }

  #find(id: string): Message {
    const message = this.#platform.world.tables.messages.get(id);
    if (message === undefined)
      throw new SettingError('', `there is no message ${JSON.stringify(id.slice(0, 20))}`);
    return message;
  }
}
