import type { Io } from '../daemon/io.ts';
import type { CliCommand } from './command.ts';
import { usage } from './parse.ts';

/** Variable with the name of the world that a command concerns. */
export const WORLD_VARIABLE = 'FOOTBRIDGE_WORLD';

/** First words of the commands that a world can answer. */
const IN_WORLDS: ReadonlySet<string> = new Set([
  ...['emulator', 'status', 'requests', 'approve', 'deny', 'grants', 'revoke'],
  ...['watch', 'journal', 'env', 'exec', 'completion'],
]);

/** Commands on the worlds themselves. */
const ON_WORLDS = 'emulator world ';

/** A command line without `--world NAME`, and the name. What follows `--` belongs to another program. */
export function takeWorld(argv: readonly string[]): {
  readonly argv: readonly string[];
  readonly world: string | undefined;
} {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const at = argv.findIndex((word, index) => index < end && /^--world(?:=|$)/.test(word));
  if (at === -1) return { argv, world: undefined };
  const [, inWord] = /^--world=(.*)$/s.exec(argv[at] ?? '') ?? [];
  const world = inWord ?? argv[at + 1];
  if (world === undefined || world === '' || (inWord === undefined && at + 1 >= end))
    throw usage(
      '--world needs a value, NAME: the name of a world, as "footbridge emulator world list" shows it.',
    );
  const rest = [...argv.slice(0, at), ...argv.slice(at + (inWord === undefined ? 2 : 1))];
  if (takeWorld(rest).world !== undefined) throw usage('--world is given more than once.');
  return { argv: rest, world };
}

/**
 * The resources of a command for a world: of the option, or of the variable; a command that concerns the whole bridge
 * does not see the variable. Throws `LocalError` FOOTBRIDGE_USAGE for such a command with the option.
 */
export function ioIn(world: string | undefined, command: CliCommand, io: Io): Io {
  const isIn = IN_WORLDS.has(command.name.split(' ', 1)[0] ?? '') && !command.name.startsWith(ON_WORLDS);
  if (world !== undefined && !isIn)
    throw usage(`"footbridge ${command.name}" concerns the whole bridge, so it has no --world.`, command);
  const { [WORLD_VARIABLE]: inEnvironment, ...others } = io.env;
  const wanted = world ?? inEnvironment ?? '';
  if (isIn && wanted === inEnvironment) return io;
  if (!isIn && inEnvironment === undefined) return io;
  const env = isIn && wanted !== '' ? { ...others, [WORLD_VARIABLE]: wanted } : others;
  // Not a copy: the streams of the resources are made when they are first used.
  return Object.create(io, { env: { value: env, enumerable: true } }) as Io;
}
