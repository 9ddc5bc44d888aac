import type { ArgumentsOf, Operations } from '../../../control/generated.ts';
import type { OperationDetails, OperationSummary } from '../../../control/operation-summary.ts';

/** Name and text of a report for a bug. */
interface Bugreport {
  readonly name: string;
  readonly text: string;
}

/** Refusal of the bridge or the console, with a readable message. */
class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}

/** Runs an operation of the bridge. Throws {@link Refusal}. */
export async function call<Name extends keyof Operations>(
  operation: Name,
  ...[args = {}]: ArgumentsOf<Name>
): Promise<Operations[Name]['result']> {
  return (await callAny(operation, args)) as Operations[Name]['result'];
}

/** Calls an operation by any name; `signal` ends the wait for the answer. Throws {@link Refusal}. */
export function callAny(operation: string, args: object, signal?: AbortSignal): Promise<unknown> {
  return exchange(`/call/${operation}`, args, signal);
}

/** Verdicts of `footbridge doctor`. Throws {@link Refusal}. */
export async function doctor(): Promise<unknown> {
  return exchange('/doctor', {});
}

/** Report for a bug as a file. Throws {@link Refusal}. */
export async function bugreport(): Promise<Bugreport> {
  return (await exchange('/bugreport', {})) as Bugreport;
}

/** Operations of this bridge. Throws {@link Refusal}. */
export async function listOperations(): Promise<readonly OperationSummary[]> {
  return (await exchange('/operations')) as readonly OperationSummary[];
}

/** Arguments and result of one operation. Throws {@link Refusal}. */
export async function operationDetails(name: string): Promise<OperationDetails> {
  return (await exchange(`/operations/${name}`)) as OperationDetails;
}

async function exchange(path: string, body?: object, signal: AbortSignal | null = null): Promise<unknown> {
  const init: RequestInit =
    body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'footbridge-console': '1' },
          body: JSON.stringify(body),
          signal,
        };
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Refusal('FOOTBRIDGE_CONSOLE', 'The console does not answer: "footbridge console" has ended.');
  }
  const value = (await response.json().catch(() => ({}))) as {
    readonly code?: string;
    readonly message?: string;
  };
  if (response.ok && !response.headers.has('footbridge-refused')) return value;
  if (response.status === 403 && value.message === undefined) {
    throw new Refusal(
      'FOOTBRIDGE_CONSOLE',
      'This page is not signed in any more: open a new address of "footbridge console".',
    );
  }
  throw new Refusal(
    value.code ?? 'FOOTBRIDGE_CONSOLE',
    value.message ?? `The console answered ${response.status}.`,
  );
}
