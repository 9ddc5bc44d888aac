// An app made with @xhayper/discord-rpc 1.5.1. With `--no-error-listener` it listens for no `error`.
import { Client } from '@xhayper/discord-rpc';
import { type App, EventLog, outcomes, serveApp } from './app.ts';

const listensForErrors = !process.argv.includes('--no-error-listener');
const names = [
  'GUILD_STATUS',
  'VOICE_SETTINGS_UPDATE',
  'VOICE_CHANNEL_SELECT',
  'CURRENT_USER_UPDATE',
] as const;

type EventName = Parameters<Client['subscribe']>[0];

/** Where the library keeps what it has no option for. */
interface Inside {
  readonly rest: { readonly options: { api: string }; setToken(token: string): void };
}

interface Connected {
  readonly client: Client;
  readonly events: EventLog;
  readonly closed: Promise<{ readonly code: number; readonly message: string }>;
}

let current = prepare('0');

function prepare(clientId: string): Connected {
  const client = new Client({ clientId, clientSecret: 'any' });
  const events = new EventLog();
  for (const name of names) client.on(name, (data: unknown) => events.add(name, data));
  if (listensForErrors) {
    client.on('error' as 'ERROR', (error: unknown) => events.add('error', String(error)));
  }
  const closed = new Promise<{ code: number; message: string }>((resolve) => {
    client.transport.on('close', (reason) => {
      if (typeof reason === 'object' && reason !== null) resolve(reason);
    });
  });
  return { client, events, closed };
}

/** The logged-in user; the library loses it on disconnect. */
function me(): NonNullable<Client['user']> {
  const { user } = current.client;
  if (user === undefined) throw new Error('the client has no user');
  return user;
}

const app: App = {
  async connect(clientId) {
    current = prepare(clientId);
    await current.client.connect();
    return me().username;
  },

  async login({ scopes, api, token }) {
    const { client } = current;
    const inside = client as unknown as Inside;
    inside.rest.options.api = api;
    // The token it was given goes to AUTHENTICATE only; the one of an exchange it keeps for its requests.
    let used = token;
    const setToken = inside.rest.setToken.bind(inside.rest);
    inside.rest.setToken = (value: string) => {
      used = value;
      setToken(value);
    };
    await client.login({
      scopes: [...scopes] as never,
      ...(token === undefined ? {} : { accessToken: token }),
    });
    return { token: used ?? '', application: client.application?.name ?? '', user: me().username };
  },

  async voiceSettings() {
    const settings = await me().getVoiceSettings();
    return { mute: settings.mute, volume: settings.input.volume, mode: settings.mode.type };
  },
  setActivity: (details) =>
    me().setActivity({
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
  async clearActivity() {
    await me().clearActivity();
    return null;
  },
  async subscribe([evt, args]) {
    await current.client.subscribe(evt as EventName, args);
  },
  subscribeAll: (subscriptions) =>
    outcomes(subscriptions.map(([evt, args]) => current.client.subscribe(evt as EventName, args))),
  events: (count) => current.events.atLeast(count),
  closed: () => current.closed,
  destroy: () => current.client.destroy(),
  settle: () => Promise.resolve(),
};

serveApp(app);
