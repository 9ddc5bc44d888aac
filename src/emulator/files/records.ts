import { defineRecord, type SchemaParts } from '../kernel/state/record.ts';

/** Maximum size of a file in a message, in bytes; 0 stands for the platform's limit at the emulated time. */
export const uploadLimit = defineRecord({
  name: 'upload_limit',
  noun: 'upload limit',
  about:
    "largest file of a message in bytes; 0 (default) is the platform's limit: 20 MiB, 10 before 2026-09-03",
  singleton: true,
  schema: ({ or, count }: SchemaParts) => or(count(20 * 1024 * 1024), 0),
});
