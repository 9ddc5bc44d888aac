import type { Reading } from '../api/world.ts';
import type { ApplicationRecord } from '../applications/records.ts';
import { permissionsIn } from '../guilds/channels/access.ts';
import { isDirect, isPrivate } from '../guilds/channels/private-records.ts';
import { isIn } from '../guilds/members/membership.ts';
import { SettingError } from '../kernel/errors.ts';
import { bitsOf } from '../kernel/permission-bits.ts';
import type { Message } from '../messages/records.ts';
import {
  INTERACTION_TYPES,
  type Interaction,
  type InteractionData,
  type InteractionOrigin,
  type InteractionType,
  type Resolves,
} from './records.ts';

/** A user's action with an application. */
export interface Beginning {
  /** Id of a stored application. */
  readonly application: string;
  /** Id of the acting user. */
  readonly user: string;
  /** Id of a channel that the user can see, in a guild or private. */
  readonly channel: string;
  /** 2: the user uses a command, 3: uses a component, 4: types an option of a command, 5: submits a modal. */
  readonly type: InteractionType;
  /** Data in the form that the application receives, without `resolved`. */
  readonly data: InteractionData;
  /** Ids of the objects in `resolved`. */
  readonly resolves?: Resolves | undefined;
  /** Id of the message with the component, for type 3. */
  readonly message?: string | undefined;
  /** Id of the interaction that opened the modal, for type 5. */
  readonly from?: string | undefined;
  /** Whether the platform itself answers and the application receives no interaction. */
  readonly isOwn?: boolean | undefined;
  /** IETF language tag; default: the user's own. */
  readonly locale?: string | undefined;
}

/** Values beside the user's input that the fields of an interaction are computed from. */
interface Around {
  /** Emulator time in milliseconds. */
  readonly now: number;
  readonly previous: Interaction | undefined;
  /** Whether a user has added an application to their own account. */
  readonly isInstalledBy: (user: string, application: ApplicationRecord) => boolean;
}

type Begun = Omit<Interaction, 'id' | 'token' | 'begun' | 'state'>;

const VIEW_CHANNEL = bitsOf('VIEW_CHANNEL');

/**
 * Checks a user's action and returns the interaction it begins. @throws SettingError for an action that the client does
 * not offer to the user.
 */
export function begunBy(tables: Reading, input: Beginning, around: Around): Begun {
  const { application, user: userId, type, data, resolves = {} } = input;
  const known = tables.applications.get(application);
  if (known === undefined) {
    throw new SettingError('application', 'is not written down; add it to the fixture, or by a patch');
  }
  const user = tables.users.get(userId);
  if (user === undefined) throw new SettingError('user', 'there is no such user');
  if (user.bot) throw new SettingError('user', 'is a bot; only human users use applications');
  checkInView(tables, input, around.now);
  const from = type === INTERACTION_TYPES.modalSubmit ? openedModal(input, around.previous) : undefined;
  const message = from === undefined ? usedMessage(tables, input)?.id : from.message;
  const owners = ownersOf(tables, input, known, around);
  return {
    type,
    application,
    user: userId,
    channel: input.channel,
    data,
    resolves,
    ...(message === undefined ? {} : { message }),
    locale: input.locale ?? user.locale,
    owners,
    origin: originOf(input, message, owners, from),
    by: wayOf(input, known),
  };
}

function wayOf({ isOwn }: Beginning, { interactions_endpoint_url: url }: ApplicationRecord): Begun['by'] {
  if (isOwn === true) return 'platform';
  return (url ?? null) === null ? 'gateway' : 'webhook';
}

/** Checks that the user can see the channel. @throws SettingError for any other channel. */
function checkInView(tables: Reading, { channel: id, user }: Beginning, now: number): void {
  const channel = tables.channels.get(id) ?? tables.private_channels.get(id);
  const isSeen =
    channel !== undefined &&
    (isPrivate(channel)
      ? channel.recipients.includes(user)
      : (permissionsIn(tables, channel, user, now) & VIEW_CHANNEL) !== 0n);
  if (!isSeen) throw new SettingError('channel', 'there is no such channel, or the user does not see it');
}

/** The message whose component was used. @throws SettingError */
function usedMessage(tables: Reading, { type, message: id, ...rest }: Beginning): Message | undefined {
  if (type !== INTERACTION_TYPES.component) return undefined;
  const message = tables.messages.get(id ?? '') ?? tables.ephemeral_messages.get(id ?? '');
  if (message === undefined || message.channel !== rest.channel) {
    throw new SettingError('message', 'there is no such message in this channel');
  }
  if (message.application !== rest.application) {
    throw new SettingError('message', 'was not written by this application');
  }
  if (tables.ephemeral_messages.has(message.id) && message.interaction?.user !== rest.user) {
    throw new SettingError('message', 'is ephemeral for another user');
  }
  return message;
}

/** The interaction that opened the submitted modal. @throws SettingError */
function openedModal({ user, application }: Beginning, from: Interaction | undefined): Interaction {
  if (from?.state.kind !== 'modal')
    throw new SettingError('interaction', 'no modal was opened by this interaction');
  if (from.user !== user || from.application !== application) {
    throw new SettingError('interaction', 'is of another user or application');
  }
  return from;
}

/** Installation owners of the interaction: the guild and the user, each only if the application is installed there. */
function ownersOf(
  tables: Reading,
  { channel: id, user }: Beginning,
  application: ApplicationRecord,
  { isInstalledBy }: Around,
): Readonly<Record<string, string>> {
  const guild = tables.channels.get(id)?.guild;
  const bot = application.bot_user ?? application.id;
  const isOwn = isInstalledBy(user, application);
  const direct = tables.private_channels.get(id);
  const isWithBot = direct !== undefined && isDirect(direct) && direct.recipients.includes(bot);
  return {
    // A guild without the application is still an owner, unless the user's own installation explains the use.
    ...(guild !== undefined &&
    (!isOwn || isIn(tables, guild, bot) || tables.command_installs.has(application.id, guild))
      ? { 0: guild }
      : isWithBot
        ? { 0: '0' }
        : {}),
    ...(isOwn ? { 1: user } : {}),
  };
}

function originOf(
  { type, user, data }: Beginning,
  message: string | undefined,
  owners: Readonly<Record<string, string>>,
  from: Interaction | undefined,
): InteractionOrigin {
  const text = (key: string): string | undefined =>
    typeof data[key] === 'string' ? (data[key] as string) : undefined;
  const base = { id: '0', type, user, owners };
  if (type === INTERACTION_TYPES.modalSubmit) {
    const { original: _, triggered_by: __, ...triggered } = (from as Interaction).origin;
    return { ...base, triggered_by: triggered };
  }
  if (type === INTERACTION_TYPES.component) return { ...base, interacted_message: message };
  const target = text('target_id');
  return {
    ...base,
    name: text('name'),
    ...(target === undefined
      ? {}
      : data['type'] === USER_COMMAND
        ? { target_user: target }
        : { target_message: target }),
  };
}

/** Type of a context menu command for users; the other context menu type is for messages. */
const USER_COMMAND = 2;
