// An app made with discord-rpc 4.0.1. With `--no-error-listener` it listens for no `error`, as most apps do.
import { setTimeout as sleep } from 'node:timers/promises';
import DiscordRpc, { type Client } from 'discord-rpc';
import { type App, EventLog, outcomes, serveApp } from './app.ts';

const listensForErrors = !process.argv.includes('--no-error-listener');
const names = ['GUILD_STATUS', 'VOICE_SETTINGS_UPDATE', 'VOICE_CHANNEL_SELECT', 'CURRENT_USER_UPDATE'];

interface Connected {
  readonly client: Client;
  readonly events: EventLog;
  readonly closed: Promise<{ readonly code: number; readonly message: string }>;
}

let current = prepare();

function prepare(): Connected {
  const client = new DiscordRpc.Client({ transport: 'ipc' });
  const events = new EventLog();
  for (const name of names) client.on(name, (data: unknown) => events.add(name, data));
  if (listensForErrors) client.on('error', (error: Error) => events.add('error', error.message));
  const closed = new Promise<{ code: number; message: string }>((resolve) => {
    client.transport.on('close', (body: unknown) => {
      if (typeof body === 'object' && body !== null && 'code' in body) resolve(body as never);
    });
  });
  return { client, events, closed };
}

const app: App = {
  async connect(clientId) {
    current = prepare();
    await current.client.connect(clientId);
    return current.client.user?.username ?? '';
  },

  async login({ clientId, scopes, api, token }) {
    const { client } = current;
    client.fetch.endpoint = api;
    await client.login({
      clientId,
      scopes,
      clientSecret: 'any',
      ...(token === undefined ? {} : { accessToken: token }),
    });
    return {
      token: client.accessToken ?? '',
      application: client.application?.name ?? '',
      user: client.user?.username ?? '',
    };
  },

  async voiceSettings() {
    const { mute, input, mode } = await current.client.getVoiceSettings();
    return { mute, volume: input.volume, mode: mode.type };
  },
  setActivity: (details) =>
    current.client.setActivity({
      details,
      state: 'In a test',
      startTimestamp: new Date(),
      largeImageKey: 'large',
      largeImageText: 'Large',
      partyId: 'party',
      partySize: 1,
      partyMax: 4,
      buttons: [{ label: 'Look', url: 'https://example.test/look' }],
      instance: true,
    }),
  clearActivity: () => current.client.clearActivity(),
  async subscribe([evt, args]) {
    await current.client.subscribe(evt, args);
  },
  subscribeAll: (subscriptions) =>
    outcomes(subscriptions.map(([evt, args]) => current.client.subscribe(evt, args))),
  events: (count) => current.events.atLeast(count),
  closed: () => current.closed,
  destroy: () => current.client.destroy(),

  /**
   * After AUTHORIZE the library looks for an HTTP listener that answers 404; not finding one is an `error`.
   * The first that answers may be another program's, and slow: still looking is no failure.
   */
  async settle() {
    const end = Date.now() + 2000;
    while (current.client.request.endpoint === undefined && Date.now() < end) await sleep(5);
  },
};

serveApp(app);
