import { randomBytes } from 'node:crypto';
import type { World } from '../api/world.ts';
import type { ApplicationRecord } from '../applications/records.ts';
import { safeName } from '../files/file-name.ts';
import type { FileStore } from '../files/store.ts';
import type { Clock } from '../kernel/clock.ts';
import { isSameSecret } from '../kernel/secrets.ts';
import type { AttachmentRecord } from '../messages/attachments/records.ts';
import type { Message } from '../messages/records.ts';
import { addFile, apart, messageIds } from '../messages/write.ts';
import type { Modal } from './modal-records.ts';
import { type Beginning, begunBy } from './new-interaction.ts';
import type { Choice, Interaction, InteractionState } from './records.ts';

/** Timeout for the first answer, and lifetime of an interaction's token (ms of the emulator's clock). */
const FIRST_ANSWER_MS = 3_000;
const TOKEN_MS = 15 * 60_000;
/**
 * Maximum number of rows in each of the tables of interactions, ephemeral messages and their files; the oldest rows are
 * dropped.
 */
const MAX_STORED = 10_000;
/** Message id of a file that belongs to no message yet. */
const NO_MESSAGE = { id: '0' } as const;

/** First answer of an application to an interaction, or the failure of the interaction. */
export type InteractionOutcome =
  | {
      readonly state: 'answered' | 'deferred';
      /** The written or edited message; for a deferred update, the message of the component. */
      readonly message: Message | undefined;
      /** Whether the answer edited the component's message instead of writing a new one. */
      readonly isUpdate: boolean;
    }
  | { readonly state: 'modal'; readonly modal: Modal }
  | { readonly state: 'choices'; readonly choices: readonly Choice[] }
  | { readonly state: 'premium' }
  | { readonly state: 'launched'; readonly instance: string }
  /** `reason` is a text for users. */
  | { readonly state: 'failed'; readonly reason: string };

/** A file that a user sends with a command or a modal. */
export interface SentFile {
  readonly name: string;
  /** Media type as the user's client sends it; never guessed, and absent where the client names none. */
  readonly type?: string | undefined;
  readonly bytes: Buffer;
}

/** A promise whose value is set once, from outside. */
class Later<Value> {
  readonly promise: Promise<Value>;
  resolve: (value: Value) => void = () => {};

  constructor() {
    this.promise = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }
}

/** Pending results of an interaction. */
interface Waiting {
  readonly first: Later<InteractionOutcome>;
  readonly last: Later<InteractionOutcome>;
  readonly cancel: () => void;
}

/** Interactions of users with applications, and their states. */
export class Interactions {
  readonly #world: World;
  readonly #clock: Clock;
  readonly #files: FileStore;
  readonly #isInstalledBy: (user: string, application: ApplicationRecord) => boolean;
  readonly #waiting = new Map<string, Waiting>();
  /** Ids of the follow-up messages per interaction. */
  readonly #followUps = new Map<string, string[]>();

  constructor(parts: {
    readonly world: World;
    readonly clock: Clock;
    readonly files: FileStore;
    /**
     * Whether a user added an application to their own account, so that its commands are available to the user
     * everywhere.
     */
    readonly isInstalledBy: (user: string, application: ApplicationRecord) => boolean;
  }) {
    this.#world = parts.world;
    this.#clock = parts.clock;
    this.#files = parts.files;
    this.#isInstalledBy = parts.isInstalledBy;
  }

