// Libraries of npm for presences: three of one family, and one that sends and hardly listens.
import { type EventEmitter, once } from 'node:events';
import { createRequire } from 'node:module';
import { APP } from '../story.ts';
import { playDay } from './day.ts';
import { type GameParts, gameDay } from './game-day.ts';

const require = createRequire(import.meta.url);

const PRESENCE = { state: 'In a boat', instance: true } as const;
const BUTTONS = [{ label: 'Look', url: 'https://example.test/look' }];

/** What the libraries of the family have, as far as the day goes. */
interface Client extends EventEmitter {
  readonly user: { readonly username: string } | null;
  readonly fetch: { endpoint: string };
  readonly connect: (application: string) => Promise<unknown>;
  readonly login: (options: object) => Promise<unknown>;
  readonly setActivity: (activity: object) => Promise<unknown>;
  readonly clearActivity: () => Promise<unknown>;
  readonly getVoiceSettings: () => Promise<{ readonly mute: boolean }>;
  readonly subscribe: (event: string, args: unknown, callback?: (data: unknown) => void) => Promise<unknown>;
  readonly destroy: () => Promise<unknown>;
}

interface Ways {
  readonly connect: (application: string) => Promise<unknown>;
  readonly login: () => Promise<unknown>;
}

const LOGIN = { clientId: APP, clientSecret: 'any', scopes: ['rpc'] } as const;

function partsOf(client: Client, ways: Partial<Ways> = {}): GameParts {
  const { connect, login }: Ways = {
    connect: (application) => client.connect(application),
    login: () => client.login(LOGIN),
    ...ways,
  };
  return {
    async connect(application, api) {
      client.fetch.endpoint = api;
      await connect(application);
      return client.user?.username;
    },
    async presence(details) {
      await client.setActivity({
        ...PRESENCE,
        details,
        startTimestamp: new Date(),
        largeImageKey: 'boat',
        largeImageText: 'A boat',
        partyId: 'crew',
        partySize: 1,
        partyMax: 4,
        buttons: BUTTONS,
      });
    },
    async clear() {
      await client.clearActivity();
    },
    async login() {
      await login();
      return client.user?.username ?? '';
    },
    voiceSettings: async () => (await client.getVoiceSettings()).mute,
    async subscribe(change) {
      // Of the family, 3.2 calls back and 4.0 emits.
      const told = new Promise<boolean>((resolve, reject) => {
        // The first tells how things are.
        const take = (data: unknown) => {
          if ((data as { readonly mute: boolean }).mute) resolve(true);
        };
        client.on('VOICE_SETTINGS_UPDATE', take);
        client.subscribe('VOICE_SETTINGS_UPDATE', undefined, take).then(change, reject);
      });
      return told;
    },
    async leave() {
      await client.destroy();
    },
  };
}

type Rpc = { readonly Client: new (options: object) => Client };

playDay(gameDay, {
  name: 'discord-rpc',
  absent: {},
  start() {
    const client = new (require('discord-rpc') as Rpc).Client({ transport: 'ipc' });
    client.on('error', () => undefined);
    return { parts: partsOf(client), end: () => undefined };
  },
});

playDay(gameDay, {
  name: 'd-js-rpc',
  absent: {},
  start() {
    const client = new (require('d-js-rpc') as Rpc).Client({ transport: 'ipc' });
    client.on('error', () => undefined);
    return { parts: partsOf(client), end: () => undefined };
  },
});

playDay(gameDay, {
  name: 'discord-auto-rpc',
  absent: {},
  start() {
    const { AutoClient } = require('discord-auto-rpc') as { readonly AutoClient: Rpc['Client'] };
    const client = new AutoClient({ transport: 'ipc' }) as Client & {
      endlessLogin(options: object): Promise<unknown>;
    };
    client.on('error', () => undefined);
    // It connects once, with all that it wants.
    const connect = () => client.endlessLogin({ ...LOGIN, scopes: [...LOGIN.scopes] });
    return { parts: partsOf(client, { connect, login: () => Promise.resolve() }), end: () => undefined };
  },
});

interface Sender extends EventEmitter {
  readonly connect: () => Promise<void>;
  readonly setActivity: (activity: object) => void;
  readonly clearActivity: () => void;
  readonly setAutoReconnect: (enabled: boolean) => void;
  readonly disconnect: () => void;
}

playDay(gameDay, {
  name: '@ryuziii/discord-rpc',
  absent: {
    login: 'shows presences and nothing else',
    voiceSettings: 'shows presences and nothing else',
    subscribe: 'shows presences and nothing else',
  },
  start({ emulator }) {
    const { DiscordRPCClient } = require('@ryuziii/discord-rpc') as {
      readonly DiscordRPCClient: new (options: object) => Sender;
    };
    // It knows /tmp alone, where a real client may be.
    const net = require('node:net') as { createConnection: (path: string, done: () => void) => unknown };
    const { createConnection } = net;
    net.createConnection = (path, done) =>
      createConnection(path === '/tmp/discord-ipc-0' ? emulator.endpoint : path, done);
    const client = new DiscordRPCClient({ clientId: APP, transport: 'ipc' });
    client.setAutoReconnect(false);
    return {
      end: () => {
        net.createConnection = createConnection;
      },
      parts: {
        async connect() {
          const ready = once(client, 'ready');
          await client.connect();
          await ready;
          return undefined;
        },
        presence(details) {
          const party = { id: 'crew', size: [1, 4] };
          client.setActivity({ ...PRESENCE, details, party, buttons: BUTTONS });
          return Promise.resolve();
        },
        clear() {
          client.clearActivity();
          return Promise.resolve();
        },
        leave() {
          client.disconnect();
          return Promise.resolve();
        },
      },
    };
  },
});
