// What a session of the SDK costs. `npm run bench -- sdk`
import { setTimeout as sleep } from 'node:timers/promises';
import { NODE_FLAGS } from '../../src/cli/service/program.ts';
import { type AuthorizationTokenType, Client, ClientStatus } from '../../src/sdk/index.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { PROGRAM, UNLIMITED } from './built.ts';
import type { CoreFigure } from './cores.ts';
import { median } from './statistics.ts';

const APP = '300000000000000001';
const BEARER: AuthorizationTokenType = 1;
const CONNECTS = 20;
const MESSAGES = 10_000;
/** How long the last message may take (ms). */
const LATE_MS = 10_000;

/** Measures `Connect` until ready beside a running emulator, and how many of many lobby messages arrive. */
export async function measureSdk(passes: number, tell: (text: string) => void): Promise<CoreFigure[]> {
  const daemon = await startDaemon({
    command: [process.execPath, ...NODE_FLAGS, PROGRAM],
    args: ['--consent', 'allow', '--http-port', '0', '--ws-port', 'off'],
    env: UNLIMITED,
  });
  try {
    const api = String(daemon.ready.api);
    tell('Connect');
    const times: number[] = [];
    for (let pass = 0; pass < passes; pass += 1) {
      for (let i = 0; i < CONNECTS; i += 1) {
        const client = await player(api, `player ${i}`);
        const begun = performance.now();
        await connected(client);
        times.push(performance.now() - begun);
        await client.Disconnect();
      }
    }
    tell('lobby messages');
    const heard = await messages(api);
    const spread = ` (${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)})`;
    return [
      { name: 'Connect until ready, p50', value: median(times), most: 150, unit: 'ms', more: spread },
      {
        name: 'lobby messages that were not heard',
        value: MESSAGES - heard.count,
        most: 0,
        unit: '',
        more: ` of ${MESSAGES}, in ${(heard.ms / 1000).toFixed(1)} s`,
      },
    ];
  } finally {
    await daemon.stop();
  }
}

async function player(api: string, name: string): Promise<Client> {
  const response = await fetch(`${api}/v10/partner-sdk/token/bot`, {
    method: 'POST',
    headers: {
      authorization: `Bot ${Buffer.from(APP).toString('base64url')}.emulator.bot`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ external_user_id: name }),
  });
  const { access_token } = (await response.json()) as { readonly access_token: string };
  const client = new Client(api, 'https://web.example', { paths: ['/nowhere/discord-ipc-0'] });
  client.SetApplicationId(APP);
  await client.UpdateToken(BEARER, access_token);
  return client;
}

function connected(client: Client): Promise<void> {
  return new Promise((resolve, reject) => {
    client.SetStatusChangedCallback((status, error, detail) => {
      if (status === ClientStatus.Ready) resolve();
      else if (status === ClientStatus.Disconnected) reject(new Error(`Connect: ${error}, ${detail}`));
    });
    client.Connect();
  });
}

/** Two players: one says many things as fast as they are taken, the other hears them. */
async function messages(api: string): Promise<{ readonly count: number; readonly ms: number }> {
  const [speaker, listener] = [await player(api, 'speaker'), await player(api, 'listener')];
  await Promise.all([connected(speaker), connected(listener)]);
  const { lobbyId } = await speaker.CreateOrJoinLobby('tide');
  await listener.CreateOrJoinLobby('tide');
  const heard = new Set<bigint>();
  listener.SetMessageCreatedCallback((id) => heard.add(id));
  const begun = performance.now();
  let said = 0;
  const speak = async (): Promise<void> => {
    while (said < MESSAGES) {
      said += 1;
      const { result } = await speaker.SendLobbyMessage(lobbyId, `message ${said}`);
      if (result.Successful()) continue;
      said -= 1;
      if (!result.Retryable()) throw new Error(result.ToString());
      await sleep(result.RetryAfter() * 1000);
    }
  };
  await Promise.all(Array.from({ length: 16 }, speak));
  const late = performance.now() + LATE_MS;
  while (heard.size < MESSAGES && performance.now() < late) await sleep(5);
  const ms = performance.now() - begun;
  await Promise.all([speaker.Disconnect(), listener.Disconnect()]);
  return { count: heard.size, ms };
}
