import { type Client, createClientOver } from './client.ts';
import { ClientError } from './errors.ts';
import type { ClientOptions } from './options.ts';
import { ownWebSocket } from './text-socket.ts';
import { webTransport } from './web-transport.ts';

/**
 * Creates a client that is not connected yet, for a web page: it uses WebSocket. Throws FOOTBRIDGE_INVALID_ARGUMENT
 * that names an invalid option.
 */
export function createClient(options: ClientOptions): Client {
  const makeSocket = ownWebSocket();
  if (makeSocket === undefined) throw new ClientError('INVALID_ARGUMENT', 'There is no WebSocket here');
  return createClientOver((validated) => webTransport(validated, makeSocket), options);
}
