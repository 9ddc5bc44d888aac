import { closest } from '../../base/nearest.ts';
import type { Io } from '../../daemon/io.ts';
import { SCOPES } from '../../protocol/scope.ts';
import type { AppFlags } from '../app/connection.ts';
import { readInput } from '../app/input.ts';
import type { CliOptions } from '../command.ts';
import { textOption } from '../command.ts';
import { usage } from '../parse.ts';
import { requestedApi } from './api-address.ts';
import type { TokenRequest } from './obtain.ts';

const SECRET = 'FOOTBRIDGE_CLIENT_SECRET';

/** Options of every command that can authorize. */
export const tokenOptions = {
  scopes: textOption('LIST', 'scopes to ask for, with commas between, such as rpc,identify'),
  api: textOption('URL', "base address of the token endpoint (default FOOTBRIDGE_API, or the bridge's own)"),
  'client-secret-file': textOption(
    'FILE',
    `secret of the application, - for stdin (default ${SECRET}, or PKCE without one)`,
  ),
} as const satisfies CliOptions;

type TokenValues = { readonly [N in keyof typeof tokenOptions]?: string | undefined };

/** Parses `tokenOptions`. Throws `LocalError` FOOTBRIDGE_USAGE, or FOOTBRIDGE_INPUT for the file. */
export async function readTokenFlags(
  { command, limit }: AppFlags,
  values: TokenValues,
  io: Io,
): Promise<TokenRequest> {
  const scopes = readScopes(command, values.scopes);
  if (scopes === undefined)
    throw usage('--scopes is missing, such as --scopes rpc,identify.', { name: command });
  const api = requestedApi(values.api, command, io);
  const file = values['client-secret-file'];
  if (file === undefined)
    return { scopes, api, clientSecret: io.env[SECRET] === '' ? undefined : io.env[SECRET] };
  const clientSecret = (await readInput(file, limit, io)).trim();
  if (clientSecret !== '') return { scopes, api, clientSecret };
  throw usage(`--client-secret-file: there is no secret in ${file === '-' ? 'stdin' : file}.`, {
    name: command,
  });
}

/** Maximum number of letters by which a slip differs; a scope that differs more may be one of a newer client. */
const MAX_SLIP = 2;

/** The name of a scope. Throws `LocalError` FOOTBRIDGE_USAGE for a slip in the name of a known one. */
function knownScope(command: string, name: string): string {
  const known = Object.keys(SCOPES);
  const near = known.includes(name) ? undefined : closest(name, known);
  if (near === undefined || near.away > MAX_SLIP) return name;
  throw usage(`--scopes: there is no scope ${JSON.stringify(name)}. Did you mean "${near.word}"?`, {
    name: command,
  });
}

/** Parses names between commas or blanks, without duplicates. Throws `LocalError` FOOTBRIDGE_USAGE. */
export function readScopes(command: string, text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const names = [...new Set(text.split(/[\s,]+/).filter(Boolean))];
  if (names.length === 0) throw usage('--scopes: names no scope; try rpc,identify.', { name: command });
  // RFC 6749, section 3.3.
  const wrong = names.find((name) => !/^[!#-[\]-~]{1,128}$/.test(name));
  if (wrong === undefined) return names.map((name) => knownScope(command, name));
  throw usage(`--scopes: ${JSON.stringify(wrong.slice(0, 60))} is not the name of a scope.`, {
    name: command,
  });
}
