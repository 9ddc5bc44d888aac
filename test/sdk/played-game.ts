import { onTestFinished } from 'vitest';
import { AuthorizationArgs, AuthorizationTokenType, Client, ClientStatus } from '../../src/sdk/index.ts';
import { type StartEmulatorOptions, startEmulator, type TestEmulator } from '../../src/testing/testing.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';

export const APP = '300000000000000001';
const BOT = { authorization: `Bot ${Buffer.from(APP).toString('base64url')}.emulator.bot` };

/** A game on a machine without a chat client, its player logged in. */
export interface PlayedGame {
  readonly client: Client;
  readonly id: bigint;
  readonly token: string;
  /** Each status, with the error and its number where there is one. */
  readonly statuses: (readonly number[])[];
}

export async function service(options: StartEmulatorOptions = {}): Promise<TestEmulator> {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
}

/** A client that finds no chat client. */
export function alone(api: string): Client {
  const client = new Client(api, 'https://web.example', { paths: ['/nowhere/discord-ipc-0'] });
  onTestFinished(() => client.Disconnect());
  client.SetApplicationId(APP);
  return client;
}

/** In Node 20 a fetch whose server is killed under it now and then never ends: what waits for it has to. */
function inTime<T>(asked: Promise<T>, ms = PATIENCE_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

/** Asks the service as the game's own server. */
// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
export function asServer(api: string, method: string, path: string, body?: object): Promise<any> {
  return inTime(askAsServer(api, method, path, body));
}

// biome-ignore lint/suspicious/noExplicitAny: as above
async function askAsServer(api: string, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`${api}/v10${path}`, {
    method,
    headers: { ...BOT, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Token of a player whom only the game knows. */
export async function provisionalToken(api: string, name: string): Promise<string> {
  const answer = await asServer(api, 'POST', '/partner-sdk/token/bot', {
    external_user_id: name,
    preferred_global_name: name,
  });
  return answer.access_token;
}

/** Such a player, connected. */
export async function plays(api: string, name: string): Promise<PlayedGame> {
  const client = alone(api);
  const statuses: (readonly number[])[] = [];
  client.SetStatusChangedCallback((...status) => statuses.push(status[1] === 0 ? [status[0]] : status));
  const token = await provisionalToken(api, name);
  const { result } = await client.UpdateToken(AuthorizationTokenType.Bearer, token);
  if (!result.Successful()) throw new Error(result.ToString());
  client.Connect();
  await until(() => client.GetStatus() === ClientStatus.Ready);
  return { client, id: client.GetCurrentUserV2()?.Id() ?? 0n, token, statuses };
}

/** Waits until something is so. */
export async function until(is: () => boolean, ms = PATIENCE_MS): Promise<void> {
  const late = Date.now() + ms;
  while (!is()) {
    if (Date.now() > late) throw new Error(`not so within ${ms} ms: ${String(is)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Ids in their order. */
export function sorted(ids: readonly bigint[]): bigint[] {
  return ids.toSorted((one, other) => (one < other ? -1 : 1));
}

/** A player of the platform: River, who has allowed the game. */
export async function linked(
  emulator: TestEmulator,
  scopes = 'openid sdk.social_layer guilds.join',
): Promise<Client> {
  const client = new Client(emulator.api, 'https://web.example', {
    paths: [`${emulator.env.XDG_RUNTIME_DIR}/discord-ipc-0`],
  });
  onTestFinished(() => client.Disconnect());
  client.SetApplicationId(APP);
  const pair = client.CreateAuthorizationCodeVerifier();
  const args = new AuthorizationArgs();
  args.SetScopes(scopes);
  args.SetCodeChallenge(pair.Challenge());
  const { code, redirectUri } = await client.Authorize(args);
  const { accessToken } = await client.GetToken(APP, code, pair.Verifier(), redirectUri);
  await client.UpdateToken(AuthorizationTokenType.Bearer, accessToken);
  client.Connect();
  await until(() => client.GetStatus() === ClientStatus.Ready);
  return client;
}
