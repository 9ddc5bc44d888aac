import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  Activity,
  ActivityAssets,
  ActivityButton,
  type ActivityInvite,
  ActivityParty,
  ActivityPartyPrivacy,
  ActivitySecrets,
  ActivityTimestamps,
  ActivityTypes,
  AuthorizationTokenType,
  Client,
  ErrorType,
  LoggingSeverity,
  RelationshipGroupType,
  StatusDisplayTypes,
  VoiceInputModeType,
  VoiceSettings,
} from '../../src/sdk/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { argsWith, game } from './harness.ts';

const settings = {
  input: { device_id: 'default', volume: 49.8, available_devices: [] },
  output: { device_id: 'default', volume: 120, available_devices: [] },
  mode: {
    type: 'PUSH_TO_TALK',
    auto_threshold: true,
    threshold: -60,
    shortcut: [
      { type: 2, code: 16, name: 'shift' },
      { type: 0, code: 70, name: 'f' },
    ],
    delay: 20,
  },
  automatic_gain_control: true,
  echo_cancellation: false,
  noise_suppression: true,
  qos: false,
  silence_warning: true,
  deaf: false,
  mute: true,
};

const user = (id: string, username: string) => ({ id, username, global_name: null, avatar: null });
const friend = (id: string, status: string, activity: object | null = null, type = 1) => ({
  type,
  user: user(id, `user${id}`),
  presence: { status, activity },
});

function activityWith(change: (activity: Activity) => void): Activity {
  const activity = new Activity();
  change(activity);
  return activity;
}

