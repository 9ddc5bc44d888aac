import { defineRecord, type SchemaParts } from '../kernel/state/record.ts';

/** Largest file of a message in bytes; 0 is as much as the platform takes at the time. */
export const uploadLimit = defineRecord({
  name: 'upload_limit',
  noun: 'upload limit',
  singleton: true,
  schema: ({ or, count }: SchemaParts) => or(count(20 * 1024 * 1024), 0),
});
