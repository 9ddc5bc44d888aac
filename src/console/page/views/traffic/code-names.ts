import type { Exchange } from '../../../../journal/exchange.ts';
import { ErrorCode } from '../../../../protocol/error-code.ts';
import { CloseCode, Opcode } from '../../../../wire/codes.ts';
import { STATUS_TEXTS } from './refusal.ts';

const ERRORS = namesOf(ErrorCode);
const CLOSES = namesOf(CloseCode);

/** Name of the code or the status with which a request failed; undefined for any other result. */
export function codeName({ kind, request, state, code, answer }: Exchange): string | undefined {
  if (state !== 'failed') return undefined;
  if (request?.kind === 'http') return STATUS_TEXTS[request.status];
  // The codes that end a connection are others than those of answers.
  if (answer?.kind === 'close' || (answer?.kind === 'frame' && answer.opcode === Opcode.CLOSE))
    return CLOSES.get(code);
  return kind === 'rpc' ? ERRORS.get(code) : undefined;
}

function namesOf(codes: Readonly<Record<string, number>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(codes).map(([name, code]) => [String(code), name]));
}
