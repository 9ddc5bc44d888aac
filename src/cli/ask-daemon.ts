import type { OsName } from '../../platform/endpoints.ts';
import { LocalError } from '../../platform/local-error.ts';
import type { Place } from '../control/address.ts';
import { type ControlClient, controlClient } from '../control/client.ts';
import type { Io } from './io.ts';

/** A client for the daemon of this environment. */
export function askDaemon(io: Io): ControlClient {
  return controlClient({ place: currentPlace(), env: io.env });
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

/** Prints one JSON value on stdout. */
export function printJson(io: Io, value: unknown): void {
  io.out(`${JSON.stringify(value, null, io.terminal.out ? 2 : 0)}\n`);
}
