import { type Client, connected, createClientOver } from './client.ts';
import type { ClientOptions } from './options.ts';
import { socketTransport } from './socket-transport.ts';

/** Creates a client that is not connected yet. Throws FOOTBRIDGE_INVALID_ARGUMENT that names an invalid option. */
export function createClient(options: ClientOptions): Client {
  return createClientOver((validated) => socketTransport(validated), options);
}

/** Connects; closes the client on failure. See {@link Client.connect}. */
export async function connect(options: ClientOptions): Promise<Client> {
  return connected(createClient(options));
}