describe('VoiceSettings [O-25]', () => {
  it('has SelfMute SelfDeaf InputMode PttKey InputVolume OutputVolume AutomaticGainControl EchoCancellation NoiseSuppression NoiseCancellation', async () => {
    const { client } = await game({ GET_VOICE_SETTINGS: () => settings });
    const callback = vi.fn();
    const { result, settings: told } = await client.GetVoiceSettings(callback);
    expect({
      SelfMute: told.SelfMute(),
      SelfDeaf: told.SelfDeaf(),
      InputMode: told.InputMode(),
      PttKey: told.PttKey(),
      InputVolume: told.InputVolume(),
      OutputVolume: told.OutputVolume(),
      AutomaticGainControl: told.AutomaticGainControl(),
      EchoCancellation: told.EchoCancellation(),
      NoiseSuppression: told.NoiseSuppression(),
      NoiseCancellation: told.NoiseCancellation(),
    }).toEqual({
      SelfMute: true,
      SelfDeaf: false,
      InputMode: VoiceInputModeType.PushToTalk,
      PttKey: 'SHIFT + F',
      InputVolume: 49.8,
      OutputVolume: 120,
      AutomaticGainControl: true,
      EchoCancellation: false,
      NoiseSuppression: true,
      NoiseCancellation: false,
    });
    expect(callback.mock.calls).toEqual([[result, told]]);
    expect(
      Object.getOwnPropertyNames(VoiceSettings.prototype).filter((name) => name.startsWith('Set')),
    ).toEqual([]);
  });

  it('has an empty PttKey when no key is bound', () => {
    expect(new VoiceSettings({ ...settings, mode: { ...settings.mode, shortcut: [] } }).PttKey()).toBe('');
  });

  it.each([
    [{ type: 0, code: 70, name: 'f' }, 'F'],
    [[null, 5, 'x', { code: 16 }, { name: 7 }, { name: 'f' }], 'KEY 16 + F'],
    ['x', ''],
    [null, ''],
  ])(
    'has for the shortcut %j the PttKey "%s", because not all chat clients send a list of keys',
    (shortcut, key) => {
      const wire = { ...settings, mode: { ...settings.mode, shortcut } };
      expect(new VoiceSettings(wire as never).PttKey()).toBe(key);
    },
  );

  it.each([
    {},
    { mode: null, input: 5, output: 'x', mute: 'yes' },
    { mode: 5, input: null, output: [] },
    'x',
    [],
  ])('has default values for the malformed settings %j', (wire) => {
    const told = new VoiceSettings(wire as never);
    expect([told.SelfMute(), told.PttKey(), told.InputVolume(), told.OutputVolume()]).toEqual([
      false,
      '',
      0,
      0,
    ]);
  });

  it('is nullobj when the chat client refuses', async () => {
    const { client } = await game({
      GET_VOICE_SETTINGS: () => ({ error: [4006, 'needs the scope rpc.voice.read'] }),
    });
    const { result, settings: told } = await client.GetVoiceSettings();
    expect([result.Type(), result.ErrorCode(), told.IsValid()]).toEqual([ErrorType.RPCError, 4006, false]);
  });

  it('is nullobj when the answer contains no settings', async () => {
    const { client } = await game({ GET_VOICE_SETTINGS: () => null });
    const { result, settings: told } = await client.GetVoiceSettings();
    expect([result.Error(), told.IsValid()]).toEqual([
      'The answer of the chat client holds no settings',
      false,
    ]);
  });

  it('calls its callback for VOICE_SETTINGS_UPDATE until the callback is unset [V-16]', async () => {
    const { client, server } = await game();
    const heard: boolean[] = [];
    client.SetVoiceSettingsUpdatedCallback((told) => heard.push(told.SelfMute()));
    await eventually(() =>
      expect(server.peer.requests('SUBSCRIBE').map(({ evt }) => evt)).toEqual(['VOICE_SETTINGS_UPDATE']),
    );
    server.peer.dispatch('VOICE_SETTINGS_UPDATE', settings);
    await eventually(() => expect(heard).toEqual([true]));
    client.SetVoiceSettingsUpdatedCallback(undefined);
    await eventually(() => expect(server.peer.requests('UNSUBSCRIBE')).toHaveLength(1));
  });

  it('calls only the second callback when it replaces the first [V-16]', async () => {
    const { client, server } = await game();
    const heard: string[] = [];
    for (const name of ['first', 'second']) {
      client.SetVoiceSettingsUpdatedCallback(() => heard.push(name));
      await eventually(() => expect(server.peer.requests('SUBSCRIBE').length).toBeGreaterThan(0));
    }
    await eventually(() => expect(server.peer.requests('SUBSCRIBE')).toHaveLength(2));
    server.peer.dispatch('VOICE_SETTINGS_UPDATE', settings);
    await client.Authorize(argsWith());
    expect(heard).toEqual(['second']);
  });

  it('subscribes again once a token is set, after a refusal for the scope [V-16]', async () => {
    let holds = false;
    const { client, server } = await game({
      SUBSCRIBE: (_args, { evt }) => (holds ? { evt } : { error: [4006, 'no scope'] }),
      AUTHENTICATE: () => {
        holds = true;
        return { scopes: [] };
      },
      GET_RELATIONSHIPS: () => ({ relationships: [] }),
    });
    const heard: boolean[] = [];
    client.SetVoiceSettingsUpdatedCallback((told) => heard.push(told.SelfMute()));
    await eventually(() => expect(server.peer.requests('SUBSCRIBE')).toHaveLength(1));
    await client.UpdateToken(AuthorizationTokenType.Bearer, 'access-token');
    await eventually(() =>
      expect(
        server.peer.requests('SUBSCRIBE').filter(({ evt }) => evt === 'VOICE_SETTINGS_UPDATE'),
      ).toHaveLength(2),
    );
    server.peer.dispatch('VOICE_SETTINGS_UPDATE', settings);
    await eventually(() => expect(heard).toEqual([true]));
  });
});

