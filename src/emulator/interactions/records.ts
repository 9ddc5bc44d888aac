import { defineRecord, type RowOf, type SchemaParts } from '../kernel/state/record.ts';
import type { AttachmentRecord } from '../messages/attachments/records.ts';
import type { Message } from '../messages/records.ts';
import type { Modal } from './modal-records.ts';

/** What somebody did, in the numbers of the platform. */
export const INTERACTION_TYPES = {
  ping: 1,
  command: 2,
  component: 3,
  autocomplete: 4,
  modalSubmit: 5,
} as const;

/** What a person can do. */
export type InteractionType = 2 | 3 | 4 | 5;

/** What an application may answer with, in the numbers of the platform. */
export const CALLBACKS = {
  pong: 1,
  message: 4,
  deferredMessage: 5,
  deferredUpdate: 6,
  update: 7,
  choices: 8,
  modal: 9,
  premium: 10,
  launch: 12,
} as const;

/** One of what is offered while somebody writes a value. */
export interface Choice {
  readonly name: string;
  readonly name_localizations?: Readonly<Record<string, string>> | undefined;
  readonly value: string | number;
}

/**
 * How far an interaction is. An answer that was put off is `deferred` until it is there; `message` is what `@original` stands
 * for. Nothing but the first answer leaves `waiting`.
 */
export type InteractionState =
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'deferred' | 'answered';
      /** The callback: 4, 5, 6 or 7. */
      readonly by: 4 | 5 | 6 | 7;
      /** Undefined once it was deleted. */
      readonly message: string | undefined;
    }
  | { readonly kind: 'modal'; readonly modal: Modal }
  | { readonly kind: 'choices'; readonly choices: readonly Choice[] }
  | { readonly kind: 'premium' }
  | { readonly kind: 'launched'; readonly instance: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Ids of what an interaction names, of which the application is told more than the id. */
export interface Resolves {
  readonly users?: readonly string[];
  readonly roles?: readonly string[];
  readonly channels?: readonly string[];
  readonly messages?: readonly string[];
  /** Files that came with it: see `keepFile` of the interactions. */
  readonly attachments?: readonly string[];
}

/** What was used, as the application is told of it; `resolved` follows from what it resolves. */
export type InteractionData = Readonly<Record<string, unknown>>;

/** What a message says of the interaction that it answers. */
export type InteractionOrigin = NonNullable<Message['interaction']>;

/** What somebody did with an application, which waits for its answer, and whose token is good for a while after. */
export const interactions = defineRecord({
  name: 'interactions',
  noun: 'interaction',
  key: ['id'],
  transient: true,
  indexes: { token: {} },
  references: {
    application: { to: 'applications', gone: 'remove' },
    user: { to: 'users', gone: 'remove' },
    channel: { to: 'channels', or: 'private_channels', gone: 'remove' },
  },
  schema: ({ table, anyText, anyNumber, given, optional }: SchemaParts) =>
    table({
      id: anyText(),
      token: anyText(),
      type: given<InteractionType>(),
      application: anyText(),
      user: anyText(),
      channel: anyText(),
      /** By the emulator's clock, in milliseconds. */
      begun: anyNumber(),
      data: given<InteractionData>(),
      resolves: given<Resolves>(),
      /** Id of the message whose component was used, or from which the modal was opened. */
      message: optional(anyText()),
      locale: anyText(),
      /** For what of the application's it counts: 0 its installation in a guild, 1 the one of a user. */
      owners: given<Readonly<Record<string, string>>>(),
      origin: given<InteractionOrigin>(),
      /** Over which way the application is told; by the platform itself where that answers in its place. */
      by: given<'gateway' | 'webhook' | 'platform'>(),
      state: given<InteractionState>(),
    }),
});

/** What somebody did with an application. */
export type Interaction = RowOf<typeof interactions>;

/** A message that only one person sees, and that nobody keeps. */
export type EphemeralMessage = Message;

/** Messages that only who used an application sees. */
export const ephemeralMessages = defineRecord({
  name: 'ephemeral_messages',
  noun: 'message for one person',
  key: ['id'],
  transient: true,
  schema: ({ given }: SchemaParts) => given<EphemeralMessage>(),
});

/** Files that nobody keeps: those of such messages, and those that people send with a command or a modal. */
export const ephemeralAttachments = defineRecord({
  name: 'ephemeral_attachments',
  noun: 'file for one person',
  key: ['id'],
  transient: true,
  indexes: { digest: {}, message: {} },
  file: 'digest',
  schema: ({ given }: SchemaParts) => given<AttachmentRecord>(),
});

/** How many components a modal may have at its top. */
export const modalComponents = defineRecord({
  name: 'modal_components',
  noun: 'number of components of a modal',
  singleton: true,
  schema: ({ or, whole }: SchemaParts) => or(whole(1, 40), 5),
});
