import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Parses the arguments of a benchmark; prints `usage` and ends the process for `--help` and for arguments that are wrong. */
export function benchArguments<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return wrongArguments(error instanceof Error ? error.message : String(error), usage);
  }
}

/** Says what is wrong with the arguments, and ends the process with the exit code of a wrong command line. */
export function wrongArguments(problem: string, usage: string): never {
  process.stderr.write(`${problem}\n${usage}`);
  process.exit(64);
}
