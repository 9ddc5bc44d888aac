import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { writePrivateFile } from '../../../platform/files/private-file.ts';
import { systemErrorText } from '../../../platform/system-error-text.ts';
import { isLocalError, LocalError } from '../../base/local-error.ts';
import { printable, printableJson } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { type appOptions, connectApp, readAppFlags } from '../app/connection.ts';
import { within } from '../app/time-limit.ts';
import { printJson, printResult } from '../daemon-client.ts';
import { usage } from '../parse.ts';
import { readScopes, readTokenFlags, type tokenOptions } from './flags.ts';
import { obtainToken, tokenResponse } from './obtain.ts';
import { storedTokens } from './stored.ts';

const COMMAND = { name: 'token' };

/** Parsed options of `footbridge token`. */
type TokenValues = {
  readonly [N in keyof typeof appOptions | keyof typeof tokenOptions | 'out' | 'forget']?: N extends
    | 'any-owner'
    | 'forget'
    ? true | undefined
    : string | undefined;
};

/** Runs `footbridge token` and returns its exit code. Throws `LocalError`. */
export async function runToken(values: TokenValues, json: boolean, io: Io): Promise<number> {
  const app = readAppFlags(COMMAND.name, values);
  if (values.forget === true) return forget(values, json, io);
  const { out } = values;
  if (out !== undefined) checkOut(out);
  return within(app.limit, async () => {
    const request = await readTokenFlags(app, values, io);
    const connection = await connectApp(app, io);
    const set = await obtainToken(connection, app, request, io).finally(() => {
      void connection.client.close();
    });
    if (out === undefined) {
      if (json) printJson(io, tokenResponse(set));
      else io.out(`${printable(set.accessToken)}\n`);
    } else {
      write(out, json ? printableJson(tokenResponse(set), 2) : set.accessToken);
      const until = new Date(Date.now() + set.expiresIn * 1000).toISOString();
      io.err(`The token is in ${printable(out)}, for ${printable(set.scopes.join(' '))}, until ${until}.\n`);
    }
    return ExitCode.OK;
  });
}

function forget(values: TokenValues, json: boolean, io: Io): number {
  const unused = (['out', 'api', 'client-secret-file', 'any-owner', 'timeout'] as const).find(
    (name) => values[name] !== undefined,
  );
  if (unused !== undefined) throw usage(`--${unused} is of no use with --forget.`, COMMAND);
  const { endpoint, 'client-id': clientId, scopes } = values;
  const only = {
    endpoint: endpoint === undefined ? undefined : resolve(endpoint),
    clientId,
    scopes: readScopes(COMMAND.name, scopes),
  };
  const count = storedTokens()?.forget(only) ?? 0;
  return printResult(io, json, { forgotten: count }, () =>
    count === 0
      ? 'There was no stored token.\n'
      : `Forgotten: ${count} ${count === 1 ? 'token' : 'tokens'}\n`,
  );
}

/**
 * Verifies the path of `--out` before the user is prompted. Throws `LocalError` FOOTBRIDGE_USAGE or FOOTBRIDGE_CONFIG.
 */
function checkOut(out: string): void {
  const folder = dirname(resolve(out));
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (!statSync(folder).isDirectory()) throw unusable(out, `${folder} is no folder`);
    const found = lstatSync(out, { throwIfNoEntry: false });
    // An existing file is replaced, which would destroy a pipe or device.
    if (found !== undefined && !found.isFile()) throw unusable(out, 'it is there and no regular file');
  } catch (error) {
    throw isLocalError(error) ? error : unusable(out, `${folder}: ${systemErrorText(error)}`);
  }
}

function write(out: string, text: string): void {
  try {
    writePrivateFile(out, `${text}\n`, { unlocked: true });
  } catch (error) {
    throw unusable(out, systemErrorText(error));
  }
}

function unusable(out: string, problem: string): LocalError {
  const text = `--out: ${out} cannot be written: ${problem}. Give a file in a folder of yours.`;
  return new LocalError('FOOTBRIDGE_CONFIG', text);
}
