import { LocalError } from '../../base/local-error.ts';
import { didYouMean } from '../../base/nearest.ts';
import { printable } from '../../base/text.ts';
import { RpcError } from '../../client/index.ts';
import { asLocalError } from './endpoint.ts';

const UNKNOWN_COMMAND = 4002;
const UNKNOWN_EVENT = 4004;

/** Why a request failed, as a failure of the command; with the name that was probably meant. */
export async function asRefusal(error: unknown, evt?: string): Promise<unknown> {
  if (!(error instanceof RpcError)) return asLocalError(error);
  const { cmd, code, message } = error;
  const meant = await hint(error, evt);
  const text = `${shown(cmd)} failed: ${code} ${message}`;
  return new LocalError('FOOTBRIDGE_RPC_ERROR', meant === '' ? text : `${text.replace(/\.$/, '')}.${meant}`);
}

/** ` Did you mean "…"?` after a refusal for a name that nobody knows, or nothing. */
export async function hint({ cmd, code }: RpcError, evt: string | undefined): Promise<string> {
  if (code !== UNKNOWN_COMMAND && (code !== UNKNOWN_EVENT || evt === undefined)) return '';
  const { commands, events } = await import('../bridge-parts.ts');
  const word = code === UNKNOWN_COMMAND ? cmd : (evt ?? '');
  const known = Object.keys(code === UNKNOWN_COMMAND ? commands : events);
  // The same code stands for other mistakes, too.
  return known.includes(word) ? '' : didYouMean(word.toUpperCase(), known);
}

/** The command as it was typed, on one line and no longer than a person reads. */
export function shown(cmd: string): string {
  return printable(cmd.length > 60 ? `${cmd.slice(0, 60)}…` : cmd);
}