describe('rich presence', () => {
  it.each<[string, (client: Client) => unknown, unknown]>([
    ['ClearRichPresence', (client) => client.ClearRichPresence(), null],
    [
      'another activity',
      (client) => client.UpdateRichPresence(activityWith((activity) => activity.SetDetails('after'))),
      { type: 0, details: 'after' },
    ],
  ])(
    'is replaced by %s, also when both precede the connection to the chat client',
    async (_what, overtake, last) => {
      const { client, server } = await game();
      // In one breath with SetApplicationId: nobody has answered yet.
      const first = client.UpdateRichPresence(activityWith((activity) => activity.SetDetails('before')));
      await overtake(client);
      expect((await first).result.ToString()).toBe('Success');
      await client.Authorize(argsWith());
      const shownThen = server.peer.requests('SET_ACTIVITY').map(({ args }) => args.activity);
      expect(shownThen.at(-1) ?? null).toEqual(last);
      expect(shownThen).not.toContainEqual({ type: 0, details: 'before' });
    },
  );

  async function shown(activity: Activity) {
    const { client, server } = await game();
    const { result } = await client.UpdateRichPresence(activity);
    return { result, wire: server.peers[0]?.requests('SET_ACTIVITY').at(-1)?.args.activity, client, server };
  }

  it('has state_url, details_url, assets.large_url and small_url [O-16]', async () => {
    const activity = new Activity();
    activity.SetState('Rowing');
    activity.SetStateUrl('https://example.test/state');
    activity.SetDetails('By the river');
    activity.SetDetailsUrl('https://example.test/details');
    const assets = new ActivityAssets();
    assets.SetLargeImage('boat');
    assets.SetLargeText('A boat');
    assets.SetLargeUrl('https://example.test/large');
    assets.SetSmallImage('oar');
    assets.SetSmallText('An oar');
    assets.SetSmallUrl('https://example.test/small');
    activity.SetAssets(assets);
    const { result, wire } = await shown(activity);
    expect(result.Successful()).toBe(true);
    expect(wire).toEqual({
      type: 0,
      state: 'Rowing',
      state_url: 'https://example.test/state',
      details: 'By the river',
      details_url: 'https://example.test/details',
      assets: {
        large_image: 'boat',
        large_text: 'A boat',
        large_url: 'https://example.test/large',
        small_image: 'oar',
        small_text: 'An oar',
        small_url: 'https://example.test/small',
      },
    });
  });

  it('has InviteCoverImage as assets.invite_cover_image, and omits an unset one for that of the application [O-17]', async () => {
    const activity = new Activity();
    const assets = new ActivityAssets();
    assets.SetInviteCoverImage('banner');
    activity.SetAssets(assets);
    expect((await shown(activity)).wire).toEqual({ type: 0, assets: { invite_cover_image: 'banner' } });
    assets.SetInviteCoverImage(undefined);
    activity.SetAssets(assets);
    expect((await shown(activity)).wire.assets).not.toHaveProperty('invite_cover_image');
  });

  it('has Name as the displayed name, and omits an unset one for that of the application [O-18]', async () => {
    const activity = new Activity();
    activity.SetName('River Racer');
    expect((await shown(activity)).wire).toEqual({ type: 0, name: 'River Racer' });
    activity.SetName(undefined);
    expect((await shown(activity)).wire).toEqual({ type: 0 });
  });

  it('has every other field of an activity', async () => {
    const activity = new Activity();
    activity.SetType(ActivityTypes.Competing);
    activity.SetStatusDisplayType(StatusDisplayTypes.Details);
    activity.SetSupportedPlatforms(1 | 16);
    const timestamps = new ActivityTimestamps();
    timestamps.SetStart(1_700_000_000_000n);
    activity.SetTimestamps(timestamps);
    const party = new ActivityParty();
    party.SetId('party');
    party.SetCurrentSize(1);
    party.SetMaxSize(4);
    party.SetPrivacy(ActivityPartyPrivacy.Public);
    activity.SetParty(party);
    const secrets = new ActivitySecrets();
    secrets.SetJoin('secret');
    activity.SetSecrets(secrets);
    expect((await shown(activity)).wire).toEqual({
      type: 5,
      status_display_type: 2,
      supported_platforms: ['desktop', 'android'],
      timestamps: { start: 1_700_000_000_000 },
      party: { id: 'party', size: [1, 4], privacy: 1 },
      secrets: { join: 'secret' },
    });
  });

  it('has at most two buttons', async () => {
    const activity = new Activity();
    const button = new ActivityButton();
    button.SetLabel('Join');
    button.SetUrl('https://example.test/');
    activity.AddButton(button);
    expect((await shown(activity)).wire.buttons).toEqual([{ label: 'Join', url: 'https://example.test/' }]);
    activity.AddButton(button);
    activity.AddButton(button);
    const { result } = await shown(activity);
    expect([result.Type(), result.Error()]).toEqual([
      ErrorType.ValidationError,
      'activity.buttons: must be a list of 1 to 2',
    ]);
  });

  it.each<[string, Activity, string]>([
    [
      'a type that no app may set',
      activityWith((activity) => activity.SetType(ActivityTypes.CustomStatus)),
      'Activity.Type: ',
    ],
    [
      'details that are too long',
      activityWith((activity) => activity.SetDetails('x'.repeat(129))),
      'activity.details: ',
    ],
    ['nullobj', Activity.nullobj, 'Activity: is null'],
  ])('with %s is refused before it is sent', async (_what, activity, error) => {
    const { result, wire } = await shown(activity);
    expect([result.Type(), wire]).toEqual([ErrorType.ValidationError, undefined]);
    expect(result.Error()).toContain(error);
  });

  it('is sent again after a restart until ClearRichPresence, also one that was set meanwhile', async () => {
    const activity = new Activity();
    activity.SetDetails('before');
    const { client, server } = await shown(activity);
    await server.stop();
    activity.SetDetails('meanwhile');
    await eventually(async () => {
      const { result } = await client.UpdateRichPresence(activity);
      expect([result.Type(), result.Retryable()]).toEqual([ErrorType.ClientNotReady, true]);
    });
    await server.start();
    await eventually(() =>
      expect(server.peers[1]?.requests('SET_ACTIVITY')[0]?.args.activity).toEqual({
        type: 0,
        details: 'meanwhile',
      }),
    );
    await eventually(() => expect(client.GetCurrentUserV2()).toBeDefined());
    client.ClearRichPresence();
    await eventually(() => expect(server.peer.requests('SET_ACTIVITY').at(-1).args.activity).toBeNull());
  });
});

