import { describe, expect, it, onTestFinished } from 'vitest';
import { AuthorizationTokenType, type Client, ErrorType, RelationshipType } from '../../src/sdk/index.ts';
import { scriptedApi } from './harness.ts';
import { alone, linked, plays, service, until } from './played-game.ts';

const HERON = 200000000000000002n;
const OTTER = 200000000000000003n;
const { Friend, None, PendingIncoming, PendingOutgoing } = RelationshipType;

/** What somebody is to the player, on the platform and in the game. */
function types(client: Client, id: bigint): readonly number[] {
  const handle = client.GetRelationshipHandle(id);
  return [handle.DiscordRelationshipType(), handle.GameRelationshipType()];
}

describe('a relationship call', () => {
  it('that does not fit the current relationship changes nothing, and names the fitting calls', async () => {
    const emulator = await service();
    const river = await linked(emulator);
    await until(() => types(river, HERON)[0] === Friend && types(river, OTTER)[0] === PendingIncoming);
    const told: string[] = [];
    river.SetRelationshipDeletedCallback((id) => told.push(`deleted ${id}`));
    river.SetRelationshipCreatedCallback((id) => told.push(`created ${id}`));
    const friend = 'on the platform it is a friend: RemoveDiscordAndGameFriend fits';
    const waits =
      'on the platform it is somebody whose request waits for an answer: ' +
      'AcceptDiscordFriendRequest or RejectDiscordFriendRequest fits';
    const nobody = 'in this game it is nobody: SendGameFriendRequestById fits';
    const answered = 'somebody whose request waits for an answer';
    for (const [{ result }, expected, is] of [
      [await river.UnblockUser(HERON), 'somebody blocked', friend],
      [await river.CancelDiscordFriendRequest(HERON), 'somebody who was sent a request', friend],
      [await river.RejectDiscordFriendRequest(HERON), answered, friend],
      [await river.AcceptDiscordFriendRequest(HERON), answered, friend],
      [await river.UnblockUser(OTTER), 'somebody blocked', waits],
      [await river.CancelDiscordFriendRequest(OTTER), 'somebody who was sent a request', waits],
      [await river.RemoveDiscordAndGameFriend(OTTER), 'a friend', `${waits}; ${nobody}`],
      [await river.RemoveGameFriend(OTTER), 'a friend', nobody],
      [await river.AcceptGameFriendRequest(OTTER), answered, nobody],
      [await river.RejectGameFriendRequest(HERON), answered, nobody],
      [await river.CancelGameFriendRequest(HERON), 'somebody who was sent a request', nobody],
    ] as const) {
      expect([result.Type(), result.Error()]).toEqual([
        ErrorType.ValidationError,
        `userId: must be ${expected}; ${is}`,
      ]);
    }
    expect([types(river, HERON), types(river, OTTER), told]).toEqual([
      [Friend, None],
      [PendingIncoming, None],
      [],
    ]);
    expect((await river.AcceptDiscordFriendRequest(OTTER)).result.ToString()).toBe('Success');
    expect((await river.RemoveDiscordAndGameFriend(HERON)).result.ToString()).toBe('Success');
    await until(() => types(river, OTTER)[0] === Friend && types(river, HERON)[0] === None);
    expect((await river.BlockUser(HERON)).result.ToString()).toBe('Success');
    expect((await river.UnblockUser(HERON)).result.ToString()).toBe('Success');
  });

  it('that removes a friend does not remove a pending request', async () => {
    const { api } = await service();
    const ana = await plays(api, 'ana');
    const bo = await plays(api, 'bo');
    await ana.client.SendGameFriendRequestById(bo.id);
    const { result } = await ana.client.RejectGameFriendRequest(bo.id);
    expect(result.Error()).toBe(
      'userId: must be somebody whose request waits for an answer; ' +
        'in this game it is somebody who was sent a request: CancelGameFriendRequest fits',
    );
    expect((await ana.client.RemoveDiscordAndGameFriend(bo.id)).result.Type()).toBe(
      ErrorType.ValidationError,
    );
    await until(() => types(bo.client, ana.id)[1] === PendingIncoming);
    expect(types(ana.client, bo.id)).toEqual([None, PendingOutgoing]);
    expect((await bo.client.AcceptGameFriendRequest(ana.id)).result.ToString()).toBe('Success');
    expect((await ana.client.RemoveDiscordAndGameFriend(bo.id)).result.ToString()).toBe('Success');
  });
});

describe('UnblockUser without a list of relationships', () => {
  const STRANGER = '200000000000000009';
  const ended = `DELETE /api/users/@me/relationships/${STRANGER}`;

  /** A game without a session; the service answers its list so, and everything else with no content. */
  async function asks(
    answer: (asked: Client) => readonly [status: number, body?: unknown],
  ): Promise<{ readonly client: Client; readonly asked: () => readonly string[] }> {
    const { api, requests } = await scriptedApi(({ method }) => (method === 'GET' ? answer(client) : [204]));
    const client = alone(api);
    onTestFinished(() => client.Disconnect());
    await client.UpdateToken(AuthorizationTokenType.Bearer, 'a-token');
    return { client, asked: () => requests.map(({ method, path }) => `${method} ${path}`) };
  }

  it.each([
    ['blocked, as its list says', [200, [{ id: STRANGER, type: 2, user: { id: STRANGER } }]]],
    ['somebody whom the token may not see', [403, { code: 50026, message: 'Missing required OAuth2 scope' }]],
  ] as const)('%s: sends the request to the service', async (_who, answer) => {
    const { client, asked } = await asks(() => answer);
    expect((await client.UnblockUser(STRANGER)).result.ToString()).toBe('Success');
    expect(asked()).toContain(ended);
  });

  it.each([
    ['fails', [500]],
    ['is none', [200, { id: STRANGER }]],
  ] as const)('sends no request when the list of the service %s', async (_what, answer) => {
    const { client, asked } = await asks(() => answer);
    const { result } = await client.UnblockUser(STRANGER);
    expect([result.Type(), asked().filter((one) => one.startsWith('DELETE'))]).toEqual([
      ErrorType.HTTPError,
      [],
    ]);
  });

  it.each([
    ['a friend, as its list says', 1],
    ['something that nobody knows', 99],
    ['told with a type that is none', 'x'],
  ])('%s: is refused without a request', async (_who, type) => {
    const { client, asked } = await asks(() => [200, [{ type: 2 }, { id: STRANGER, type }]]);
    const { result } = await client.UnblockUser(STRANGER);
    expect([result.Type(), asked().includes(ended)]).toEqual([ErrorType.ValidationError, false]);
  });

  it.each([
    ['takes the token no more', ErrorType.HTTPError, () => {}, 401],
    [
      'is asked by a game that leaves',
      ErrorType.ClientDestroyed,
      (one: Client): void => void one.Disconnect(),
      200,
    ],
    [
      'is asked for one player, and then for another',
      ErrorType.ClientNotReady,
      (one: Client): void => void one.UpdateToken(AuthorizationTokenType.Bearer, 'another-token'),
      403,
    ],
  ] as const)('%s: fails without a request', async (_what, type, meanwhile, status) => {
    const { client, asked } = await asks((one) => {
      meanwhile(one);
      return [status, status === 200 ? [] : {}];
    });
    const { result } = await client.UnblockUser(STRANGER);
    expect([result.Type(), result.Status(), asked().includes(ended)]).toEqual([
      type,
      status === 401 ? 401 : 0,
      false,
    ]);
  });
});
