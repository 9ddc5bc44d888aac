import { onTestFinished } from 'vitest';
import { type Client, type ClientOptions, connect } from '../../src/client/index.ts';
import { type Script, type ScriptedServer, scriptedServer, wellBehaved } from './scripted-server.ts';

/** Who the clients of these tests are. */
export const clientId = '207646673902501888';

/** A scripted server with a client that is ready; both end with the test. */
export async function connected(
  script: Script = wellBehaved,
  options: Partial<ClientOptions> = {},
): Promise<{ readonly server: ScriptedServer; readonly client: Client }> {
  const server = await scriptedServer(script);
  const client = await connect({ clientId, paths: [server.path], ...options });
  onTestFinished(() => client.close());
  return { server, client };
}