describe('AUTHORIZE_REQUEST', () => {
  it('is subscribed to on every new connection, and its callback has no arguments [V-2, K-8]', async () => {
    const { client, server } = await game();
    const callback = vi.fn();
    client.RegisterAuthorizeRequestCallback(callback);
    const subscribed = (): unknown[] => server.peer.requests('SUBSCRIBE').map(({ evt, args }) => [evt, args]);
    await eventually(() => expect(subscribed()).toEqual([['AUTHORIZE_REQUEST', {}]]));
    server.peer.dispatch('AUTHORIZE_REQUEST', null);
    await eventually(() => expect(callback.mock.calls).toEqual([[]]));
    for (const restart of [1, 2]) {
      await server.stop();
      await server.start();
      await eventually(() => expect(server.peers).toHaveLength(restart + 1));
      await eventually(() => expect(subscribed()).toEqual([['AUTHORIZE_REQUEST', {}]]));
      server.peer.dispatch('AUTHORIZE_REQUEST', null);
      await eventually(() => expect(callback).toHaveBeenCalledTimes(restart + 1));
    }
    client.RemoveAuthorizeRequestCallback();
    await eventually(() =>
      expect(server.peer.requests('UNSUBSCRIBE').map(({ evt }) => evt)).toEqual(['AUTHORIZE_REQUEST']),
    );
    server.peer.dispatch('AUTHORIZE_REQUEST', null);
    await client.Authorize(argsWith());
    expect(callback).toHaveBeenCalledTimes(3);
  });

  it('can be registered before the application is set and before a chat client runs', async () => {
    const { client, server } = await game();
    const early = new Client('', '', { paths: [server.path] });
    onTestFinished(() => early.Disconnect());
    const callback = vi.fn();
    early.RegisterAuthorizeRequestCallback(callback);
    early.SetApplicationId('42');
    await eventually(() =>
      expect(server.peers.flatMap((peer) => peer.requests('SUBSCRIBE'))).toHaveLength(1),
    );
    await client.Disconnect();
  });
});

