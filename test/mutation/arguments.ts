import { parseArgs } from 'node:util';
import { FOLDERS } from './folders.ts';
import type { SampleOptions } from './sample.ts';

/** What the command line of `npm run test:mutation` asks for: a run, its help, or the message of a usage error. */
export type MutationCommand =
  | { readonly kind: 'run'; readonly folders: readonly string[]; readonly sample?: SampleOptions | undefined }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'usage error'; readonly message: string };

const MAX_SEED = 0xffff_ffff;

const HELP = `Usage: npm run test:mutation -- [FOLDER…] [--sample N [--seed S]]

Changes one place of the folder's source at a time, runs the tests of that place, and lists the changes that no test notices.
Without a folder: all folders. Fails when a score is below 90 %.

  --sample N  tests N mutants of each folder, chosen at random from all of them; the summary states the 95 % interval of the score
  --seed S    repeats the sample that a summary with this seed describes (0 to ${MAX_SEED}); at random otherwise
  --help      prints this text

Folders: ${Object.keys(FOLDERS).join(', ')}
`;

/** Reads the arguments; `randomSeed` is the seed where none is stated. */
export function readArguments(args: readonly string[], randomSeed: number): MutationCommand {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return usageError(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  if (values.help) return { kind: 'help', text: HELP };
  const named = positionals.map((name) => name.replace(/^src\/|\/$/g, ''));
  const unknown = named.filter((name) => !Object.hasOwn(FOLDERS, name));
  if (unknown.length > 0)
    return usageError(`unknown folder ${unknown.join(', ')}. Known: ${Object.keys(FOLDERS).join(', ')}`);
  const folders = named.length > 0 ? named : Object.keys(FOLDERS);
  if (values.sample === undefined) {
    return values.seed === undefined
      ? { kind: 'run', folders }
      : usageError('--seed chooses a sample: state its size with --sample N');
  }
  const size = integer(values.sample, 1, Number.MAX_SAFE_INTEGER);
  if (size === undefined) return usageError(`--sample ${values.sample}: expected an integer of at least 1`);
  const seed = values.seed === undefined ? randomSeed : integer(values.seed, 0, MAX_SEED);
  if (seed === undefined)
    return usageError(`--seed ${values.seed}: expected an integer from 0 to ${MAX_SEED}`);
  return { kind: 'run', folders, sample: { size, seed } };
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { sample: { type: 'string' }, seed: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
}

function usageError(message: string): MutationCommand {
  return { kind: 'usage error', message: `test:mutation: ${message}` };
}

function integer(text: string, min: number, max: number): number | undefined {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
