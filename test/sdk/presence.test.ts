import { describe, expect, it } from 'vitest';
import { Activity, type ActivityInvite } from '../../src/sdk/index.ts';
import { APP, linked, plays, service, until } from './played-game.ts';

describe('presence without a chat client', () => {
  it('K-10: is shown by the session, also by one that comes later, and ended', async () => {
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

  it('fails where there is neither a chat client nor a session', async () => {
    const { api } = await service();
    const { client } = await plays(api, 'ana');
    await client.Disconnect();
    const activity = new Activity();
    expect((await client.UpdateRichPresence(activity)).result.Type()).toBe(5);
  });
});

describe('invites', () => {
  it('V-14: reach a player wherever their session is, once', async () => {
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