describe('UpdateToken', () => {
  it('sends AUTHENTICATE at once, and again on every new connection [K-3]', async () => {
    const { client, server } = await game();
    const callback = vi.fn();
    const { result } = await client.UpdateToken(AuthorizationTokenType.Bearer, 'access-token', callback);
    expect(callback.mock.calls).toEqual([[result]]);
    expect(result.Successful()).toBe(true);
    expect(server.peer.requests('AUTHENTICATE')[0].args).toEqual({ access_token: 'access-token' });
    await server.stop();
    await server.start();
    await eventually(() => expect(server.peers[1]?.requests('AUTHENTICATE')).toHaveLength(1));
  });

  it('reports a refusal without the token', async () => {
    const { client } = await game({
      AUTHENTICATE: ({ access_token }: { access_token: string }) => ({
        error: [4009, `Invalid access token: ${access_token}`],
      }),
    });
    const { result } = await client.UpdateToken(AuthorizationTokenType.Bearer, 'access-token');
    expect([result.Type(), result.ErrorCode(), result.Error()]).toEqual([
      ErrorType.RPCError,
      4009,
      'Invalid access token: [token]',
    ]);
  });

  it('reports the refusal of a second token as not retryable', async () => {
    const { client } = await game({
      AUTHENTICATE: ({ access_token }: { access_token: string }) =>
        access_token === 'access-token' ? { scopes: [] } : { error: [4009, 'Invalid access token'] },
    });
    await client.UpdateToken(AuthorizationTokenType.Bearer, 'access-token');
    const { result } = await client.UpdateToken(AuthorizationTokenType.Bearer, 'other-token');
    expect([result.Type(), result.ErrorCode(), result.Retryable()]).toEqual([
      ErrorType.RPCError,
      4009,
      false,
    ]);
  });

  it('restores subscriptions and relationships when a new token follows a refused one', async () => {
    const valid = new Set(['first-token']);
    let holds = false;
    const { client, server } = await game({
      AUTHENTICATE({ access_token }: { access_token: string }) {
        holds = valid.has(access_token);
        return holds ? { scopes: [] } : { error: [4009, 'Invalid access token'] };
      },
      SUBSCRIBE: (_args, { evt }) => (holds ? { evt } : { error: [4006, 'no scope'] }),
      GET_RELATIONSHIPS: () =>
        holds ? { relationships: [friend('1', 'online')] } : { error: [4006, 'no scope'] },
    });
    const lines: string[] = [];
    client.AddLogCallback((line) => lines.push(line), LoggingSeverity.Warning);
    const muted: boolean[] = [];
    const changed: bigint[] = [];
    const online = () => client.GetRelationshipsByGroup(RelationshipGroupType.OnlineElsewhere).length;
    await client.UpdateToken(AuthorizationTokenType.Bearer, 'first-token');
    client.SetVoiceSettingsUpdatedCallback((told) => muted.push(told.SelfMute()));
    await eventually(() => expect(server.peer.requests('SUBSCRIBE')).toHaveLength(2));
    expect(online()).toBe(1);
    client.SetRelationshipGroupsUpdatedCallback((id) => changed.push(id));

    // It expires while the chat client is away.
    valid.clear();
    holds = false;
    await server.stop();
    await server.start();
    await eventually(() =>
      expect(lines).toContainEqual(
        expect.stringMatching('^The access token is not valid any more; call RefreshToken and UpdateToken'),
      ),
    );
    await eventually(() => expect([online(), changed]).toEqual([0, [1n]]));
    await eventually(() => expect(lines.join()).toContain('VOICE_SETTINGS_UPDATE: no scope'));

    valid.add('second-token');
    await client.UpdateToken(AuthorizationTokenType.Bearer, 'second-token');
    await eventually(() =>
      expect(
        server.peer
          .requests('SUBSCRIBE')
          .slice(-2)
          .map(({ evt }) => evt),
      ).toContain('VOICE_SETTINGS_UPDATE'),
    );
    server.peer.dispatch('VOICE_SETTINGS_UPDATE', settings);
    await eventually(() => expect(muted).toEqual([true]));
    expect([online(), changed]).toEqual([1, [1n, 1n]]);
  });

  it.each<[AuthorizationTokenType, unknown, string]>([
    [
      AuthorizationTokenType.User,
      'access-token',
      'tokenType: only Bearer is offered, and it comes first: UpdateToken(AuthorizationTokenType.Bearer, token)',
    ],
    [AuthorizationTokenType.Bearer, '', 'token: must be a string, not empty'],
    [AuthorizationTokenType.Bearer, undefined, 'token: must be a string, not empty'],
  ])('fails locally for type %i and token %j', async (type, token, error) => {
    const { client } = await game();
    expect((await client.UpdateToken(type, token as never)).result.Error()).toBe(error);
  });

  it('stores the token for a chat client that connects later', async () => {
    const { client, server } = await game();
    await eventually(() => expect(client.GetCurrentUserV2()).toBeDefined());
    await server.stop();
    await eventually(async () => {
      const { result } = await client.UpdateToken(AuthorizationTokenType.Bearer, 'access-token');
      expect(result.Type()).toBe(ErrorType.ClientNotReady);
    });
    await server.start();
    await eventually(() => expect(server.peers[1]?.requests('AUTHENTICATE')).toHaveLength(1));
  });
});

