import { describe, expect, it } from 'vitest';
import {
  Activity,
  ActivityAssets,
  ActivityButton,
  ActivityParty,
  ActivityTimestamps,
  AuthorizationTokenType,
  RelationshipType,
  StatusType,
  UserHandle,
} from '../../src/sdk/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { game } from './harness.ts';
import { APP, plays, service, until } from './played-game.ts';

const { Gif, Jpeg, Png, Webp } = UserHandle.AvatarType;

const friend = (id: string, username: string, presence: object, more: object = {}) => ({
  type: 1,
  user: { id, username, global_name: null, avatar: null, ...more },
  presence,
});
const away = { status: 'offline', activity: null };

describe('avatar addresses of users', () => {
  it('use the host that the chat client names', async () => {
    const { client } = await game({
      GET_RELATIONSHIPS: () => ({
        relationships: [
          friend('8388608', 'still', away, { avatar: '0f' }),
          friend('8388609', 'moving', away, { avatar: 'a_0f' }),
          friend('8388610', 'hostile', away, { avatar: '../x?y' }),
          friend(String(11n << 22n), 'none', away),
        ],
      }),
    });
    await client.UpdateToken(AuthorizationTokenType.Bearer, 'access-token');
    const url = (id: bigint, ...types: [0 | 1 | 2 | 3, 0 | 1 | 2 | 3]) =>
      client.GetUser(id)?.AvatarUrl(...types);
    expect([
      url(8388608n, Gif, Png),
      url(8388608n, Gif, Webp),
      url(8388609n, Gif, Png),
      url(8388609n, Webp, Png),
      url(8388609n, Jpeg, Png),
      url(8388610n, Gif, Png),
      url(11n << 22n, Gif, Jpeg),
    ]).toEqual([
      'https://cdn.test/avatars/8388608/0f.png',
      'https://cdn.test/avatars/8388608/0f.webp',
      'https://cdn.test/avatars/8388609/a_0f.gif',
      'https://cdn.test/avatars/8388609/a_0f.webp?animated=true',
      'https://cdn.test/avatars/8388609/a_0f.jpg',
      'https://cdn.test/avatars/8388610/..%2Fx%3Fy.png',
      'https://cdn.test/embed/avatars/5.png',
    ]);
    for (const wrong of [undefined, 4, -1, 'Png', null]) {
      expect(() => url(8388608n, wrong as never, Png)).toThrow(/^animatedType: must be one of /);
      expect(() => url(8388608n, Png, wrong as never)).toThrow(/^staticType: must be one of /);
    }
  });

  it('use the host of the platform without a chat client, and avatar formats have names', async () => {
    const { api } = await service();
    const { client, id } = await plays(api, 'ana');
    expect(client.GetCurrentUserV2()?.AvatarUrl(Gif, Png)).toBe(
      `https://cdn.discordapp.com/embed/avatars/${(id >> 22n) % 6n}.png`,
    );
    expect([Gif, Webp, Png, Jpeg, 4 as never].map((type) => UserHandle.AvatarTypeToString(type))).toEqual([
      'Gif',
      'Webp',
      'Png',
      'Jpeg',
      'unknown',
    ]);
  });
});

