import type { OsName } from '../../platform/endpoints.ts';
import { isLocalError, LocalError } from '../../platform/local-error.ts';
import { printable, printableJson } from '../../platform/text.ts';
import type { Place } from '../control/address.ts';
import { type ControlClient, controlClient } from '../control/client.ts';
import type { Io } from '../daemon/io.ts';

/** A client for the daemon of this environment. */
export function askDaemon(io: Io): ControlClient {
  const client = controlClient({
    place: currentPlace(),
    env: io.env,
    onSlow: (path) =>
      io.err(`footbridge: the bridge at ${printable(path)} does not answer yet; it may be busy, or hang\n`),
  });
  return {
    ...client,
    call: (operation, args, options) =>
      client.call(operation, args, options).catch((error: unknown) => {
        throw isLocalError(error) && error.code === UNKNOWN_OPERATION ? otherCore(operation) : error;
      }),
  };
}

const UNKNOWN_OPERATION = 'FOOTBRIDGE_UNKNOWN_OPERATION';

/** Each core offers what it can: the bridge runs, and the command is not for it. */
function otherCore(operation: string): LocalError {
  const core = operation.startsWith('attach.') ? 'attach' : 'emulator';
  return new LocalError(
    UNKNOWN_OPERATION,
    `The client core of this bridge cannot do that; "footbridge status" names it. It takes: footbridge run --core ${core}`,
  );
}

/** The system and user of this process. Throws `LocalError` FOOTBRIDGE_ENVIRONMENT on an unknown system. */
export function currentPlace(): Place {
  return { os: osName(), uid: process.getuid?.() };
}

function osName(): OsName {
  const { platform } = process;
  if (platform === 'linux' || platform === 'darwin' || platform === 'win32') return platform;
  throw new LocalError('FOOTBRIDGE_ENVIRONMENT', `The operating system ${platform} is not supported.`);
}

/** Prints one JSON value on stdout, whoever its texts came from. */
export function printJson(io: Io, value: unknown): void {
  io.out(`${printableJson(value, io.terminal.out ? 2 : 0)}\n`);
}
