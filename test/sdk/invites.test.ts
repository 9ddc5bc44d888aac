import { describe, expect, it, vi } from 'vitest';
import {
  Activity,
  ActivityActionTypes,
  ActivityInvite,
  ActivityParty,
  ActivitySecrets,
  type Client,
  ErrorType,
} from '../../src/sdk/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { game, scriptedApi } from './harness.ts';
import { APP, asServer, linked, type PlayedGame, plays, service, until } from './played-game.ts';

const { Join, JoinRequest } = ActivityActionTypes;

/** An activity that others can join. */
function joinable(partyId = 'crew', secret = 'let-me-in'): Activity {
  const activity = new Activity();
  const party = new ActivityParty();
  party.SetId(partyId);
  party.SetCurrentSize(1);
  party.SetMaxSize(4);
  const secrets = new ActivitySecrets();
  secrets.SetJoin(secret);
  activity.SetName('Harbour');
  activity.SetParty(party);
  activity.SetSecrets(secrets);
  return activity;
}

/** What reaches a player. */
function hears(client: Client): ActivityInvite[] {
  const invites: ActivityInvite[] = [];
  client.SetActivityInviteCreatedCallback((invite) => invites.push(invite));
  return invites;
}

function made(type: ActivityActionTypes, sender = 7n): ActivityInvite {
  const invite = new ActivityInvite();
  invite.SetType(type);
  invite.SetSenderId(sender);
  invite.SetChannelId(8n);
  invite.SetMessageId(9n);
  invite.SetApplicationId(APP);
  invite.SetSessionId('session');
  return invite;
}

async function befriend(one: PlayedGame, other: PlayedGame): Promise<void> {
  await one.client.SendGameFriendRequestById(other.id);
  await until(() => other.client.GetRelationshipHandle(one.id).GameRelationshipType() !== 0);
  const { result } = await other.client.AcceptGameFriendRequest(one.id);
  expect(result.ToString()).toBe('Success');
}

