import type { Transaction, World, Writing } from '../../api/world.ts';
import type { Deadline, EmulatorClock } from '../../kernel/clock.ts';
import { finish } from '../events/lifecycle.ts';
import { EVENT_STATUSES } from '../events/records.ts';
import type { StageInstance } from './records.ts';

/** So long nobody speaks on a stage until it is closed: "a few minutes". */
const SILENT_MS = 5 * 60_000;

/** Closes a stage; the event that it was opened for is over with it. */
export function closeStage(tables: Writing, { channel, event }: StageInstance, now: number): void {
  const planned = event === null ? undefined : tables.scheduled_events.get(event);
  if (planned?.status === EVENT_STATUSES.active) finish(tables, planned, now);
  else tables.stage_instances.remove(channel);
}

/** Closes stages on which nobody speaks any more. */
export class Stages {
  readonly #world: World;
  readonly #clock: EmulatorClock;
  readonly #silent = new Map<string, Deadline>();

  constructor(world: World, clock: EmulatorClock) {
    this.#world = world;
    this.#clock = clock;
  }

  /** Minds what is written down from the beginning. */
  start(): void {
    for (const { channel } of [...this.#world.tables.stage_instances]) this.#mind(channel);
  }

  /** Keeps in mind what a transaction has made different. */
  follow({ events }: Transaction): void {
    for (const event of events) {
      if (event.table !== 'stage_instances' && event.table !== 'voice_states') continue;
      const rows = [...('before' in event ? [event.before] : []), ...('after' in event ? [event.after] : [])];
      for (const { channel } of rows as readonly { readonly channel: string }[]) this.#mind(channel);
    }
  }

  /** Nothing more happens. */
  close(): void {
    for (const channel of [...this.#silent.keys()]) this.#forget(channel);
  }

  #mind(channel: string): void {
    const { stage_instances, voice_states } = this.#world.tables;
    const speakers = [...voice_states.by('channel', channel)].filter(
      ({ suppress, request_to_speak }) => !suppress && request_to_speak === undefined,
    );
    if (!stage_instances.has(channel) || speakers.length > 0) return this.#forget(channel);
    if (this.#silent.has(channel)) return;
    const deadline = this.#clock.at(this.#clock.now() + SILENT_MS, () => {
      this.#silent.delete(channel);
      const instance = this.#world.tables.stage_instances.get(channel);
      if (instance === undefined) return;
      this.#world.transaction((tables) => closeStage(tables, instance, this.#clock.now()));
    });
    this.#silent.set(channel, deadline);
  }

  #forget(channel: string): void {
    this.#silent.get(channel)?.cancel();
    this.#silent.delete(channel);
  }
}