describe('users', () => {
  it('include the logged-in user in GetCurrentUserV2 while a chat client is connected [K-14]', async () => {
    const { client, server } = await game();
    expect(client.GetCurrentUserV2()).toBeUndefined();
    await eventually(() => expect(client.GetCurrentUserV2()?.Id()).toBe(53908232506183680n));
    expect([client.GetCurrentUserV2()?.Username(), client.GetCurrentUser()?.DisplayName()]).toEqual([
      'mason',
      'mason',
    ]);
    await server.stop();
    await eventually(() => expect(client.GetCurrentUserV2()).toBeUndefined());
  });

  it('are updated in their groups of friends, and the callback names the changed friend [K-15, V-15]', async () => {
    const playing = { application_id: '300000000000000001' };
    const { client, server } = await game({
      GET_RELATIONSHIPS: () => ({
        relationships: [
          friend('1', 'online', playing),
          friend('2', 'dnd', { application_id: '9' }),
          friend('3', 'idle'),
          friend('4', 'offline'),
          friend('5', 'online', null, 2),
        ],
      }),
    });
    const groups = (): string[][] =>
      Object.values(RelationshipGroupType).map((group) =>
        client.GetRelationshipsByGroup(group).map((relationship) => String(relationship.Id())),
      );
    const changed: bigint[] = [];
    client.SetRelationshipGroupsUpdatedCallback((id) => changed.push(id));
    expect(groups()).toEqual([[], [], []]);
    await client.UpdateToken(AuthorizationTokenType.Bearer, 'access-token');
    expect(groups()).toEqual([['1'], ['2', '3'], ['4']]);
    expect(changed).toEqual([1n, 2n, 3n, 4n, 5n]);

    await eventually(() =>
      expect(server.peer.requests('SUBSCRIBE').map(({ evt }) => evt)).toContain('RELATIONSHIP_UPDATE'),
    );
    server.peer.dispatch('RELATIONSHIP_UPDATE', friend('4', 'online', playing));
    server.peer.dispatch('RELATIONSHIP_UPDATE', friend('3', 'idle', null, 0));
    for (const nobody of [{ type: 1 }, null, 'x', { user: 5 }, { user: { id: 5 } }, { user: { id: '-1' } }])
      server.peer.dispatch('RELATIONSHIP_UPDATE', nobody);
    await eventually(() => expect(groups()).toEqual([['1', '4'], ['2'], []]));
    expect(changed.slice(5)).toEqual([4n, 3n]);
    const [first] = client.GetRelationshipsByGroup(RelationshipGroupType.OnlinePlayingGame);
    expect([first?.DiscordRelationshipType(), first?.User()?.Username()]).toEqual([1, 'user1']);
  });

  it.each([null, {}, { relationships: 'x' }, { relationships: [null, 5, { user: null }] }])(
    'are none for the answer %j [K-15]',
    async (answer) => {
      const { client } = await game({ GET_RELATIONSHIPS: () => answer });
      const { result } = await client.UpdateToken(AuthorizationTokenType.Bearer, 'access-token');
      expect(result.ToString()).toBe('Success');
      for (const group of Object.values(RelationshipGroupType))
        expect(client.GetRelationshipsByGroup(group)).toEqual([]);
    },
  );

  it('are none without the scope, also after another token returned some [K-15]', async () => {
    let held = '';
    const { client } = await game({
      AUTHENTICATE({ access_token }: { access_token: string }) {
        held = access_token;
        return { scopes: [] };
      },
      GET_RELATIONSHIPS: () =>
        held === 'with-the-scope'
          ? { relationships: [friend('1', 'offline')] }
          : { error: [4006, 'no scope'] },
    });
    const offline = () => client.GetRelationshipsByGroup(RelationshipGroupType.Offline).length;
    await client.UpdateToken(AuthorizationTokenType.Bearer, 'with-the-scope');
    expect(offline()).toBe(1);
    await client.UpdateToken(AuthorizationTokenType.Bearer, 'without-the-scope');
    expect(offline()).toBe(0);
  });

  it('reach the callback with an invite to their game [V-14]', async () => {
    const { client, server } = await game();
    const invites: ActivityInvite[] = [];
    client.SetActivityInviteCreatedCallback((invite) => invites.push(invite));
    await eventually(() => expect(server.peer.requests('SUBSCRIBE')).toHaveLength(2));
    server.peer.dispatch('ACTIVITY_INVITE', {
      type: 1,
      user: user('7', 'heron'),
      activity: { application_id: '18', session_id: 'session', party: { id: 'party' } },
      channel_id: '8',
      message_id: '9',
    });
    await eventually(() => expect(invites).toHaveLength(1));
    const [invite] = invites;
    expect([
      invite?.Type(),
      invite?.SenderId(),
      invite?.ChannelId(),
      invite?.MessageId(),
      invite?.ApplicationId(),
      invite?.SessionId(),
      invite?.PartyId(),
    ]).toEqual([1, 7n, 8n, 9n, 18n, 'session', 'party']);
    server.peer.dispatch('ACTIVITY_INVITE', null);
    await eventually(() => expect(invites[1]?.SenderId()).toBe(0n));
  });
});

