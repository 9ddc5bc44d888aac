import { randomBytes } from 'node:crypto';
import type { Violations } from '../api/violations.ts';
import type { World } from '../api/world.ts';
import type { ApplicationRecord } from '../applications/records.ts';
import { safeName } from '../files/file-name.ts';
import type { SentFile } from '../files/input-files.ts';
import type { FileStore } from '../files/store.ts';
import type { Clock } from '../kernel/clock.ts';
import { isSameSecret } from '../kernel/secrets.ts';
import type { AttachmentRecord } from '../messages/attachments/records.ts';
import type { Message } from '../messages/records.ts';
import { addFile, apart, messageIds } from '../messages/write.ts';
import { actAndPlace } from './blame.ts';
import { type Beginning, begunBy } from './new-interaction.ts';
import { CALLBACKS, type Interaction, type InteractionState } from './records.ts';

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

/** A promise that is resolved once, from outside. */
class Latch {
  readonly opened: Promise<void>;
  open: () => void = () => {};

  constructor() {
    this.opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }
}

/** Waits for an interaction: for its first answer, and for its last one, which may complete a deferred answer. */
interface Waiting {
  readonly first: Latch;
  readonly last: Latch;
  readonly cancel: () => void;
}

/** Interactions of users with applications, and their states. */
export class Interactions {
  readonly #world: World;
  readonly #clock: Clock;
  readonly #files: FileStore;
  readonly #violations: Violations;
  readonly #isInstalledBy: (user: string, application: ApplicationRecord) => boolean;
  readonly #waiting = new Map<string, Waiting>();
  /** Ids of the interactions without a first answer. */
  readonly #unanswered = new Set<string>();
  /** Ids of the follow-up messages per interaction. */
  readonly #followUps = new Map<string, string[]>();

  constructor(parts: {
    readonly world: World;
    readonly clock: Clock;
    readonly files: FileStore;
    readonly violations: Violations;
    /**
     * Whether a user added an application to their own account, so that its commands are available to the user
     * everywhere.
     */
    readonly isInstalledBy: (user: string, application: ApplicationRecord) => boolean;
  }) {
    this.#world = parts.world;
    this.#clock = parts.clock;
    this.#files = parts.files;
    this.#violations = parts.violations;
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
    this.#waiting.set(id, { first: new Latch(), last: new Latch(), cancel });
    this.#unanswered.add(id);
    try {
      this.#store(row);
    } catch (error) {
      this.#forget(id);
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

  /** The interactions that their applications have not answered yet. */
  get unanswered(): readonly Interaction[] {
    return [...this.#unanswered].flatMap((id) => this.get(id) ?? []);
  }

  /** Waits for the first answer of the application, or its failure within 3 seconds. Never rejects. */
  async settled(id: string): Promise<void> {
    await this.#waiting.get(id)?.first.opened;
  }

  /** Like {@link settled}, but also waits until a deferred answer is final, which may take 15 minutes. Never rejects. */
  async finished(id: string): Promise<void> {
    await this.#waiting.get(id)?.last.opened;
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
    if (this.get(id)?.state.kind !== 'waiting') return this.#waiting.get(id)?.first.open();
    this.settle(id, { kind: 'failed', reason });
    this.#blame(id, reason);
  }

  /** Records that the application owes an answer to an interaction. */
  #blame(id: string, reason: string): void {
    const interaction = this.#violations.isOn ? this.get(id) : undefined;
    if (interaction === undefined) return;
    const { what, where } = actAndPlace(this.#world.tables, interaction);
    this.#violations.add('no-answer', `${what}: ${reason}`, where);
  }

  /** Sets the next state of an existing interaction. */
  settle(id: string, state: InteractionState): void {
    // A settled state must not be lost, so the change ignores the size limits of the emulator's state.
    this.#world.always(() =>
      this.#world.transaction(({ interactions }) => interactions.update(id, { state })),
    );
    this.#unanswered.delete(id);
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    waiting.cancel();
    waiting.first.open();
    if (state.kind !== 'deferred') return waiting.last.open();
    // Only strict mode cares: the client shows the application as thinking until the token ends.
    if (!this.#violations.isOn || state.by !== CALLBACKS.deferredMessage) return;
    const cancel = this.#clock.setTimeout(() => {
      if (this.get(id)?.state.kind === 'deferred') this.#blame(id, 'deferred, and not answered in 15 min');
    }, TOKEN_MS);
    this.#waiting.set(id, { ...waiting, cancel });
  }

  /** Records a follow-up message. */
  noteFollowUp(id: string, message: string): void {
    this.#followUps.set(id, [...(this.#followUps.get(id) ?? []), message]);
  }

  /** Ends all waits. */
  close(): void {
    for (const id of [...this.#waiting.keys()]) this.#forget(id);
  }

  /**
   * Ends the waits for interactions whose rows were dropped because of their age, or removed with their channel, user
   * or application.
   */
  #forgetLost(): void {
    const { interactions } = this.#world.tables;
    if (this.#waiting.size <= interactions.size) return;
    for (const id of [...this.#waiting.keys()]) if (!interactions.has(id)) this.#forget(id);
  }

  #forget(id: string): void {
    const waiting = this.#waiting.get(id);
    waiting?.cancel();
    waiting?.first.open();
    waiting?.last.open();
    this.#waiting.delete(id);
    this.#unanswered.delete(id);
    this.#followUps.delete(id);
  }
}

/** Access to the interactions. */
export interface HasInteractions {
  readonly interactions: Interactions;
}
