import { ApiError, invalidField } from '../api/api-error.ts';
import type { BotCaller } from '../api/caller.ts';
import type { Base } from '../api/world.ts';
import { botUserOf } from '../applications/bot.ts';
import type { ApplicationRecord } from '../applications/records.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import type { HasAutoMod } from '../guilds/automod/automod.ts';
import {
  type AnyChannel,
  accessToAnyChannel,
  type ChannelAccess,
} from '../guilds/channels/channel-access.ts';
import { checkThreadState } from '../guilds/threads/rules.ts';
import { composeMessage } from '../messages/create.ts';
import { editMessage } from '../messages/edit.ts';
import { MESSAGE_FLAGS, MESSAGE_TYPES, type Message } from '../messages/records.ts';
import type { CreateRequest, EditRequest } from '../messages/requests.ts';
import { type NewFile, newMessage, writeMessage } from '../messages/write.ts';
import { messageStoreOf } from './ephemeral.ts';
import type { HasInteractions } from './interactions.ts';
import { CALLBACKS, INTERACTION_TYPES, type Interaction } from './records.ts';

/** Services that these functions need. */
type Needs = Base & HasAutoMod & HasFileAddresses & HasInteractions;

/** Type of a slash command in the data of an interaction; context menu commands have other types. */
const CHAT_INPUT = 1;

/** Allowed callback types per interaction type. */
const ALLOWED: Readonly<Record<Interaction['type'], readonly number[]>> = {
  [INTERACTION_TYPES.command]: [4, 5, 9, 10, 12],
  [INTERACTION_TYPES.component]: [4, 5, 6, 7, 9, 10, 12],
  [INTERACTION_TYPES.autocomplete]: [8],
  [INTERACTION_TYPES.modalSubmit]: [4, 5, 6, 7, 10, 12],
};

/** The bot of an interaction's application, as the author of messages. */
function writerOf({ world }: Pick<Base, 'world'>, { application: id }: Interaction): Writing {
  // The interaction would have been removed with its application.
  const application = world.tables.applications.get(id) as ApplicationRecord;
  return { application, user: botUserOf(world, application) };
}

interface Writing extends Pick<BotCaller, 'user'> {
  readonly application: ApplicationRecord;
}

/**
 * Channel of the interaction. The interaction's token allows all answers, whatever the bot may do in the channel.
 * Threads are the exception: only the bot's own permission reopens a locked thread.
 */
function answerChannelOf(platform: Base, interaction: Interaction): ChannelAccess<AnyChannel> {
  const { channel: id } = interaction;
  const { channels, private_channels } = platform.world.tables;
  // The interaction would have been removed with its channel.
  const channel = (channels.get(id) ?? private_channels.get(id)) as AnyChannel;
  const managesThreads = (): boolean =>
    accessToAnyChannel(platform, id, writerOf(platform, interaction).user)?.may('MANAGE_THREADS') === true;
  return {
    channel,
    may: (permission) => permission !== 'MANAGE_THREADS' || managesThreads(),
    need: () => undefined,
  };
}

/** Checks a public answer. @throws ApiError 160005 in a locked thread. */
function checkMayAnswer(access: ChannelAccess<AnyChannel>, flags: number): void {
  if ((flags & MESSAGE_FLAGS.ephemeral) === 0) checkThreadState(access, 'send');
}

/**
 * The interaction that still waits for its first answer, of this callback type.
 * @throws ApiError 10062 for an unknown or expired interaction, 40060 for an answered one, 50035.
 */
export function waitingFor(
  { interactions }: HasInteractions,
  reference: { readonly id: string; readonly token: string },
  callback: number,
): Interaction {
  const interaction = interactions.get(reference.id);
  const isKnown =
    interaction !== undefined &&
    interactions.byToken(interaction.application, reference.token)?.id === interaction.id &&
    interactions.isOpen(interaction);
  if (!isKnown || interaction.state.kind === 'failed') throw new ApiError('UnknownInteraction');
  if (interaction.state.kind !== 'waiting') throw new ApiError('InteractionHasAlreadyBeenAcknowledged');
  checkAllowed(interaction, callback);
  return interaction;
}

