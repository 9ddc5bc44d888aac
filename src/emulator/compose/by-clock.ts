import type { World } from '../api/world.ts';
import { ScheduledEvents } from '../guilds/events/events.ts';
import { Stages } from '../guilds/stages/stages.ts';
import type { EmulatorClock } from '../kernel/clock.ts';

/** What becomes of the state by the clock alone: what was planned begins and ends, stages close. */
export function startByClock(world: World, clock: EmulatorClock) {
  const scheduledEvents = new ScheduledEvents(world, clock);
  const stages = new Stages(world, clock);
  const all = [scheduledEvents, stages];
  for (const [name, one] of [
    ['the time of scheduled events', scheduledEvents],
    ['the time of stages', stages],
  ] as const) {
    world.subscribeRows((transaction) => one.follow(transaction), {
      name,
      recover: () => {
        one.close();
        one.start();
      },
    });
    one.start();
  }
  return {
    scheduledEvents,
    close: () => {
      for (const one of all) one.close();
    },
  };
}