describe('an invite by the service [V-14]', () => {
  it('lets another player join the game', async () => {
    const { api } = await service();
    const [ana, ben] = [await plays(api, 'ana'), await plays(api, 'ben')];
    const invites = hears(ben.client);
    expect((await ana.client.UpdateRichPresence(joinable())).result.ToString()).toBe('Success');
    expect((await ana.client.SendActivityInvite(ben.id, 'come along')).result.ToString()).toBe('Success');
    await until(() => invites.length === 1);
    const invite = invites[0] as ActivityInvite;
    expect([
      invite.Type(),
      invite.SenderId(),
      invite.ApplicationId(),
      invite.PartyId(),
      invite.IsValid(),
    ]).toEqual([Join, ana.id, BigInt(APP), 'crew', true]);
    const called = vi.fn();
    const accepted = await ben.client.AcceptActivityInvite(invite, called);
    expect([accepted.result.ToString(), accepted.joinSecret]).toEqual(['Success', 'let-me-in']);
    expect(called).toHaveBeenCalledWith(accepted.result, 'let-me-in');
    // As a message it is none of the players' messages.
    expect((await ben.client.GetUserMessagesWithLimit(ana.id, 200)).messages).toEqual([]);
  });

  it('is requested and answered', async () => {
    const { api } = await service();
    const [ana, ben] = [await plays(api, 'ana'), await plays(api, 'ben')];
    const [asked, invited] = [hears(ana.client), hears(ben.client)];
    await ana.client.UpdateRichPresence(joinable());
    expect((await ben.client.SendActivityJoinRequest(ana.id)).result.ToString()).toBe('Success');
    await until(() => asked.length === 1);
    const request = asked[0] as ActivityInvite;
    expect([request.Type(), request.SenderId()]).toEqual([JoinRequest, ben.id]);
    expect((await ana.client.SendActivityJoinRequestReply(request)).result.ToString()).toBe('Success');
    await until(() => invited.length === 1);
    const { joinSecret } = await ben.client.AcceptActivityInvite(invited[0] as ActivityInvite);
    expect(joinSecret).toBe('let-me-in');
  });

  it('is reported as invalid when its sender leaves the party, and as valid again on return', async () => {
    const { api } = await service();
    const [ana, ben] = [await plays(api, 'ana'), await plays(api, 'ben')];
    await befriend(ana, ben);
    const invites = hears(ben.client);
    const updates: [bigint, boolean][] = [];
    ben.client.SetActivityInviteUpdatedCallback((one) => updates.push([one.MessageId(), one.IsValid()]));
    await ana.client.UpdateRichPresence(joinable());
    await ana.client.SendActivityInvite(ben.id, '');
    await until(() => invites.length === 1);
    await ana.client.UpdateRichPresence(joinable('others', 'another'));
    await until(() => updates.length === 1);
    const invite = invites[0] as ActivityInvite;
    const late = await ben.client.AcceptActivityInvite(invite);
    expect([late.result.Type(), late.result.Status(), late.joinSecret]).toEqual([
      ErrorType.HTTPError,
      404,
      '',
    ]);
    await ana.client.UpdateRichPresence(joinable());
    await until(() => updates.length === 2);
    expect(updates).toEqual([
      [invite.MessageId(), false],
      [invite.MessageId(), true],
    ]);
    // What was told does not change later.
    expect(invite.IsValid()).toBe(true);
  });

  it('fails without a joinable activity, and for a recipient who cannot be messaged', async () => {
    const { api } = await service();
    const ana = await plays(api, 'ana');
    const ben = await plays(api, 'ben');
    const bare = await ana.client.SendActivityInvite(ben.id, '');
    expect([bare.result.Type(), bare.result.ErrorCode()]).toEqual([ErrorType.HTTPError, 50035]);
    const nobody = await ana.client.SendActivityInvite(5n, '');
    expect([nobody.result.Type(), nobody.result.ErrorCode()]).toEqual([ErrorType.HTTPError, 10013]);
    const own = await ana.client.SendActivityJoinRequest(ana.id);
    expect([own.result.Type(), own.result.ErrorCode()]).toEqual([ErrorType.HTTPError, 50007]);
  });

  it('reaches the chat client of the player, too, and is reported once', async () => {
    const emulator = await service();
    const river = await linked(emulator);
    const ana = await plays(emulator.api, 'ana');
    const invites = hears(river);
    const updated = await river.UpdateRichPresence(joinable('rivers'));
    expect(updated.result.ToString()).toBe('Success');
    await ana.client.UpdateRichPresence(joinable());
    const me = river.GetCurrentUserV2()?.Id() ?? 0n;
    await ana.client.SendActivityInvite(me, '');
    await until(() => invites.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(invites).toHaveLength(1);
    expect((await river.AcceptActivityInvite(invites[0] as ActivityInvite)).joinSecret).toBe('let-me-in');
    // What the chat client shows is invited to by the chat client.
    const told = hears(ana.client);
    expect((await river.SendActivityInvite(ana.id, '')).result.ToString()).toBe('Success');
    await until(() => told.length === 1);
    expect((await ana.client.AcceptActivityInvite(told[0] as ActivityInvite)).joinSecret).toBe('let-me-in');
  });
});

describe('an invite by the chat client alone [V-14]', () => {
  it('is sent, answered and accepted', async () => {
    const { client, server } = await game({
      SET_ACTIVITY: () => ({}),
      ACTIVITY_INVITE_USER: () => null,
      SEND_ACTIVITY_JOIN_INVITE: () => null,
      ACCEPT_ACTIVITY_INVITE: () => {
        setTimeout(() => server.peer.dispatch('ACTIVITY_JOIN', { secret: 'theirs' }), 5);
        return null;
      },
    });
    const joins: unknown[] = [];
    client.SetActivityJoinCallback((secret) => joins.push(secret));
    client.SetActivityJoinWithApplicationCallback((application, secret) => joins.push([application, secret]));
    await client.UpdateRichPresence(joinable());
    expect((await client.SendActivityInvite(7n, 'come')).result.ToString()).toBe('Success');
    expect(server.peer.requests('ACTIVITY_INVITE_USER')[0]?.args).toEqual({
      user_id: '7',
      type: 1,
      content: 'come',
      pid: process.pid,
    });
    await client.SendActivityJoinRequestReply(made(JoinRequest));
    expect(server.peer.requests('SEND_ACTIVITY_JOIN_INVITE')[0]?.args).toMatchObject({ user_id: '7' });
    const { result, joinSecret } = await client.AcceptActivityInvite(made(Join));
    expect([result.ToString(), joinSecret]).toEqual(['Success', 'theirs']);
    expect(server.peer.requests('ACCEPT_ACTIVITY_INVITE')[0]?.args).toEqual({
      type: 1,
      user_id: '7',
      session_id: 'session',
      channel_id: '8',
      message_id: '9',
      application_id: APP,
    });
    await eventually(() => expect(joins).toEqual(['theirs', [BigInt(APP), 'theirs']]));
    const asked = await client.SendActivityJoinRequest(7n);
    expect(asked.result.Type()).toBe(ErrorType.ClientNotReady);
  });

  it('fails in time when the chat client accepts it without sending a secret', async () => {
    const { client } = await game({ ACCEPT_ACTIVITY_INVITE: () => null });
    client.SetHttpRequestTimeout(60);
    const { result } = await client.AcceptActivityInvite(made(Join));
    expect([result.Type(), result.Error()]).toEqual([
      ErrorType.NetworkError,
      'ACTIVITY_JOIN: no answer within 60 ms',
    ]);
  });

  it('is also reported when it is a join request', async () => {
    const { client, server } = await game();
    const invites = hears(client);
    await eventually(() => expect(server.peer.requests('SUBSCRIBE')).toHaveLength(2));
    server.peer.dispatch('ACTIVITY_JOIN_REQUEST', {
      type: 5,
      user: { id: '7' },
      channel_id: '8',
      message_id: '9',
    });
    await eventually(() => expect(invites[0]?.Type()).toBe(JoinRequest));
  });
});

describe('an invite call with invalid input', () => {
  it('fails when the service returns no secret or an invalid one', async () => {
    for (const answer of [{}, { secret: 5 }, { secret: '' }, [], null, 'x']) {
      const { api } = await scriptedApi(() => [200, answer]);
      const { client } = await game({}, { api });
      await client.UpdateToken(1, 'a-token');
      const { result, joinSecret } = await client.AcceptActivityInvite(made(Join));
      expect([result.Type(), joinSecret]).toEqual([ErrorType.HTTPError, '']);
    }
  });

  it('refuses an invite of the other kind and a null invite', async () => {
    const { client } = await game();
    for (const [wrong, ask] of [
      [made(JoinRequest), (one: ActivityInvite) => client.AcceptActivityInvite(one)],
      [made(Join), (one: ActivityInvite) => client.SendActivityJoinRequestReply(one)],
      [ActivityInvite.nullobj, (one: ActivityInvite) => client.AcceptActivityInvite(one)],
      [ActivityInvite.nullobj, (one: ActivityInvite) => client.SendActivityJoinRequestReply(one)],
    ] as const)
      expect((await ask(wrong)).result.Type()).toBe(ErrorType.ValidationError);
    for (const wrong of [undefined, null, {}, 5]) {
      const message = 'invite: must be an ActivityInvite; make one with new ActivityInvite()';
      expect(() => client.AcceptActivityInvite(wrong as never)).toThrow(new TypeError(message));
      expect(() => client.SendActivityJoinRequestReply(wrong as never)).toThrow(new TypeError(message));
    }
  });

  it('refuses ids and texts of another type', async () => {
    const { client } = await game();
    for (const wrong of [undefined, 5, -1n, 'x', {}]) {
      const one = await client.SendActivityInvite(wrong as never, '');
      expect([one.result.Type(), one.result.Error()]).toEqual([
        ErrorType.ValidationError,
        expect.stringMatching(/^userId: /),
      ]);
      const two = await client.SendActivityJoinRequest(wrong as never);
      expect(two.result.Type()).toBe(ErrorType.ValidationError);
    }
    for (const wrong of [undefined, 5, null, {}])
      expect((await client.SendActivityInvite(7n, wrong as never)).result.Error()).toBe(
        'content: must be a string',
      );
  });

  it('escapes an odd session id in the path of the request', async () => {
    const paths: string[] = [];
    const { api } = await scriptedApi(({ path }) => {
      paths.push(path);
      return [200, { secret: 's' }];
    });
    const { client } = await game({}, { api });
    await client.UpdateToken(1, 'a-token');
    const invite = made(Join);
    invite.SetSessionId('../../x?y#z');
    await client.AcceptActivityInvite(invite);
    expect(paths.at(-1)).toBe(
      `/api/users/7/sessions/..%2F..%2Fx%3Fy%23z/activities/${APP}/1?channel_id=8&message_id=9`,
    );
  });
});

it('the server of the game receives no join secret', async () => {
  const { api } = await service();
  const ana = await plays(api, 'ana');
  await ana.client.UpdateRichPresence(joinable());
  const user = await asServer(api, 'GET', `/users/${ana.id}`);
  expect(JSON.stringify(user)).not.toContain('let-me-in');
});
