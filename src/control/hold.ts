import type { IncomingMessage, ServerResponse } from 'node:http';
import { ControlError } from './control-error.ts';
import { type ControlRequest, type ControlSource, callOperation, operationAt, readArgs } from './routes.ts';

/** Whether a path requests a result that lives as long as the connection. */
export function isHold(path: string): boolean {
  return /^\/v1\/operations\/[\w.-]{1,64}\/hold$/.test(path);
}

/**
 * Runs an operation whose result lives as long as the caller's connection, and sends the result as one line of an
 * answer that does not end. `started` is called once the operation has run. Throws {@link ControlError}.
 */
export async function serveHold(
  source: ControlSource,
  { method, path, body, caller }: ControlRequest,
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
  started: () => void,
): Promise<void> {
  if (method !== 'POST') throw new ControlError(405, 'FOOTBRIDGE_METHOD', 'This route takes POST only');
  const operation = path.slice(0, -'/hold'.length);
  if (operationAt(source.operations, operation)?.holds !== true) {
    throw new ControlError(
      404,
      'FOOTBRIDGE_UNKNOWN_OPERATION',
      'No such operation of this bridge has a result that is held',
    );
  }
  const { request, response } = exchange;
  const left = new AbortController();
  request.socket.once('close', () => left.abort());
  if (request.socket.destroyed) return;
  const name = operation.slice(operation.lastIndexOf('/') + 1);
  const result = await callOperation(source, name, readArgs(body), { ...caller, held: left.signal });
  started();
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.write(`${JSON.stringify(result)}\n`);
}
