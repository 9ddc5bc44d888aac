import type { CliOption } from '../command.ts';

/** Option that selects a session from those of `footbridge status`. */
export const sessionOption = {
  type: 'string',
  value: 'ID',
  help: 'of this session alone: its id, or the beginning of it',
} as const satisfies CliOption;
