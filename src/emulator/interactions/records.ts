import { defineRecord, type RowOf, type SchemaParts } from '../kernel/state/record.ts';
import type { AttachmentRecord } from '../messages/attachments/records.ts';
import type { Message } from '../messages/records.ts';

/** Interaction types of the platform. */
export const INTERACTION_TYPES = {
  ping: 1,
  command: 2,
  component: 3,
  autocomplete: 4,
  modalSubmit: 5,
} as const;

/** Interaction types of user actions. */
export type InteractionType = 2 | 3 | 4 | 5;

/** Callback types of the platform. */
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

/** A suggestion for the value of an option. */
export interface Choice {
  readonly name: string;
  readonly name_localizations?: Readonly<Record<string, string>> | undefined;
  readonly value: string | number;
}

/** A component of a message or a modal, in its stored form. */
export interface Component {
  readonly type: number;
  readonly id?: number;
  readonly custom_id?: string;
  readonly label?: string;
  readonly disabled?: boolean;
  readonly components?: readonly Component[];
  readonly component?: Component;
  readonly accessory?: Component;
  readonly [key: string]: unknown;
}

/** A modal that an application opened. */
export interface Modal {
  readonly custom_id: string;
  readonly title: string;
  readonly components: readonly Component[];
}

/**
 * State of an interaction. A deferred answer is `deferred` until it is complete; `message` is the `@original` message.
 * Only the first answer leaves `waiting`.
 */
export type InteractionState =
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'deferred' | 'answered';
      /** The callback type. */
      readonly by: 4 | 5 | 6 | 7;
      /** Undefined after the message was deleted. */
      readonly message: string | undefined;
    }
  | { readonly kind: 'modal'; readonly modal: Modal }
  | { readonly kind: 'choices'; readonly choices: readonly Choice[] }
  | { readonly kind: 'premium' }
  | { readonly kind: 'launched'; readonly instance: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Ids of the objects that an interaction refers to and that `resolved` describes. */
export interface Resolves {
  readonly users?: readonly string[];
  readonly roles?: readonly string[];
  readonly channels?: readonly string[];
  readonly messages?: readonly string[];
  /** Ids of the interaction's files, which `storeFile` of the interactions returned. */
  readonly attachments?: readonly string[];
}

/** Data of an interaction in the form that the application receives, without `resolved`. */
export type InteractionData = Readonly<Record<string, unknown>>;

/** Reference of an answer message to its interaction. */
export type InteractionOrigin = NonNullable<Message['interaction']>;

/** An interaction. It waits for its first answer, and its token remains valid for 15 minutes after it began. */
export const interactions = defineRecord({
  name: 'interactions',
  noun: 'interaction',
  key: ['id'],
  transient: true,
  indexes: { token: {} },
  references: {
    application: { to: 'applications', onRemoval: 'remove' },
    user: { to: 'users', onRemoval: 'remove' },
    channel: { to: 'channels', or: 'private_channels', onRemoval: 'remove' },
  },
  schema: ({ table, anyText, anyNumber, internalValue, optional }: SchemaParts) =>
    table({
      id: anyText(),
      token: anyText(),
      type: internalValue<InteractionType>(),
      application: anyText(),
      user: anyText(),
      channel: anyText(),
      /** Emulator time in milliseconds. */
      begun: anyNumber(),
      data: internalValue<InteractionData>(),
      resolves: internalValue<Resolves>(),
      /** Id of the message whose component was used, or of the message whose component opened the modal. */
      message: optional(anyText()),
      locale: anyText(),
      /** Installation owners by installation type: 0 for a guild, 1 for a user. */
      owners: internalValue<Readonly<Record<string, string>>>(),
      origin: internalValue<InteractionOrigin>(),
      /** Delivery of the interaction; `platform` when the platform itself answers. */
      by: internalValue<'gateway' | 'webhook' | 'platform'>(),
      state: internalValue<InteractionState>(),
    }),
});

/** An interaction of a user with an application. */
export type Interaction = RowOf<typeof interactions>;

/** A message that only one user sees, and that is not stored permanently. */
export type EphemeralMessage = Message;

/** Messages that only the user of an application sees. */
export const ephemeralMessages = defineRecord({
  name: 'ephemeral_messages',
  noun: 'message for one person',
  key: ['id'],
  transient: true,
  indexes: { channel: { order: 'key' } },
  schema: ({ internalValue }: SchemaParts) => internalValue<EphemeralMessage>(),
});

/** Temporary files: those of ephemeral messages, and those of commands and modals. */
export const ephemeralAttachments = defineRecord({
  name: 'ephemeral_attachments',
  noun: 'file for one person',
  key: ['id'],
  transient: true,
  indexes: { digest: {}, message: {} },
  file: 'digest',
  schema: ({ internalValue }: SchemaParts) => internalValue<AttachmentRecord>(),
});

/** Maximum number of top-level components in a modal. */
export const modalComponents = defineRecord({
  name: 'modal_components',
  noun: 'number of components of a modal',
  about: 'how many components a modal may have at its top: 5 (default) to 40',
  singleton: true,
  schema: ({ or, whole }: SchemaParts) => or(whole(1, 40), 5),
});
