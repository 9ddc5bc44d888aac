import type { CliOption } from '../command.ts';

/** Which session is meant, of those that `footbridge status` shows. */
export const sessionOption = {
  type: 'string',
  value: 'ID',
  help: 'of this session alone: its id, or the beginning of it',
} as const satisfies CliOption;
