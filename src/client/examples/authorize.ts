// Requests access until the user grants it, and renews the tokens when the service rejects them. npx tsx
// src/client/examples/authorize.ts API, where API is the address that `npm start` prints as the token endpoint
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError, connect, RpcError } from '../index.ts';
import { authorize, refreshTokens, type TokenSet } from '../oauth2.ts';

const app = { api: process.argv[2] ?? '', clientId: '300000000000000001' };
const scopes = ['identify', 'guilds', 'rpc'];
let tokens: TokenSet | undefined;

const client = await connect({
  clientId: app.clientId,
  wait: true,
  async token({ rejected }) {
    if (rejected && tokens?.refreshToken) tokens = await refreshTokens(app, tokens.refreshToken);
    return tokens?.accessToken;
  },
});
while (tokens === undefined) {
  try {
    tokens = await authorize(client, { ...app, scopes });
  } catch (error) {
    if (!(error instanceof RpcError || error instanceof ClientError)) throw error;
    process.stdout.write(`Refused: ${error.message}\n`);
    await sleep(1000);
    // The chat client may have restarted in the meantime, so the client connects again.
    await client.connect();
  }
}
const { guilds } = await client.request('GET_GUILDS');
process.stdout.write(`Granted ${tokens.scopes.join(' ')}: ${guilds.map(({ name }) => name).join(', ')}\n`);
await client.close();
