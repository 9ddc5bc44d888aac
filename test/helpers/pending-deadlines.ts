import { request } from 'node:http';
import type { Emulator } from '../../src/emulator/compose/emulator.ts';
import { ids } from './emulator-world.ts';
import { openPoll } from './open-poll.ts';

/** Something that comes due by the clock of an emulator. */
export interface PendingDeadline {
  readonly name: string;
  /** Begins it; `at` is a time to come (ISO 8601). */
  readonly begin: (emulator: Emulator, at: string) => unknown;
}

const APP = ids.harbourExample;
const signal = new AbortController().signal;

/** Everything that comes due by the clock of an emulator, each begun in its own way. */
export const PENDING: readonly PendingDeadline[] = [
  { name: 'an open poll', begin: (emulator, at) => emulator.apply({ messages: [openPoll(at)] }) },
  {
    name: 'an open thread',
    begin: (emulator) =>
      inGuild(emulator, {
        channels: [{ id: '90', name: 'tide', type: 'public_thread', parent: ids.general, owner: 'otter' }],
      }),
  },
  {
    name: 'an event of a guild',
    begin: (emulator, start) =>
      inGuild(emulator, {
        scheduled_events: [
          { id: '91', name: 'Regatta', type: 'voice', channel: ids.lounge, start, end: null },
        ],
      }),
  },
  {
    name: 'a stage on which nobody speaks',
    begin: async (emulator) => {
      await inGuild(emulator, { channels: [{ id: '92', name: 'Pier', type: 'stage' }] });
      await emulator.apply({ stage_instances: [{ channel: '92', id: '93', topic: 'Tides' }] });
    },
  },
  {
    name: 'a file of target users that is read',
    begin: (emulator) => {
      const created_at = new Date(emulator.clock.now()).toISOString();
      const job = { state: 'processing', total: 2, processed: 0, created_at };
      const invite = { code: 'pier', channel: ids.lounge, created_at, max_age: 0, targeted: true };
      return emulator.apply({ channel_invites: [{ ...invite, inviter: ids.heron, job }] });
    },
  },
  {
    name: 'a subscription that ends',
    begin: async (emulator) => {
      await emulator.apply({ skus: [{ id: '94', name: 'Season', type: 5, application: APP }] });
      const { subscriptions } = emulator.store;
      subscriptions.set(subscriptions.start(ids.otter, '94', null).id, 'ending');
    },
  },
  {
    name: 'an empty lobby',
    begin: (emulator, idle_since) =>
      emulator.apply({ lobbies: [{ id: '95', application: APP, idle_since }] }),
  },
  {
    name: 'a headless session',
    begin: async (emulator) => {
      const { url } = await emulator.listen({ port: 0, refusedOwner: async () => undefined });
      const token = await tokenOf(emulator, url);
      const activity = { name: 'Harbour', type: 0, application_id: APP, platform: 'desktop' };
      await post(`${url}/v10/users/@me/headless-sessions`, token, { activities: [activity] });
    },
  },
  {
    name: 'an identity that is merged',
    begin: async (emulator) => {
      const identity = { application: APP, provider: 'STEAM', external_user_id: '7' };
      const account = { user: 'heron', status: 'merging', source: 'otter' };
      await emulator.apply({ external_identities: [{ ...identity, ...account }] });
    },
  },
  {
    name: 'an interaction without an answer',
    begin: (emulator) =>
      emulator.interactions.begin({
        application: APP,
        user: ids.river,
        channel: ids.general,
        type: 2,
        data: { id: '96', name: 'tide', type: 1 },
      }),
  },
  {
    name: 'an event that could not be delivered over HTTP',
    begin: async (emulator) => {
      // Nothing listens on the port of TCP multiplexing.
      await emulator.apply({ event_webhooks: [{ application: APP, url: 'http://127.0.0.1:1/' }] });
      emulator.webhooks.send({ application: APP, type: 'QUEST_USER_ENROLLMENT', data: {} });
      await emulator.webhooks.settled(AbortSignal.timeout(10_000));
    },
  },
  {
    name: 'a request that waits for a person',
    begin: (emulator) => {
      emulator.oauth2.setPolicy('ask');
      void emulator.oauth2
        .authorize({ clientId: ids.lighthouse, scopes: ['guilds'], peer: { transport: 'ipc' }, signal })
        .catch(() => {});
    },
  },
  {
    name: 'a ban for a while',
    begin: (emulator, until) => emulator.apply({ account_bans: [{ user: 'otter', until }] }),
  },
];

function inGuild(emulator: Emulator, change: object) {
  return emulator.apply({ guilds: [{ id: ids.riverBank, ...change }] });
}

async function tokenOf(emulator: Emulator, issuer: string): Promise<string> {
  emulator.oauth2.setPolicy('allow');
  const scopes = ['identify', 'sdk.social_layer'];
  const peer = { transport: 'ipc' } as const;
  const { code } = await emulator.oauth2.authorize({ clientId: APP, scopes, peer, signal });
  const credentials = { clientId: APP, clientSecret: 'any' };
  return (await emulator.oauth2.exchangeCode(credentials, { code, issuer })).access_token;
}

/** Rejects unless it succeeds. */
function post(url: string, token: string, json: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`answered ${response.statusCode}`)),
      );
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(json));
  });
}
