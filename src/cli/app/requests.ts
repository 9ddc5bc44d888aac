import { printableExactJson } from '../../base/text.ts';
import type { Client } from '../../client/index.ts';
import type { Io } from '../../daemon/io.ts';
import type { AppConnection } from './connection.ts';
import { commandText } from './refusal.ts';
import { STEP_MS, type TimeLimit, USER_MS } from './time-limit.ts';

/** One request of the protocol. */
export interface CallRequest {
  readonly cmd: string;
  readonly args: object;
  readonly evt: string | undefined;
}

/** Resolves with the answer's `data`. Rejects as `Client.requestRaw` does. */
export function request(client: Client, { cmd, args, evt }: CallRequest, limit: TimeLimit): Promise<unknown> {
  limit.next(`answer to ${commandText(cmd)}`, cmd === 'AUTHORIZE' ? USER_MS : STEP_MS);
  return client.requestRaw(cmd, args, {}, evt);
}

/** Authenticates with a token. Rejects as `Client.requestRaw` does. */
export async function authenticate(client: Client, token: string, limit: TimeLimit): Promise<void> {
  await request(client, { cmd: 'AUTHENTICATE', args: { access_token: token }, evt: undefined }, limit);
}

/**
 * Prints each event as one JSON value per line, until the connection ends or the reader closes stdout; then throws the
 * reason.
 */
export async function printEvents({ client, events, ended }: AppConnection, io: Io): Promise<never> {
  io.outClosed.addEventListener('abort', () => void client.close());
  for await (const { event, data } of events) io.out(`${printableExactJson({ evt: event, data })}\n`);
  throw await ended;
}
