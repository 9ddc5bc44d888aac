import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import {
  Activity,
  ActivityAssets,
  ActivityButton,
  ActivityInvite,
  ActivityParty,
  ActivitySecrets,
  ActivityTimestamps,
  AdditionalContent,
  AuthorizationArgs,
  AuthorizationCodeVerifier,
  RelationshipType,
  VoiceSettings,
} from '../../src/sdk/index.ts';
import { plays, service, until } from './played-game.ts';

/** What something becomes as JSON, which has to be what Node's console prints of it. */
function shown(one: unknown): unknown {
  const json = JSON.parse(JSON.stringify(one) ?? 'null');
  const options = { depth: 9, sorted: true };
  expect(inspect(one, options)).toBe(inspect(json, options));
  return json;
}

it('an activity and its parts are printed without the secret', () => {
  const activity = new Activity();
  activity.SetState('In the harbour');
  activity.SetApplicationId(2n ** 64n - 1n);
  const [assets, timestamps, party] = [new ActivityAssets(), new ActivityTimestamps(), new ActivityParty()];
  assets.SetLargeImage('harbour');
  timestamps.SetStart(5n);
  party.SetId('crew');
  const [secrets, button] = [new ActivitySecrets(), new ActivityButton()];
  button.SetLabel('Watch');
  secrets.SetJoin('the-tide-is-high');
  activity.SetAssets(assets);
  activity.SetTimestamps(timestamps);
  activity.SetParty(party);
  activity.SetSecrets(secrets);
  activity.AddButton(button);
  expect(shown(activity)).toEqual({
    type: 0,
    state: 'In the harbour',
    applicationId: '18446744073709551615',
    supportedPlatforms: 0,
    assets: { largeImage: 'harbour' },
    timestamps: { start: '5', end: '0' },
    party: { id: 'crew', currentSize: 0, maxSize: 0, privacy: 0 },
    secrets: { join: '[hidden]' },
    buttons: [{ label: 'Watch', url: '' }],
  });
  for (const part of [assets, timestamps, party, secrets, button]) expect(shown(part)).not.toEqual({});
  expect(secrets.Join()).toBe('the-tide-is-high');
  expect(shown(new ActivitySecrets())).toEqual({ join: '' });
});

it('other objects of a game are printed without the secrets between the game and the service', () => {
  const invite = new ActivityInvite();
  invite.SetSenderId(7n);
  expect(shown(invite)).toMatchObject({ senderId: '7', partyId: '', isValid: false });
  const pair = new AuthorizationCodeVerifier();
  pair.SetVerifier('a-verifier');
  expect(shown(pair)).toEqual({ challenge: { method: 0, challenge: '' }, verifier: '[hidden]' });
  const args = new AuthorizationArgs();
  args.SetScopes('openid');
  args.SetState('a-state');
  args.SetNonce('a-nonce');
  expect(shown(args)).toEqual({ clientId: '0', scopes: 'openid', state: '[hidden]', nonce: '[hidden]' });
  expect(shown(new VoiceSettings())).toMatchObject({ selfMute: false, inputVolume: 0 });
  expect(shown(new AdditionalContent())).toEqual({ type: 0, count: 0 });
  for (const nothing of [Activity.nullobj, ActivityInvite.nullobj]) {
    expect([shown(nothing), inspect(nothing)]).toEqual([null, 'null']);
  }
});

it('a call, its participants, messages and users are printed with their fields', async () => {
  const { api } = await service();
  const ana = await plays(api, 'ana');
  const bo = await plays(api, 'bo');
  const { lobbyId } = await ana.client.CreateOrJoinLobbyWithMetadata('tide', {}, { team: 'red' });
  await bo.client.CreateOrJoinLobby('tide');
  const call = ana.client.StartCall(lobbyId);
  call?.SetSelfMute(true);
  const lobby = () => bo.client.GetLobbyHandle(lobbyId);
  const state = () => lobby()?.GetCallInfoHandle()?.GetVoiceStateHandle(ana.id);
  await until(() => state()?.SelfMute() === true && call?.GetVoiceStateHandle(ana.id)?.SelfMute() === true);
  const voice = { user_id: String(ana.id), self_mute: true, self_deaf: false };
  expect(shown(state())).toMatchObject(voice);
  const id = String(lobbyId);
  expect(shown(lobby()?.GetCallInfoHandle())).toMatchObject({ channel_id: id, voice_states: [voice] });
  expect(shown(call)).toEqual({
    channel_id: id,
    status: call?.GetStatus(),
    self_mute: true,
    self_deaf: false,
    voice_states: [expect.objectContaining(voice)],
  });
  const member = lobby()?.GetLobbyMemberHandle(ana.id);
  expect(shown(member)).toMatchObject({ id: String(ana.id), metadata: { team: 'red' }, connected: true });

  await ana.client.SendGameFriendRequestById(bo.id);
  await bo.client.AcceptGameFriendRequest(ana.id);
  const bond = () => ana.client.GetRelationshipHandle(bo.id);
  await until(() => bond().GameRelationshipType() === RelationshipType.Friend);
  expect(shown(bond())).toMatchObject({
    id: String(bo.id),
    type: 0,
    game_type: 1,
    is_spam_request: false,
    user: { global_name: 'bo' },
  });
  const known = ana.client.GetLobbyHandle(lobbyId)?.GetLobbyMemberHandle(bo.id);
  expect(shown(known)).toMatchObject({ connected: false, user: { id: String(bo.id), global_name: 'bo' } });
  expect(shown(ana.client.GetRelationshipHandle(5n))).toMatchObject({ id: '5', type: 0, game_type: 0 });
  const { messageId } = await ana.client.SendUserMessage(bo.id, 'psst');
  const { summaries } = await ana.client.GetUserMessageSummaries();
  expect(shown(summaries)).toEqual([{ user_id: String(bo.id), last_message_id: String(messageId) }]);
});
