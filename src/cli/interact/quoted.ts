import { shellWord } from '../../base/shell-word.ts';

/** Acting user, for the suggested next commands. */
export interface Acting {
  /** Value of `--as`. */
  readonly as: string | undefined;
}

/** Command line with foreign words, which may begin with a dash. */
export function commandLine(name: string, { as }: Acting, args: readonly string[]): string {
  const dashed = args.some((word) => word.startsWith('-'));
  return [
    `footbridge emulator ${name}`,
    ...(as === undefined ? [] : [`--as ${shellWord(as)}`]),
    ...(dashed ? ['--'] : []),
    ...args.map(shellWord),
  ].join(' ');
}