/** @throws ApiError 50035 for a callback type that this type of interaction does not allow. */
function checkAllowed({ type, message }: Interaction, callback: number): void {
  const allowed = ALLOWED[type].filter((one) => message !== undefined || (one !== 6 && one !== 7));
  if (allowed.includes(callback)) return;
  const sentence = `Value must be one of {${allowed.join(', ')}}.`;
  throw invalidField(['type'], 'BASE_TYPE_CHOICES', sentence);
}

/**
 * The interaction of a token with which its application writes messages; undefined for a token of no interaction.
 * @throws ApiError 50027 for the token of another application, or an expired one.
 */
export function interactionOfToken(
  platform: Pick<Base, 'world'> & HasInteractions,
  {
    webhook_id: application,
    webhook_token: token,
  }: { readonly webhook_id: string; readonly webhook_token: string },
): Interaction | undefined {
  const interaction = platform.interactions.byToken(application, token);
  if (interaction !== undefined) return acknowledged(platform, interaction);
  const { applications, channel_webhooks } = platform.world.tables;
  if (applications.has(application) && !channel_webhooks.has(application))
    throw new ApiError('InvalidWebhookToken');
  return undefined;
}

/**
 * Returns the interaction if it accepts messages. @throws ApiError 50027 when its token has expired, 10015 before its
 * first answer.
 */
function acknowledged({ interactions }: HasInteractions, interaction: Interaction): Interaction {
  if (!interactions.isOpen(interaction)) throw new ApiError('InvalidWebhookToken');
  const { kind } = interaction.state;
  if (kind === 'waiting' || kind === 'failed' || kind === 'choices') throw new ApiError('UnknownWebhook');
  return interaction;
}

/** Type and reference of an answer message, by the type of its interaction. */
function kindOf(platform: Pick<Base, 'world'>, interaction: Interaction): Partial<Message> {
  const { type, message, data } = interaction;
  const isUsed = type === INTERACTION_TYPES.component || type === INTERACTION_TYPES.modalSubmit;
  if (isUsed && message !== undefined) return replyTo(platform, interaction.channel, message);
  const command = type === INTERACTION_TYPES.modalSubmit ? undefined : (data['type'] ?? CHAT_INPUT);
  if (command === undefined || command === CHAT_INPUT) return { type: MESSAGE_TYPES.command };
  return { type: MESSAGE_TYPES.contextMenu };
}

function replyTo({ world }: Pick<Base, 'world'>, channel: string, message: string): Partial<Message> {
  if (!world.tables.messages.has(message)) return {};
  return { type: MESSAGE_TYPES.reply, about: { kind: 'reply', channel, message } };
}

/**
 * Writes a message as the first answer to an interaction. The message is ephemeral where its flags say so. @throws
 * ApiError
 */
export function answerWithMessage(
  platform: Needs,
  interaction: Interaction,
  body: CreateRequest,
  files: readonly NewFile[] = [],
): void {
  const known = { ...kindOf(platform, interaction), interaction: interaction.origin };
  const { id: message } = write(platform, interaction, body, files, known);
  platform.interactions.settle(interaction.id, { kind: 'answered', by: CALLBACKS.message, message });
}

/** Defers the first answer: creates an empty loading message. @throws ApiError */
export function deferMessage(platform: Needs, interaction: Interaction, flags: number): void {
  const { world, clock } = platform;
  const access = answerChannelOf(platform, interaction);
  checkMayAnswer(access, flags);
  const { channel } = access;
  const { user, application } = writerOf(platform, interaction);
  const message = newMessage(world, clock.now(), {
    channel: channel.id,
    author: user.id,
    flags: MESSAGE_FLAGS.loading | (flags & MESSAGE_FLAGS.ephemeral),
    application: application.id,
    ...kindOf(platform, interaction),
    interaction: interaction.origin,
  });
  world.transaction((tables) => writeMessage(tables, { message }));
  const state = { kind: 'deferred', by: CALLBACKS.deferredMessage, message: message.id } as const;
  platform.interactions.settle(interaction.id, state);
}

