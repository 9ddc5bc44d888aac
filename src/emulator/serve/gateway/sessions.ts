import { randomBytes } from 'node:crypto';
import type { EmulatorClock } from '../../kernel/clock.ts';
import type { Hub } from './hub.ts';
import { ReplayRoom } from './replay.ts';
import { type Line, Session } from './session.ts';

/** A session whose connection is gone can be resumed for so long, by the clock of the platform (ms). */
const RESUME_MS = 5 * 60_000;
/** Sessions that wait for that. */
const MOST_CUT = 2000;

/** All sessions, connected or cut. */
export class Sessions implements Iterable<Session> {
  readonly #hub: Hub;
  readonly #clock: Pick<EmulatorClock, 'at' | 'now'>;
  readonly #ended: (session: Session) => void;
  readonly #lost: (session: Session) => void;
  readonly #byId = new Map<string, { readonly session: Session; readonly leave: () => void }>();
  /** The one that was cut first comes first. */
  readonly #cut = new Set<Session>();
  readonly #room: ReplayRoom;

  /**
   * `ended` is told of each that is over, `lost` of each to which something could not be told; `replayed` is what all together may
   * keep to tell it again (bytes).
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

  /** Begins one; from now on it is told of what happens. */
  begin(given: Pick<Session, 'listener' | 'owner'>, line: Line): Session {
    const id = randomBytes(16).toString('hex');
    const session = new Session(id, { ...given, line, room: this.#room, lost: this.#lost });
    this.#byId.set(id, { session, leave: this.#hub.add(session) });
    return session;
  }

  /** Goes on with one; undefined where that cannot be any more. */
  resume(session: Session, ...how: Parameters<Session['resume']>): ReturnType<Session['resume']> {
    const outcome = session.resume(...how);
    if (outcome === 'resumed') this.#cut.delete(session);
    return outcome;
  }

  /** A connection is gone: its session waits to be resumed. */
  cut(session: Session, line: Line): void {
    if (!session.isOn(line)) return;
    session.cut(line, () => this.#clock.at(this.#clock.now() + RESUME_MS, () => this.end(session)));
    this.#cut.add(session);
    const [oldest] = this.#cut;
    if (this.#cut.size > MOST_CUT && oldest !== undefined) this.end(oldest);
  }

  end(session: Session): void {
    if (!session.end()) return;
    this.#cut.delete(session);
    this.#byId.get(session.id)?.leave();
    this.#byId.delete(session.id);
    this.#ended(session);
  }
}