describe('the user handle', () => {
  it('has status, activity in this game and relationship as they were when the handle was created', async () => {
    const { api } = await service();
    const ana = await plays(api, 'ana');
    const bo = await plays(api, 'bo');
    await ana.client.SendGameFriendRequestById(bo.id);
    await bo.client.AcceptGameFriendRequest(ana.id);
    await until(() => bo.client.GetUser(ana.id)?.Relationship().GameRelationshipType() === 1);
    const before = bo.client.GetUser(ana.id);
    expect([before?.GameActivity(), before?.IsProvisional()]).toEqual([undefined, true]);

    const activity = new Activity();
    activity.SetName('Harbour');
    activity.SetState('In the harbour');
    activity.SetDetails('By the river');
    activity.SetApplicationId(5n);
    activity.SetParentApplicationId(6n);
    const party = new ActivityParty();
    party.SetId('crew');
    party.SetCurrentSize(2);
    party.SetMaxSize(4);
    activity.SetParty(party);
    await ana.client.UpdateRichPresence(activity);
    await until(() => bo.client.GetUser(ana.id)?.GameActivity() !== undefined);
    const handle = bo.client.GetUser(ana.id);
    const shown = handle?.GameActivity();
    expect([shown?.Name(), shown?.State(), shown?.Details(), shown?.Secrets()]).toEqual([
      'Harbour',
      'In the harbour',
      'By the river',
      undefined,
    ]);
    // What was set of applications is the service's to say.
    expect([shown?.ApplicationId(), shown?.ParentApplicationId()]).toEqual([BigInt(APP), undefined]);
    const crew = shown?.Party();
    expect([crew?.Id(), crew?.CurrentSize(), crew?.MaxSize()]).toEqual(['crew', 2, 4]);
    expect([handle?.Status(), before?.GameActivity()]).toEqual([StatusType.Online, undefined]);
    // Of oneself it is what was asked for.
    expect(ana.client.GetCurrentUserV2()?.GameActivity()?.State()).toBe('In the harbour');
    expect(ana.client.GetCurrentUserV2()?.Status()).toBe(StatusType.Online);

    // The same handle wherever they are met.
    const { lobbyId } = await ana.client.CreateOrJoinLobby('tide');
    await bo.client.CreateOrJoinLobby('tide');
    await until(() => bo.client.GetLobbyHandle(lobbyId)?.LobbyMemberIds().length === 2);
    const member = bo.client.GetLobbyHandle(lobbyId)?.GetLobbyMemberHandle(ana.id)?.User();
    expect([member?.Status(), member?.GameActivity()?.State()]).toEqual([
      StatusType.Online,
      'In the harbour',
    ]);
    const { messageId } = await ana.client.SendLobbyMessage(lobbyId, 'low water');
    await until(() => bo.client.GetMessageHandle(messageId) !== undefined);
    expect(bo.client.GetMessageHandle(messageId)?.Author()?.Status()).toBe(StatusType.Online);

    await ana.client.Disconnect();
    await until(() => bo.client.GetUser(ana.id)?.Status() === StatusType.Offline);
    expect([bo.client.GetUser(ana.id)?.GameActivity(), handle?.Status()]).toEqual([
      undefined,
      StatusType.Online,
    ]);
  });

  it('has no relationship and no user for a stranger', async () => {
    const { api } = await service();
    const { client } = await plays(api, 'ana');
    const stranger = client.GetRelationshipHandle(5n);
    expect([
      stranger.Id(),
      stranger.DiscordRelationshipType(),
      stranger.User(),
      stranger.IsSpamRequest(),
    ]).toEqual([5n, RelationshipType.None, undefined, false]);
    const me = client.GetCurrentUserV2();
    expect(me?.Relationship().DiscordRelationshipType()).toBe(RelationshipType.None);
    expect(me?.Relationship().User()?.Id()).toBe(me?.Id());
  });

  it('has the data that the chat client sends of a friend, without its invalid values', async () => {
    const playing = {
      application_id: APP,
      name: 'Harbour',
      type: 6,
      timestamps: { start: 5, end: 'x' },
      assets: { large_image: 'boat', large_text: 5 },
      party: { id: 7, size: [1, -1], privacy: 9 },
      buttons: ['Join', { label: 'Look', url: 'https://example.test' }, null],
      supported_platforms: ['desktop', 'ios', 'none'],
      status_display_type: 2,
    };
    const { client } = await game({
      GET_RELATIONSHIPS: () => ({
        relationships: [
          friend('1', 'ana', { status: 'online', activity: playing }),
          friend('2', 'bo', { status: 'asleep', activity: null }),
          friend('3', 'cy', { status: 5, activity: 'x' }),
          { type: 9, user: { id: '4', username: 'di' } },
        ],
      }),
    });
    await client.UpdateToken(AuthorizationTokenType.Bearer, 'access-token');
    const { Offline, Online, Unknown } = StatusType;
    expect([1n, 2n, 3n, 4n].map((id) => client.GetUser(id)?.Status())).toEqual([
      Online,
      Unknown,
      Offline,
      Offline,
    ]);
    const told = client.GetUser(1n)?.GameActivity();
    const wanted = new Activity();
    wanted.SetName('Harbour');
    wanted.SetType(6);
    wanted.SetApplicationId(APP);
    wanted.SetStatusDisplayType(2);
    wanted.SetSupportedPlatforms(1 | 8);
    const timestamps = new ActivityTimestamps();
    timestamps.SetStart(5n);
    wanted.SetTimestamps(timestamps);
    const assets = new ActivityAssets();
    assets.SetLargeImage('boat');
    wanted.SetAssets(assets);
    const party = new ActivityParty();
    party.SetCurrentSize(1);
    wanted.SetParty(party);
    for (const [label, url] of [
      ['Join', ''],
      ['Look', 'https://example.test'],
      ['', ''],
    ] as const) {
      const button = new ActivityButton();
      button.SetLabel(label);
      button.SetUrl(url);
      wanted.AddButton(button);
    }
    expect(told?.Equals(wanted)).toBe(true);
    expect([2n, 3n, 4n].map((id) => client.GetUser(id)?.GameActivity())).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(client.GetUser(4n)?.Relationship().DiscordRelationshipType()).toBe(RelationshipType.None);
    // Who is logged in to it is there; how, it does not tell.
    await eventually(() => expect(client.GetCurrentUserV2()?.Status()).toBe(Unknown));
  });
});

describe('SearchFriendsByUsername', () => {
  it('finds friends by username or display name, and no other users', async () => {
    const { client } = await game({
      GET_RELATIONSHIPS: () => ({
        relationships: [
          friend('1', 'otter', away, { global_name: 'Lontra' }),
          friend('2', 'sea_otter', { status: 'online', activity: null }),
          friend('3', 'heron', away),
          { ...friend('4', 'otterly_unknown', away), type: 3 },
          { ...friend('5', 'otter_blocked', away), type: 2 },
        ],
      }),
    });
    expect(client.SearchFriendsByUsername('otter')).toEqual([]);
    await client.UpdateToken(AuthorizationTokenType.Bearer, 'access-token');
    const found = (text: string) => client.SearchFriendsByUsername(text).map((user) => user.Id());
    expect([found('OTTER'), found('lont'), found('sea'), found('x'), found('')]).toEqual([
      [1n, 2n],
      [1n],
      [2n],
      [],
      [2n, 1n, 3n],
    ]);
  });

  it('finds friends in the game, once they have accepted', async () => {
    const { api } = await service();
    const ana = await plays(api, 'ana');
    const bo = await plays(api, 'bo');
    await ana.client.SendGameFriendRequestById(bo.id);
    await until(() => ana.client.GetRelationships().length === 1);
    expect(ana.client.SearchFriendsByUsername('bo')).toEqual([]);
    await bo.client.AcceptGameFriendRequest(ana.id);
    await until(() => ana.client.SearchFriendsByUsername('BO').length === 1);
  });
});
