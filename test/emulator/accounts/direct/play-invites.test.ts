import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient } from '../../../helpers/gateway-client.ts';
import { told } from '../../../helpers/gateway-told.ts';
import { APP } from '../../../helpers/platform.ts';
import { type Player, players } from '../../../helpers/players.ts';

const HOUR = 3_600_000;
const CONNECTED = ['identify', 'gateway.connect', 'sdk.social_layer'];
const shown = (more: object = {}) => ({
  name: 'Harbour',
  type: 0,
  application_id: APP,
  party: { id: 'crew', size: [1, 4] },
  secrets: { join: 'let-me-in' },
  ...more,
});

/** River plays what can be joined, and Otter's game listens. */
async function playing(activity: object = shown()) {
  const platform = await players();
  const { emulator, url, call } = platform;
  const connect = async (user: string, scopes = CONNECTED) => {
    const { id: before } = emulator.me();
    emulator.accounts.logIn(user);
    const headers = await platform.bearer(scopes, APP);
    emulator.accounts.logIn(before);
    const client = new GatewayClient(url);
    const ready = await client.identify(headers.authorization, {});
    await told(client);
    const ask: Player['ask'] = (what, request = {}) => call(what, { ...request, headers });
    return { client, ask, session: (ready.d as { session_id: string }).session_id };
  };
  const river = await connect(ids.river);
  const otter = await connect(ids.otter);
  const show = async (one: object | null): Promise<void> => {
    river.client.send({
      op: 3,
      d: { since: 0, status: 'online', afk: false, activities: one === null ? [] : [one] },
    });
    await told(river.client);
    await told(otter.client);
  };
  await show(activity);
  const invite = (more: object = {}) =>
    river.ask(`POST /users/${ids.otter}/messages`, {
      json: {
        content: 'come along',
        activity: { type: 1, session_id: river.session, party_id: 'crew' },
        ...more,
      },
    });
  return { platform, emulator, connect, river, otter, show, invite };
}

/** Messages alone: with the first one a channel comes. */
const messages = async (client: GatewayClient) =>
  (await told(client)).filter(({ t }) => t === 'MESSAGE_CREATE');

const secretPath = (said: {
  readonly author: { readonly id: string };
  readonly activity: { readonly session_id: string };
  readonly channel_id: string;
  readonly id: string;
}) =>
  `GET /users/${said.author.id}/sessions/${said.activity.session_id}/activities/${APP}/1?channel_id=${said.channel_id}&message_id=${said.id}`;

describe('an invite by HTTP [V-14]', () => {
  it('is sent to the games of the recipient, and gives the recipient the join secret', async () => {
    const { otter, invite, river } = await playing();
    const sent = await invite();
    expect(sent.status).toBe(200);
    const [event] = await messages(otter.client);
    expect(event).toMatchObject({
      t: 'MESSAGE_CREATE',
      d: {
        id: sent.body.id,
        content: 'come along',
        author: { id: ids.river },
        application_id: APP,
        activity: { type: 1, party_id: 'crew', session_id: river.session },
      },
    });
    expect(JSON.stringify([event, sent.body])).not.toContain('let-me-in');
    for (let n = 0; n < 2; n += 1) {
      const { status, body } = await otter.ask(secretPath(sent.body));
      expect([status, body]).toEqual([200, { secret: 'let-me-in' }]);
    }
  });

  it('gives the secret to no other user, and for no other message, session or activity', async () => {
    const { platform, otter, invite } = await playing();
    const { body } = await invite();
    const heron = await platform.person(ids.heron);
    const refused = [
      await heron.refused(secretPath(body)),
      await otter.ask(secretPath({ ...body, id: '5' })),
      await otter.ask(secretPath({ ...body, channel_id: '5' })),
      await otter.ask(secretPath({ ...body, author: { id: ids.heron } })),
      await otter.ask(secretPath({ ...body, activity: { session_id: 'x' } })),
      await otter.ask(secretPath(body).replace('/1?', '/2?')),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    const blind = await platform.person(ids.otter, ['identify']);
    expect((await blind.refused(secretPath(body))).body.code).toBe(50026);
  });

  it('expires after six hours, with another secret, and with the session', async () => {
    const { emulator, otter, invite, show, river } = await playing();
    const first = (await invite()).body;
    emulator.clock.advance(6 * HOUR + 1000);
    expect((await otter.ask(secretPath(first))).status).toBe(404);
    const second = (await invite()).body;
    await show(shown({ secrets: { join: 'another' } }));
    expect((await otter.ask(secretPath(second))).status).toBe(404);
    const third = (await invite()).body;
    expect((await otter.ask(secretPath(third))).body).toEqual({ secret: 'another' });
    river.client.socket.close(1000);
    await river.client.closed;
    await told(otter.client);
    expect((await otter.ask(secretPath(third))).status).toBe(404);
  });

  it('needs a joinable activity, and the scope', async () => {
    const { platform, emulator, show, invite } = await playing();
    const wrong = await invite({ activity: { type: 1, party_id: 'others' } });
    expect(wrong.body.errors.activity.party_id._errors[0].code).toBe('ACTIVITY_NOT_JOINABLE');
    await show(shown({ secrets: undefined }));
    expect((await invite()).body.errors.activity._errors[0].code).toBe('ACTIVITY_NOT_JOINABLE');
    await show(null);
    expect((await invite()).status).toBe(400);
    expect(emulator.tables.game_invites.size).toBe(0);
    const writer = await platform.person(ids.river, ['identify', 'dm_channels.messages.write']);
    const inviter = await platform.person(ids.river, ['identify', 'activities.invites.write']);
    const to = `POST /users/${ids.otter}/messages`;
    expect((await writer.refused(to, { json: { activity: { type: 5 } } })).body.code).toBe(50026);
    expect((await inviter.refused(to, { json: { content: 'hi' } })).body.code).toBe(50026);
    expect((await inviter.ask(to, { json: { activity: { type: 5 } } })).status).toBe(200);
    for (const json of [
      { activity: { type: 2 } },
      { activity: {} },
      { activity: { type: 1, session_id: 'x'.repeat(129) } },
      { activity: { type: 5 }, application_id: '5' },
    ])
      expect((await inviter.refused(to, { json })).body.code).toBe(50035);
  });

  it('answers a request to join', async () => {
    const { emulator, otter, river, invite } = await playing();
    const asked = await otter.ask(`POST /users/${ids.river}/messages`, { json: { activity: { type: 5 } } });
    expect(asked.body.activity).toEqual({ type: 5 });
    const [event] = await messages(river.client);
    expect(event).toMatchObject({
      t: 'MESSAGE_CREATE',
      d: { activity: { type: 5 }, author: { id: ids.otter } },
    });
    expect(emulator.tables.join_requests.size).toBe(1);
    await invite();
    expect(emulator.tables.join_requests.size).toBe(0);
    expect(await messages(otter.client)).toMatchObject([{ d: { activity: { type: 1 } } }]);
  });

  it('is not needed by friends of a user whose party is open to friends', async () => {
    const PARTY_PRIVACY_FRIENDS = 1 << 6;
    const { emulator, otter, river } = await playing(shown({ flags: PARTY_PRIVACY_FRIENDS }));
    const path = `GET /users/${ids.river}/sessions/${river.session}/activities/${APP}/1`;
    expect((await otter.ask(path)).body.code).toBe(50001);
    await emulator.apply({ relationships: [{ of: 'river', user: 'otter' }] });
    expect((await otter.ask(path)).body).toEqual({ secret: 'let-me-in' });
  });
});