  /**
   * Starts an interaction: a user uses a command or a component, or submits a modal. The application is notified at
   * once and has 3 seconds.
   * @throws SettingError where the user could not do that in the client.
   */
  begin(input: Beginning): Interaction {
    const now = this.#clock.now();
    const begun = begunBy(this.#world.tables, input, {
      now,
      previous: input.from === undefined ? undefined : this.get(input.from),
      isInstalledBy: this.#isInstalledBy,
    });
    const id = this.#world.ids.next(now, (taken) => this.#world.tables.interactions.has(taken));
    const token = Buffer.from(`interaction:${id}:${randomBytes(48).toString('base64url')}`);
    const row: Interaction = {
      ...begun,
      id,
      origin: { ...begun.origin, id },
      token: token.toString('base64url'),
      begun: now,
      state: { kind: 'waiting' },
    };
    // The timeout is set before the insert, because the insert notifies the application, which may answer at once.
    const cancel = this.#clock.setTimeout(() => this.fail(id, 'no answer in 3 s'), FIRST_ANSWER_MS);
    this.#waiting.set(id, { first: new Later(), last: new Later(), cancel });
    try {
      this.#store(row);
    } catch (error) {
      cancel();
      this.#waiting.delete(id);
      throw error;
    }
    this.#forgetLost();
    return row;
  }

  #store(row: Interaction): void {
    this.#world.transaction(({ interactions, ephemeral_messages, ephemeral_attachments }) => {
      interactions.insert(row);
      for (const table of [interactions, ephemeral_messages, ephemeral_attachments]) {
        // Removes a tenth of the rows at once, because a search for the oldest rows scans the table.
        if (table.size > MAX_STORED) table.keepLast(MAX_STORED * 0.9);
      }
    });
  }

  get(id: string): Interaction | undefined {
    return this.#world.tables.interactions.get(id);
  }

  /** First answer of the application, or its failure within 3 seconds. Never rejects. */
  async settled(id: string): Promise<InteractionOutcome> {
    return this.#waiting.get(id)?.first.promise ?? unknown(id);
  }

  /**
   * Like {@link settled}, but a deferred answer resolves with the final answer, which may take 15 minutes. Never
   * rejects.
   */
  async finished(id: string): Promise<InteractionOutcome> {
    return this.#waiting.get(id)?.last.promise ?? unknown(id);
  }

  /** Follow-up messages of the application, oldest first, without deleted ones. */
  followUps(id: string): readonly Message[] {
    return (this.#followUps.get(id) ?? []).flatMap((message) => this.message(message) ?? []);
  }

  /** A message of a channel, or an ephemeral one. */
  message(id: string): Message | undefined {
    const { messages, ephemeral_messages } = this.#world.tables;
    return messages.get(id) ?? ephemeral_messages.get(id);
  }

  /**
   * Stores a file of a command or a modal; its id belongs in the `resolves` of the interaction. Rejects with ApiError
   * 503 when the storage is full.
   */
  async storeFile({ name, type, bytes }: SentFile): Promise<AttachmentRecord> {
    const held = await this.#files.hold(bytes);
    try {
      return this.#world.transaction((tables) =>
        addFile(apart(tables), NO_MESSAGE, {
          id: messageIds(this.#world, this.#clock.now())(),
          filename: safeName(name),
          ...(type === undefined ? {} : { content_type: type }),
          size: bytes.length,
          digest: held.digest,
          spoiler: false,
        }),
      );
    } finally {
      held.release();
    }
  }

  /** The interaction that a token belongs to; undefined for a wrong token. */
  byToken(application: string, token: string): Interaction | undefined {
    const [found] = this.#world.tables.interactions.by('token', token);
    return found?.application === application && isSameSecret(token, found.token) ? found : undefined;
  }

  /** Whether the interaction's token is still valid. */
  isOpen({ begun }: Interaction): boolean {
    return this.#clock.now() < begun + TOKEN_MS;
  }

  /** Marks an interaction as failed, because the application sent no answer or an invalid one. */
  fail(id: string, reason: string): void {
    if (this.get(id)?.state.kind === 'waiting') this.settle(id, { kind: 'failed', reason });
    else this.#waiting.get(id)?.first.resolve({ state: 'failed', reason });
  }

  /** Sets the next state of an existing interaction. */
  settle(id: string, state: InteractionState): void {
    // A settled state must not be lost, so the change ignores the size limits of the emulator's state.
    this.#world.always(() =>
      this.#world.transaction(({ interactions }) => interactions.update(id, { state })),
    );
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    waiting.cancel();
    const outcome = this.#outcome(state);
    waiting.first.resolve(outcome);
    if (state.kind !== 'deferred') waiting.last.resolve(outcome);
  }

  /** Records a follow-up message. */
  noteFollowUp(id: string, message: string): void {
    this.#followUps.set(id, [...(this.#followUps.get(id) ?? []), message]);
  }

  /** Fails all pending results. */
  close(): void {
    for (const { cancel, first, last } of this.#waiting.values()) {
      cancel();
      for (const one of [first, last]) one.resolve({ state: 'failed', reason: 'the emulator has ended' });
    }
    this.#waiting.clear();
  }

  #outcome(state: InteractionState): InteractionOutcome {
    switch (state.kind) {
      case 'waiting':
        return { state: 'failed', reason: 'no answer yet' };
      case 'answered':
      case 'deferred': {
        const message = state.message === undefined ? undefined : this.message(state.message);
        return { state: state.kind, message, isUpdate: state.by === 6 || state.by === 7 };
      }
      case 'modal':
        return { state: 'modal', modal: state.modal };
      case 'choices':
        return { state: 'choices', choices: state.choices };
      case 'premium':
        return { state: 'premium' };
      case 'launched':
        return { state: 'launched', instance: state.instance };
      case 'failed':
        return { state: 'failed', reason: state.reason };
    }
  }

  /**
   * Fails interactions whose rows were dropped because of their age, or removed with their channel, user or
   * application.
   */
  #forgetLost(): void {
    if (this.#waiting.size <= this.#world.tables.interactions.size) return;
    for (const [id, { cancel, first, last }] of this.#waiting) {
      if (this.#world.tables.interactions.has(id)) continue;
      cancel();
      for (const one of [first, last]) one.resolve(unknown(id));
      this.#waiting.delete(id);
      this.#followUps.delete(id);
    }
  }
}

function unknown(id: string): InteractionOutcome {
  return { state: 'failed', reason: `interaction ${id.slice(0, 20)} no longer exists` };
}

/** Access to the interactions. */
export interface HasInteractions {
  readonly interactions: Interactions;
}
