import type { Transaction } from '../../api/world.ts';

/** Ids of the channels whose call an event changes. */
export function channelsOf(event: Transaction['events'][number]): readonly string[] {
  if (event.table !== 'voice_states') return [];
  if (event.kind === 'created') return [event.after.channel];
  return event.kind === 'removed' ? [event.before.channel] : [event.before.channel, event.after.channel];
}
