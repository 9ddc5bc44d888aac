import type { OsName } from '../../platform/endpoint/endpoints.ts';
import { isLocalError, LocalError } from '../base/local-error.ts';
import { printable, printableJson } from '../base/text.ts';
import type { ControlFolder } from '../control/address.ts';
import { type ControlClient, controlClient } from '../control/client.ts';
import { ExitCode } from '../daemon/exit-codes.ts';
import type { Io } from '../daemon/io.ts';
import { WORLD_VARIABLE } from './world-option.ts';

/** Control client for the daemon of this environment, or for a world of it; an empty name is the bridge. */
export function daemonClient(
  io: Pick<Io, 'env' | 'err'>,
  { world = io.env[WORLD_VARIABLE] }: { readonly world?: string | undefined } = {},
): ControlClient {
  const client = controlClient({
    folder: currentHost(),
    env: io.env,
    world: world === '' ? undefined : world,
    onSlow: (path) =>
      io.err(`footbridge: the bridge at ${printable(path)} does not answer yet; it may be busy, or hang\n`),
  });
  const failed = async (operation: string, error: unknown): Promise<never> => {
    if (!isLocalError(error) || error.code !== UNKNOWN_OPERATION) throw error;
    if (world !== undefined && world !== '') throw notOfWorlds(operation);
    const status = await client.status().catch(() => undefined);
    throw otherCore(operation, status?.core.name);
  };
  return {
    ...client,
    call: (operation, args, options) =>
      client.call(operation, args, options).catch((error: unknown) => failed(operation, error)),
    give: (operation, parts, options) =>
      client.give(operation, parts, options).catch((error: unknown) => failed(operation, error)),
    async *textOf(operation, options) {
      try {
        yield* client.textOf(operation, options);
      } catch (error) {
        await failed(operation, error);
      }
    },
  };
}

const UNKNOWN_OPERATION = 'FOOTBRIDGE_UNKNOWN_OPERATION';

/** Error for an operation that a world does not offer. */
function notOfWorlds(operation: string): LocalError {
  const text = `${operation} concerns the whole bridge. Leave out --world, and unset ${WORLD_VARIABLE}.`;
  return new LocalError(UNKNOWN_OPERATION, text);
}

/** Error for an operation that the running core does not offer: the bridge runs, but with another core. */
function otherCore(operation: string, running: string | undefined): LocalError {
  const [domain = ''] = operation.split('.');
  const core = domain === 'attach' || domain === 'upstream' ? domain : 'emulator';
  const what = running === undefined ? 'another core' : `the core ${JSON.stringify(running)}`;
  return new LocalError(
    UNKNOWN_OPERATION,
    `This bridge runs ${what}, and only the core "${core}" can do that. End it, and start: footbridge run --core ${core}`,
  );
}

/** The system and user of this process. Throws `LocalError` FOOTBRIDGE_ENVIRONMENT on an unknown system. */
export function currentHost(): ControlFolder {
  return { os: osName(), uid: process.getuid?.() };
}

function osName(): OsName {
  const { platform } = process;
  if (platform === 'linux' || platform === 'darwin' || platform === 'win32') return platform;
  throw new LocalError('FOOTBRIDGE_ENVIRONMENT', `The operating system ${platform} is not supported.`);
}

/** Prints one JSON value on stdout, with control characters of foreign texts escaped. */
export function printJson(io: Io, value: unknown): void {
  io.out(`${printableJson(value, io.terminal.out ? 2 : 0)}\n`);
}

/** Prints the result of a command: one JSON value with `--json`, else a text. Returns the exit code of success. */
export function printResult(io: Io, json: boolean, value: unknown, text: () => string): ExitCode {
  if (json) printJson(io, value);
  else io.out(text());
  return ExitCode.OK;
}
