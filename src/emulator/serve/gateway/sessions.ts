import { randomBytes } from 'node:crypto';
import type { EmulatorClock } from '../../kernel/clock.ts';
import type { Hub } from './hub.ts';
import { ReplayRoom } from './replay.ts';
import { type Line, Session } from './session.ts';

/** Time within which a disconnected session may be resumed, by the emulator's clock (ms). */
const RESUME_MS = 5 * 60_000;
/** Maximum number of stored disconnected sessions. */
const MAX_CUT_SESSIONS = 2000;

/** All sessions, connected or disconnected. */
export class Sessions implements Iterable<Session> {
  readonly #hub: Hub;
  readonly #clock: Pick<EmulatorClock, 'at' | 'now'>;
  readonly #ended: (session: Session) => void;
  readonly #lost: (session: Session) => void;
  readonly #byId = new Map<string, { readonly session: Session; readonly leave: () => void }>();
  /** Disconnected sessions, in the order of their disconnection. */
  readonly #cut = new Set<Session>();
  readonly #room: ReplayRoom;

  /**
   * `ended` is called for each session that ends, and `lost` for each session that missed an event. `replayed` is the
   * memory for all replays in bytes.
   */
  constructor(
    hub: Hub,
    clock: Pick<EmulatorClock, 'at' | 'now'>,
    {
      ended,
      lost,
      replayed,
    }: Readonly<Record<'ended' | 'lost', (session: Session) => void>> & { readonly replayed: number },
  ) {
    this.#room = new ReplayRoom(replayed);
    this.#hub = hub;
    this.#clock = clock;
    this.#ended = ended;
    this.#lost = lost;
  }

  get(id: string): Session | undefined {
    return this.#byId.get(id)?.session;
  }

  [Symbol.iterator](): Iterator<Session> {
    return [...this.#byId.values()].map(({ session }) => session)[Symbol.iterator]();
  }

  /** Begins a session, which receives all events after this call. */
  begin(options: Pick<Session, 'listener' | 'owner'>, line: Line): Session {
    const id = randomBytes(16).toString('hex');
    const session = new Session(id, { ...options, line, room: this.#room, lost: this.#lost });
    this.#byId.set(id, { session, leave: this.#hub.add(session) });
    return session;
  }

  /** Resumes a session; returns the result of its `resume`. */
  resume(session: Session, ...how: Parameters<Session['resume']>): ReturnType<Session['resume']> {
    const outcome = session.resume(...how);
    if (outcome === 'resumed') this.#cut.delete(session);
    return outcome;
  }

  /** Marks the session of a closed connection as resumable. */
  cut(session: Session, line: Line): void {
    if (!session.isOn(line)) return;
    session.cut(line, () => this.#clock.at(this.#clock.now() + RESUME_MS, () => this.end(session)));
    this.#cut.add(session);
    const [oldest] = this.#cut;
    if (this.#cut.size > MAX_CUT_SESSIONS && oldest !== undefined) this.end(oldest);
  }

  end(session: Session): void {
    if (!session.end()) return;
    this.#cut.delete(session);
    this.#byId.get(session.id)?.leave();
    this.#byId.delete(session.id);
    this.#ended(session);
  }
}
