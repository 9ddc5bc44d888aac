import type { Transaction, World } from '../../api/world.ts';
import type { Deadline, EmulatorClock } from '../../kernel/clock.ts';
import { SettingError } from '../../kernel/errors.ts';
import { isIn } from '../members/membership.ts';
import { begin, cancel, finish } from './lifecycle.ts';
import { EVENT_STATUSES, EVENT_TYPES, isFinished, type ScheduledEvent } from './records.ts';

/** So long after its start an event that nobody began is called off: "a few hours". */
const CALLED_OFF_MS = 4 * 3_600_000;
/** So long a channel is empty until its event ends: "a few minutes". */
const EMPTY_MS = 5 * 60_000;

/** What becomes of events by the clock, and who is interested in them. */
export class ScheduledEvents {
  readonly #world: World;
  readonly #clock: EmulatorClock;
  readonly #waiting = new Map<string, { readonly key: string; readonly deadline: Deadline }>();

  constructor(world: World, clock: EmulatorClock) {
    this.#world = world;
    this.#clock = clock;
  }

  /** Minds what is written down from the beginning. */
  start(): void {
    for (const { id } of [...this.#world.tables.scheduled_events]) this.#mind(id);
  }

  /** Keeps in mind what a transaction has made different. */
  follow({ events }: Transaction): void {
    const { tables } = this.#world;
    for (const event of events) {
      const rows = [...('before' in event ? [event.before] : []), ...('after' in event ? [event.after] : [])];
      if (event.table === 'scheduled_events') {
        for (const { id } of rows as readonly { readonly id: string }[]) this.#mind(id);
      } else if (event.table === 'voice_states') {
        for (const { channel } of rows as readonly { readonly channel: string }[]) {
          for (const { id } of [...tables.scheduled_events.by('channel', channel)]) this.#mind(id);
        }
      }
    }
  }

  /** Nothing more happens. */
  close(): void {
    for (const id of [...this.#waiting.keys()]) this.#forget(id);
  }

  /**
   * Says whether a person is interested in an event, or in one time of it that is an exception.
   * @throws SettingError for what is not there, and for whoever is not in the guild of the event.
   */
  setInterest(eventId: string, userId: string, isInterested: boolean, exceptionId?: string): ScheduledEvent {
    const { tables } = this.#world;
    const event = tables.scheduled_events.get(eventId);
    if (event === undefined) throw new SettingError('event', 'there is no such event');
    if (isFinished(event)) throw new SettingError('event', 'it is over');
    const user = tables.users.get(userId);
    if (user?.bot === true) throw new SettingError('user', 'is a bot; only people are interested in events');
    if (!isIn(tables, event.guild, userId))
      throw new SettingError('user', 'is not in the guild of the event');
    const exception = exceptionId === undefined ? undefined : tables.event_exceptions.get(exceptionId);
    if (exceptionId !== undefined && exception?.event !== eventId) {
      throw new SettingError('exception', 'the event has no such exception');
    }
    this.#world.transaction(({ event_users, exception_users }) => {
      if (exception === undefined) {
        if (isInterested) event_users.put({ event: eventId, user: userId });
        else event_users.remove(`${eventId} ${userId}`);
      } else if (isInterested) exception_users.put({ exception: exception.id, user: userId });
      else exception_users.remove(`${exception.id} ${userId}`);
    });
    return event;
  }

  /** Waits for what comes next for an event, if anything does by itself. */
  #mind(id: string): void {
    const event = this.#world.tables.scheduled_events.get(id);
    const next = event === undefined ? undefined : this.#nextOf(event);
    if (next === undefined) return this.#forget(id);
    // A channel that is empty stays so since then, whatever else is said of its event.
    if (this.#waiting.get(id)?.key === next.key) return;
    this.#forget(id);
    const deadline = this.#clock.at(next.time, () => {
      this.#waiting.delete(id);
      const due = this.#world.tables.scheduled_events.get(id);
      if (due !== undefined) next.happen(due);
    });
    if (!deadline.over) this.#waiting.set(id, { key: next.key, deadline });
  }

  #nextOf(event: ScheduledEvent) {
    const { type, status, start, end, channel } = event;
    const isExternal = type === EVENT_TYPES.external;
    if (status === EVENT_STATUSES.scheduled) {
      const time = Date.parse(start) + (isExternal ? 0 : CALLED_OFF_MS);
      return {
        key: `${status} ${time}`,
        time,
        happen: (due: ScheduledEvent) =>
          this.#world.transaction((tables) => {
            if (isExternal) begin(this.#world, tables, due, this.#clock.now());
            else if (due.recurrence === undefined) cancel(tables, due);
            else finish(tables, due, this.#clock.now());
          }),
      };
    }
    if (status !== EVENT_STATUSES.active) return undefined;
    const isEmpty = channel !== null && this.#world.tables.voice_states.by('channel', channel).size === 0;
    if (!isExternal && !isEmpty) return undefined;
    const time = isExternal ? Date.parse(end ?? start) : this.#clock.now() + EMPTY_MS;
    return {
      key: isExternal ? `${status} ${time}` : `${status} empty`,
      time,
      happen: (due: ScheduledEvent) => {
        this.#world.transaction((tables) => finish(tables, due, this.#clock.now()));
      },
    };
  }

  #forget(id: string): void {
    this.#waiting.get(id)?.deadline.cancel();
    this.#waiting.delete(id);
  }
}