/** Writes a follow-up message. The first follow-up fills a deferred answer that is still empty. @throws ApiError */
export function followUp(
  platform: Needs,
  interaction: Interaction,
  body: CreateRequest,
  files: readonly NewFile[] = [],
): Message {
  const { state, origin } = acknowledged(platform, interaction);
  const isPutOff = state.kind === 'deferred' && state.by === CALLBACKS.deferredMessage;
  if (isPutOff && platform.interactions.message(state.message ?? '') !== undefined) {
    const edit = { ...body, attachments: body.attachments } as EditRequest;
    return editAnswer(platform, interaction, answerOf(platform, interaction), edit, files);
  }
  const original = 'message' in state ? state.message : undefined;
  const message = write(platform, interaction, body, files, {
    ...(original === undefined ? {} : replyTo(platform, interaction.channel, original)),
    interaction: { ...origin, ...(original === undefined ? {} : { original }) },
  });
  platform.interactions.noteFollowUp(interaction.id, message.id);
  return message;
}

function write(
  platform: Needs,
  interaction: Interaction,
  body: CreateRequest,
  files: readonly NewFile[],
  known: Partial<Message>,
): Message {
  const writer = writerOf(platform, interaction);
  const access = answerChannelOf(platform, interaction);
  checkMayAnswer(access, body.flags ?? 0);
  const flags = (body.flags ?? 0) & MESSAGE_FLAGS.ephemeral;
  const composed = composeMessage(platform, writer, access, body, files, { ...known, flags });
  return platform.world.transaction((tables) => writeMessage(tables, composed));
}

/**
 * A message written with the token of an interaction, by its id. Without an id, the `@original` message: the first
 * answer or, for an update, the message of the component. @throws ApiError 10008 for any other message.
 */
export function answerOf(platform: Needs, interaction: Interaction, id?: string): Message {
  const { state } = acknowledged(platform, interaction);
  const original = 'message' in state ? state.message : undefined;
  const message = platform.interactions.message(id ?? original ?? '');
  if (message === undefined || !(message.id === original || message.interaction?.id === interaction.id))
    throw new ApiError('UnknownMessage');
  return message;
}

/** Edits a message of the interaction's application where the message is stored. @throws ApiError */
export function editStored(
  platform: Needs,
  interaction: Interaction,
  message: Message,
  body: EditRequest,
  files: readonly NewFile[],
): Message {
  const access = answerChannelOf(platform, interaction);
  const writer = writerOf(platform, interaction);
  return editMessage(messageStoreOf(platform, message), writer, access, message, body, files);
}

/** Edits a message written with the interaction's token. @throws ApiError */
export function editAnswer(
  platform: Needs,
  interaction: Interaction,
  message: Message,
  body: EditRequest,
  files: readonly NewFile[] = [],
): Message {
  const store = messageStoreOf(platform, message);
  const flags = message.flags ?? 0;
  const isLoading = (flags & MESSAGE_FLAGS.loading) !== 0;
  const edited = store.world.transaction((tables) => {
    const next = editStored(platform, interaction, message, body, files);
    if (!isLoading) return next;
    // A completed deferred message does not count as edited.
    const { flags: after = 0, ...rest } = next;
    const left = after & ~MESSAGE_FLAGS.loading;
    return tables.messages.replace({
      ...rest,
      edited_timestamp: null,
      ...(left === 0 ? {} : { flags: left }),
    });
  });
  const { state } = interaction;
  if (state.kind === 'deferred' && state.message === message.id) {
    platform.interactions.settle(interaction.id, { ...state, kind: 'answered' });
  }
  return edited;
}