describe('the callback setter', () => {
  const client = new Client('', '');
  it.each<[string, (wrong: never) => void]>([
    ['AddLogCallback', (wrong) => client.AddLogCallback(wrong, LoggingSeverity.Info)],
    ['RegisterAuthorizeRequestCallback', (wrong) => client.RegisterAuthorizeRequestCallback(wrong)],
    ['SetVoiceSettingsUpdatedCallback', (wrong) => client.SetVoiceSettingsUpdatedCallback(wrong)],
    ['SetActivityInviteCreatedCallback', (wrong) => client.SetActivityInviteCreatedCallback(wrong)],
    ['SetRelationshipGroupsUpdatedCallback', (wrong) => client.SetRelationshipGroupsUpdatedCallback(wrong)],
  ])('%s refuses a value that is not a function at once', (_name, set) => {
    for (const wrong of ['x', null, {}])
      expect(() => set(wrong as never)).toThrow(new TypeError('callback: must be a function'));
  });

  it('refuses a missing callback when one is required', () => {
    expect(() => client.RegisterAuthorizeRequestCallback(undefined as never)).toThrow(TypeError);
    expect(() => client.AddLogCallback(undefined as never, LoggingSeverity.Info)).toThrow(TypeError);
  });

  it.each([undefined, 0, 6, 'Info'])('AddLogCallback refuses the severity %j', (severity) => {
    expect(() => client.AddLogCallback(() => {}, severity as never)).toThrow(
      new RangeError('minSeverity: must be one of Verbose (1), Info (2), Warning (3), Error (4), None (5)'),
    );
  });
});

describe('Disconnect', () => {
  it.each([
    ['while a chat client is looked for', async () => {}],
    [
      'while there is one',
      async (client: Client) => {
        await eventually(() => expect(client.GetCurrentUserV2()).toBeDefined());
      },
    ],
  ])('logs no warning, %s', async (_when, until) => {
    const { client } = await game();
    const lines: string[] = [];
    client.AddLogCallback((line) => lines.push(line), LoggingSeverity.Warning);
    client.RegisterAuthorizeRequestCallback(() => {});
    await until(client);
    client.SetActivityInviteCreatedCallback(() => {});
    await client.Disconnect();
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toEqual([]);
  });

  it('is final: no application connects again', async () => {
    const { client, server } = await game();
    await eventually(() => expect(client.GetCurrentUserV2()).toBeDefined());
    await client.Disconnect();
    client.SetApplicationId(19n);
    client.RegisterAuthorizeRequestCallback(() => {});
    expect(client.GetApplicationId()).toBe(19n);
    expect((await client.GetVoiceSettings()).result.Type()).toBe(ErrorType.ClientDestroyed);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.peers).toHaveLength(1);
  });
});

it('SetApplicationId with another id closes the old connection, and its presence with it', async () => {
  const { client, server } = await game();
  await eventually(() => expect(client.GetCurrentUserV2()).toBeDefined());
  const first = server.peer.socket;
  client.SetApplicationId('300000000000000002');
  client.SetApplicationId('300000000000000002');
  await eventually(() => expect(server.peers).toHaveLength(2));
  await eventually(() => expect(first.destroyed).toBe(true));
  expect(server.peer.received[0]?.body.client_id).toBe('300000000000000002');
});
