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
import { type Beginning, begunBy } from './beginning.ts';
import type { Modal } from './modal-records.ts';
import type { Choice, Interaction, InteractionState } from './records.ts';

/** So long an application has for its first answer, and so long its token is good, in milliseconds of the emulator's clock. */
const FIRST_ANSWER_MS = 3_000;
const TOKEN_MS = 15 * 60_000;
/** Most that are remembered, of interactions, of messages for one person and of files; the oldest go. */
const MOST_REMEMBERED = 10_000;
/** Where a file lies that no message has yet. */
const NO_MESSAGE = { id: '0' } as const;

/** What an application answered first, or that it did not. */
export type InteractionOutcome =
  | {
      readonly state: 'answered' | 'deferred';
      /** The message that was written or changed; of an answer that changes a message later, the one of the component. */
      readonly message: Message | undefined;
      /** Whether it is the message of the component, changed, and no new one. */
      readonly isUpdate: boolean;
    }
  | { readonly state: 'modal'; readonly modal: Modal }
  | { readonly state: 'choices'; readonly choices: readonly Choice[] }
  | { readonly state: 'premium' }
  | { readonly state: 'launched'; readonly instance: string }
  /** `reason` is for a person. */
  | { readonly state: 'failed'; readonly reason: string };

/** A file that somebody sends with a command or a modal. */
export interface SentFile {
  readonly name: string;
  /** Media type; guessed from nothing, left out where nobody says. */
  readonly type?: string | undefined;
  readonly bytes: Buffer;
}

/** What is known later, and then for good. */
class Later<Value> {
  readonly promise: Promise<Value>;
  resolve: (value: Value) => void = () => {};

  constructor() {
    this.promise = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }
}

/** Whoever waits for an answer. */
interface Waiting {
  readonly first: Later<InteractionOutcome>;
  readonly last: Later<InteractionOutcome>;
  readonly cancel: () => void;
}

/** What people do with applications, and how far each is. */
export class Interactions {
  readonly #world: World;
  readonly #clock: Clock;
  readonly #files: FileStore;
  readonly #isInstalledBy: (user: string, application: ApplicationRecord) => boolean;
  readonly #waiting = new Map<string, Waiting>();
  /** Ids of the further messages of each. */
  readonly #followUps = new Map<string, string[]>();

  constructor(parts: {
    readonly world: World;
    readonly clock: Clock;
    readonly files: FileStore;
    /** Whether a user has the commands of an application wherever they are. */
    readonly isInstalledBy: (user: string, application: ApplicationRecord) => boolean;
  }) {
    this.#world = parts.world;
    this.#clock = parts.clock;
    this.#files = parts.files;
    this.#isInstalledBy = parts.isInstalledBy;
  }

  /**
   * Somebody uses a command or a component, or submits a modal. The application is told at once and has 3 seconds.
   * @throws SettingError where they could not do that in the client.
   */
  begin(given: Beginning): Interaction {
    const now = this.#clock.now();
    const begun = begunBy(this.#world.tables, given, {
      now,
      previous: given.from === undefined ? undefined : this.get(given.from),
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
    // Whoever is told of it may answer at once.
    const cancel = this.#clock.setTimeout(() => this.fail(id, 'no answer in 3 s'), FIRST_ANSWER_MS);
    this.#waiting.set(id, { first: new Later(), last: new Later(), cancel });
    try {
      this.#keep(row);
    } catch (error) {
      cancel();
      this.#waiting.delete(id);
      throw error;
    }
    this.#forgetLost();
    return row;
  }

  #keep(row: Interaction): void {
    this.#world.transaction(({ interactions, ephemeral_messages, ephemeral_attachments }) => {
      interactions.insert(row);
      for (const table of [interactions, ephemeral_messages, ephemeral_attachments]) {
        // Not one by one: who looks for the oldest goes through all.
        if (table.size > MOST_REMEMBERED) table.keepLast(MOST_REMEMBERED * 0.9);
      }
    });
  }

  get(id: string): Interaction | undefined {
    return this.#world.tables.interactions.get(id);
  }

  /** The first answer of an application, or that there was none within 3 seconds. Never rejects. */
  async settled(id: string): Promise<InteractionOutcome> {
    return this.#waiting.get(id)?.first.promise ?? unknown(id);
  }

  /** The same, but where the answer was put off, the answer itself, which may take 15 minutes. Never rejects. */
  async finished(id: string): Promise<InteractionOutcome> {
    return this.#waiting.get(id)?.last.promise ?? unknown(id);
  }

  /** What the application wrote besides its first answer, oldest first, without what it deleted. */
  followUps(id: string): readonly Message[] {
    return (this.#followUps.get(id) ?? []).flatMap((message) => this.message(message) ?? []);
  }

  /** A message of a channel, or one for a person alone. */
  message(id: string): Message | undefined {
    const { messages, ephemeral_messages } = this.#world.tables;
    return messages.get(id) ?? ephemeral_messages.get(id);
  }

  /**
   * Keeps a file that somebody sends with a command or a modal; its id goes into the `resolves` of what is begun.
   * Rejects with ApiError 503 when there is no room.
   */
  async keepFile({ name, type, bytes }: SentFile): Promise<AttachmentRecord> {
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

  /** The one that a token was given out for; undefined for a wrong token. */
  byToken(application: string, token: string): Interaction | undefined {
    const [found] = this.#world.tables.interactions.by('token', token);
    return found?.application === application && isSameSecret(token, found.token) ? found : undefined;
  }

  /** Whether the token of one is still good. */
  isOpen({ begun }: Interaction): boolean {
    return this.#clock.now() < begun + TOKEN_MS;
  }

  /** The application did not answer, or not with anything that could be. */
  fail(id: string, reason: string): void {
    if (this.get(id)?.state.kind === 'waiting') this.settle(id, { kind: 'failed', reason });
    else this.#waiting.get(id)?.first.resolve({ state: 'failed', reason });
  }

  /** The state that follows, of one that is still there. */
  settle(id: string, state: InteractionState): void {
    // It happens once, and may be that nothing came.
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

  /** Notes what an application wrote besides its first answer. */
  noteFollowUp(id: string, message: string): void {
    this.#followUps.set(id, [...(this.#followUps.get(id) ?? []), message]);
  }

  /** Nobody waits any longer. */
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

  /** Those that are no more because of their age, or because their channel, user or application went. */
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
  return { state: 'failed', reason: `there is no interaction ${id.slice(0, 20)} any more` };
}

/** What people do with applications. */
export interface HasInteractions {
  readonly interactions: Interactions;
}
