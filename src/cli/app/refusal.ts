import { LocalError } from '../../base/local-error.ts';
import { didYouMean } from '../../base/nearest.ts';
import { printable } from '../../base/text.ts';
import { RpcError } from '../../client/index.ts';
import { asLocalError } from './endpoint.ts';

const UNKNOWN_COMMAND = 4002;
const UNKNOWN_EVENT = 4004;

/** Converts a failed request to a failure of the command, with a suggestion for a misspelt name. */
export async function asRefusal(error: unknown, evt?: string): Promise<unknown> {
  if (!(error instanceof RpcError)) return asLocalError(error);
  const { cmd, code, message } = error;
  const meant = await hint(error, evt);
  const text = `${commandText(cmd)} failed: ${code} ${message}`;
  return new LocalError('FOOTBRIDGE_RPC_ERROR', meant === '' ? text : `${text.replace(/\.$/, '')}.${meant}`);
}

/** ` Did you mean "…"?` after a refusal for an unknown name, or the empty string. */
export async function hint({ cmd, code }: RpcError, evt: string | undefined): Promise<string> {
  if (code !== UNKNOWN_COMMAND && (code !== UNKNOWN_EVENT || evt === undefined)) return '';
  const { commands, events } = await import('../../protocol/registry.ts');
  const word = code === UNKNOWN_COMMAND ? cmd : (evt ?? '');
  const known = Object.keys(code === UNKNOWN_COMMAND ? commands : events);
  // The server uses the same code for other mistakes, so a known name gets no suggestion.
  return known.includes(word) ? '' : didYouMean(word.toUpperCase(), known);
}

/** Command that the user typed, in one line, cut to a readable length. */
export function commandText(cmd: string): string {
  return printable(cmd.length > 60 ? `${cmd.slice(0, 60)}…` : cmd);
}
