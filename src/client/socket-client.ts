import { type Client, connected, createClientOver } from './client.ts';
import type { ClientOptions } from './options.ts';
import { socketTransport } from './socket-transport.ts';

/** A client that is not connected yet. Throws FOOTBRIDGE_INVALID_ARGUMENT that names the option that is wrong. */
export function createClient(options: ClientOptions): Client {
  return createClientOver((given) => socketTransport(given), options);
}

/** Connects; a client that cannot is closed. See {@link Client.connect}. */
export async function connect(options: ClientOptions): Promise<Client> {
  return connected(createClient(options));
}
