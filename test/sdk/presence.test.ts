import { describe, expect, it } from 'vitest';
import {
  Activity,
  ActivityButton,
  type ActivityInvite,
  AuthorizationTokenType,
  type Client,
  ErrorType,
  RelationshipGroupType,
} from '../../src/sdk/index.ts';
import type { TestEmulator } from '../../src/testing/testing.ts';
import {
  APP,
  alone,
  linked,
  type PlayedGame,
  plays,
  provisionalToken,
  service,
  until,
} from './played-game.ts';

/** Makes a player and somebody without a session friends in the game. */
async function befriended(emulator: TestEmulator, one: PlayedGame, other: Client): Promise<void> {
  const token = await provisionalToken(emulator.api, 'ana');
  const me = await fetch(`${emulator.api}/v10/users/@me`, { headers: { authorization: `Bearer ${token}` } });
  const { id } = (await me.json()) as { id: string };
  expect((await one.client.SendGameFriendRequestById(id)).result.ToString()).toBe('Success');
  expect((await other.AcceptGameFriendRequest(one.id)).result.ToString()).toBe('Success');
}

describe('presence without a chat client', () => {
  it('is shown by the session, also by a later one, and removed [K-10]', async () => {
    const emulator = await service();
    const { client } = await plays(emulator.api, 'ana');
    const shown = (): string[] =>
      emulator
        .journal()
        .flatMap((entry) => (entry.kind === 'gateway' && entry.direction === 'in' ? [entry.text] : []))
        .filter((text) => text.includes('activities'));
    const activity = new Activity();
    activity.SetName('Harbour');
    activity.SetState('In the harbour');
    expect((await client.UpdateRichPresence(activity)).result.ToString()).toBe('Success');
    await until(() => shown().length === 1);
    expect(JSON.parse(shown()[0] ?? '')).toMatchObject({
      op: 3,
      d: {
        status: 'online',
        activities: [{ name: 'Harbour', state: 'In the harbour', type: 0, application_id: APP }],
      },
    });
    await client.Disconnect();
    client.Connect();
    await until(() => shown().length === 2);
    expect(JSON.parse(shown()[1] ?? '')).toMatchObject({
      op: 2,
      d: { presence: { activities: [{ state: 'In the harbour' }] } },
    });
    await until(() => client.GetStatus() === 3);
    client.ClearRichPresence();
    await until(() => shown().length === 3);
    expect(JSON.parse(shown()[2] ?? '')).toMatchObject({ op: 3, d: { activities: [] } });
  });

  it('is shown without a session when a token is set, until a session shows it [K-10]', async () => {
    const emulator = await service();
    const client = alone(emulator.api);
    const asked = (): string[] =>
      emulator
        .journal()
        .flatMap((entry) => (entry.kind === 'http' && entry.path.includes('headless') ? [entry.path] : []));
    const activity = new Activity();
    activity.SetState('In the harbour');
    const button = new ActivityButton();
    button.SetLabel('Watch');
    button.SetUrl('https://example.com/watch');
    activity.AddButton(button);
    expect((await client.UpdateRichPresence(activity)).result.Type()).toBe(ErrorType.ClientNotReady);
    await client.UpdateToken(AuthorizationTokenType.Bearer, await provisionalToken(emulator.api, 'ana'));
    // What could not be shown is shown now.
    await until(() => asked().length === 1);
    expect((await client.UpdateRichPresence(activity)).result.ToString()).toBe('Success');
    const friend = await plays(emulator.api, 'ben');
    await befriended(emulator, friend, client);
    const shown = () => friend.client.GetRelationshipsByGroup(RelationshipGroupType.OnlinePlayingGame).length;
    await client.UpdateRichPresence(activity);
    activity.SetState('At sea');
    await client.UpdateRichPresence(activity);
    await until(() => shown() === 1);
    client.Connect();
    await until(() => client.GetStatus() === 3);
    await until(() => asked().some((path) => path.endsWith('/delete')));
    expect(shown()).toBe(1);
    client.ClearRichPresence();
    await until(() => shown() === 0);
  });

  it('that is shown without a session is removed by Disconnect and by ClearRichPresence', async () => {
    const emulator = await service();
    const client = alone(emulator.api);
    await client.UpdateToken(AuthorizationTokenType.Bearer, await provisionalToken(emulator.api, 'ana'));
    const ended = (): number =>
      emulator
        .journal()
        .filter((entry) => entry.kind === 'http' && entry.path.endsWith('headless-sessions/delete')).length;
    expect((await client.UpdateRichPresence(new Activity())).result.ToString()).toBe('Success');
    client.ClearRichPresence();
    await until(() => ended() === 1);
    await client.UpdateRichPresence(new Activity());
    await client.Disconnect();
    await until(() => ended() === 2);
  });

  it('is not shown twice when a chat client shows it', async () => {
    const emulator = await service();
    const river = await linked(emulator);
    const activity = new Activity();
    activity.SetState('In the harbour');
    expect((await river.UpdateRichPresence(activity)).result.ToString()).toBe('Success');
    await river.Disconnect();
    river.Connect();
    await until(() => river.GetStatus() === 3);
    await until(() =>
      emulator.journal().some((entry) => entry.kind === 'frame' && entry.text.includes('In the harbour')),
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { user_presences: _none, ...world } = (await emulator.operations.call('emulator.show')) as {
      readonly activities: readonly { readonly activity: { readonly state?: string } | null }[];
      readonly user_presences?: unknown;
    };
    expect(world.activities.filter(({ activity: one }) => one?.state === 'In the harbour')).toHaveLength(1);
    const said = emulator
      .journal()
      .flatMap((entry) => (entry.kind === 'gateway' && entry.direction === 'in' ? [entry.text] : []))
      .filter((text) => text.includes('In the harbour'));
    // With Identify nobody knew yet that a chat client is there; then the session says no more of it.
    const last = emulator
      .journal()
      .flatMap((entry) => (entry.kind === 'gateway' && entry.direction === 'in' ? [entry.text] : []))
      .filter((text) => text.includes('"activities"'))
      .at(-1);
    expect(said.length === 0 || last?.includes('"activities":[]')).toBe(true);
  });

  it('fails with neither a chat client nor a session', async () => {
    const { api } = await service();
    const { client } = await plays(api, 'ana');
    await client.Disconnect();
    const activity = new Activity();
    expect((await client.UpdateRichPresence(activity)).result.Type()).toBe(5);
  });
});

describe('invites', () => {
  it('reach a player once, wherever the session of the player is [V-14]', async () => {
    const emulator = await service();
    const invites: ActivityInvite[] = [];
    const river = await linked(emulator);
    river.SetActivityInviteCreatedCallback((invite) => invites.push(invite));
    const { users } = (await emulator.operations.call('emulator.show')) as unknown as {
      readonly users: readonly { readonly id: string; readonly username: string }[];
    };
    const heron = users.find(({ username }) => username === 'heron')?.id ?? '';
    await emulator.operations.call('activity.invite', { user: heron, app: APP });
    await until(() => invites.length > 0);
    const [invite] = invites;
    expect([
      invite?.Type(),
      String(invite?.SenderId()),
      invite?.ApplicationId(),
      invite?.MessageId() !== 0n,
    ]).toEqual([1, heron, BigInt(APP), true]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(invites).toHaveLength(1);
  });
});
