import type { ActivityInstance } from './records.ts';

/** Id of an instance's location. */
export function locationId({ guild, channel }: Pick<ActivityInstance, 'guild' | 'channel'>): string {
  return guild === null ? `pc-${channel}` : `gc-${guild}-${channel}`;
}
