import type { ActivityInstance } from './records.ts';

/** Id of the place of an instance. */
export function locationId({ guild, channel }: Pick<ActivityInstance, 'guild' | 'channel'>): string {
  return guild === null ? `pc-${channel}` : `gc-${guild}-${channel}`;
}
