import { describe, expect, it } from 'vitest';
import { type Client, ClientStatus } from '../../src/sdk/index.ts';
import { ANA, CLEO, heldService, userOf } from './held-service.ts';
import { until } from './played-game.ts';

const OTHER_APP = '300000000000000002';
const [BEN, MESSAGE, LOBBY] = [9n, 77n, 5n];
const message = {
  id: String(MESSAGE),
  channel_id: '8',
  content: 'for ben alone',
  author: userOf(ANA),
  recipient_id: String(BEN),
};
const lobby = { id: String(LOBBY), members: [{ id: '1' }] };

/** What a client has of Ana. */
async function leftIn(client: Client): Promise<unknown> {
  const { summaries } = await client.GetUserMessageSummaries();
  return [client.GetMessageHandle(MESSAGE), client.GetChannelHandle(8n), summaries, client.GetLobbyIds()];
}

const NOTHING = [undefined, undefined, [], []];

describe('the data of a player without a session', () => {
  /** Ana has written, and is in a lobby. */
  async function asked() {
    const service = await heldService({
      atOnce: ({ what }) =>
        what === 'PUT /lobbies'
          ? [200, lobby]
          : what === `POST /users/${BEN}/messages`
            ? [200, message]
            : undefined,
    });
    const { client, use } = service;
    await use(ANA);
    await client.SendUserMessage(BEN, message.content);
    await client.CreateOrJoinLobby('tide');
    expect([client.GetMessageHandle(MESSAGE)?.Id(), client.GetLobbyIds()]).toEqual([MESSAGE, [LOBBY]]);
    return service;
  }

  it('is removed once a token of another player is set', async () => {
    const { client, use, play } = await asked();
    await use(CLEO);
    expect(await leftIn(client)).toEqual(NOTHING);
    await play(CLEO);
    expect(await leftIn(client)).toEqual(NOTHING);
  });

  it('is removed in another application', async () => {
    const { client } = await asked();
    client.SetApplicationId(OTHER_APP);
    expect(await leftIn(client)).toEqual(NOTHING);
  });
});

describe('an answer to a request of a former player', () => {
  /** Three requests of Ana that wait for their answers. */
  async function asking() {
    const service = await heldService();
    const { client, asked, play } = service;
    await play(ANA);
    const outcomes = [
      client.CreateOrJoinLobby('tide'),
      client.UpdateProvisionalAccountDisplayName('Ana the Great'),
      client.GetUserMessagesWithLimit(BEN, 10),
    ];
    const requests = [
      await asked('PUT /lobbies'),
      await asked('PATCH /users/@me'),
      await asked(`GET /users/${BEN}/messages?limit=10`),
    ] as const;
    const answer = async (): Promise<void> => {
      requests[0].answer(lobby);
      requests[1].answer({ ...userOf(ANA), global_name: 'Ana the Great' });
      requests[2].answer([message]);
      await Promise.all(outcomes);
    };
    return { ...service, answer };
  }

  it('is not stored when another player has the session', async () => {
    const { client, play, answer } = await asking();
    await play(CLEO);
    await answer();
    expect([client.GetCurrentUserV2()?.DisplayName(), await leftIn(client)]).toEqual(['cleo', NOTHING]);
  });

  it('is not stored in another application', async () => {
    const { client, answer } = await asking();
    client.SetApplicationId(OTHER_APP);
    await answer();
    expect([client.GetCurrentUserV2(), await leftIn(client)]).toEqual([undefined, NOTHING]);
  });
});

it('no relationships are requested for a player who disconnected while the session began', async () => {
  const friend = { id: '9', type: 1, user: { id: '9', username: 'ben' } };
  const { client, requests, use } = await heldService({
    lobbies: [lobby],
    atOnce: ({ what }) => (what.endsWith('relationships') ? [200, [friend]] : undefined),
  });
  client.SetLobbyCreatedCallback(() => void client.Disconnect());
  await use(ANA);
  client.Connect();
  await until(() => client.GetStatus() !== ClientStatus.Disconnected);
  await until(() => client.GetStatus() === ClientStatus.Disconnected);
  // What would have been asked for is asked for before this.
  const { result } = await client.FetchCurrentUser(1, ANA);
  expect(result.ToString()).toBe('Success');
  expect(requests.map(({ what }) => what)).toEqual(['GET /users/@me']);
  expect(client.GetRelationships()).toEqual([]);
});

describe('an invite', () => {
  const shown = (party: string) => ({
    user: { id: '9' },
    status: 'online',
    activities: [{ application_id: '300000000000000001', party: { id: party } }],
  });
  const invitation = {
    ...message,
    author: { id: '9', username: 'ben' },
    activity: { type: 1, party_id: 'crew', session_id: 'session' },
    application_id: '300000000000000001',
    application: { id: '300000000000000001' },
  };

  it.each(['Disconnect', 'another token'])('is removed with its player, after %s', async (how) => {
    const { client, play } = await heldService();
    const told: string[] = [];
    client.SetActivityInviteCreatedCallback(() => told.push('made'));
    client.SetActivityInviteUpdatedCallback((one) => told.push(`changed ${one.IsValid()}`));
    const mine = await play(ANA);
    mine.tell('MESSAGE_CREATE', invitation);
    mine.tell('PRESENCE_UPDATE', shown('crew'));
    mine.tell('PRESENCE_UPDATE', shown('others'));
    await until(() => told.length === 2);
    expect(told.splice(0)).toEqual(['made', 'changed false']);
    if (how === 'Disconnect') await client.Disconnect();
    const theirs = await play(CLEO);
    theirs.tell('PRESENCE_UPDATE', shown('crew'));
    // Told in order: what is to be told of the presence is told before this.
    theirs.tell('LOBBY_CREATE', { id: '6' });
    await until(() => client.GetLobbyIds().includes(6n));
    expect(told).toEqual([]);
  });
});
