import { RowTimers } from '../../api/row-timers.ts';
import type { World, Writing } from '../../api/world.ts';
import type { EmulatorClock } from '../../kernel/clock.ts';
import { finish } from '../events/lifecycle.ts';
import { EVENT_STATUSES } from '../events/records.ts';
import { channelsOf } from '../voice/changed-channels.ts';
import type { StageInstance } from './records.ts';

/** Time without speakers after which a stage closes. The documentation says only "a few minutes". */
const SILENT_MS = 5 * 60_000;

/** Closes a stage and completes the stage's event. */
export function closeStage(tables: Writing, { channel, event }: StageInstance, now: number): void {
  const planned = event === null ? undefined : tables.scheduled_events.get(event);
  if (planned?.status === EVENT_STATUSES.active) finish(tables, planned, now);
  else tables.stage_instances.remove(channel);
}

/** Timers that close stages which have had no speakers for some time. */
export function stageTimers(world: World, clock: EmulatorClock): RowTimers<'stage_instances'> {
  return new RowTimers(world, clock, {
    name: 'the time of stages',
    table: 'stage_instances',
    concerns: channelsOf,
    due: ({ channel }) => {
      const speakers = [...world.tables.voice_states.by('channel', channel)].filter(
        ({ suppress, request_to_speak }) => !suppress && request_to_speak === undefined,
      );
      return speakers.length > 0 ? undefined : { for: 'silence', at: (since) => since + SILENT_MS };
    },
    fire: (instance) => world.transaction((tables) => closeStage(tables, instance, clock.now())),
  });
}
