import { textOption } from '../command.ts';

/** Option that selects a session from those of `footbridge status`. */
export const sessionOption = textOption('ID', 'of this session alone: its id, or the beginning of it');
