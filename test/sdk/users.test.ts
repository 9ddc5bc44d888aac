import { describe, expect, it } from 'vitest';
import { STRANGER } from '../../src/sdk/known.ts';
import { Users } from '../../src/sdk/users.ts';
import { plays, service, until } from './played-game.ts';

describe('a known user whose data arrives again', () => {
  const ANA = {
    id: '7',
    username: 'ana',
    global_name: 'Ana',
    avatar: 'a1',
    clan: { tag: 'SEA', badge: null },
  };

  /** Users of whom Ana was told in full, and who was told to have changed. */
  function known(first: object = ANA) {
    const changed: bigint[] = [];
    const users = new Users({ changed: (id) => changed.push(id), known: () => STRANGER });
    users.take(first);
    return { users, changed, ana: () => users.get(7n)?.toJSON() };
  }

  it('with fewer fields is unchanged and loses nothing', () => {
    const { users, changed, ana } = known();
    users.take({ username: 'ana', id: '7' });
    users.take({ ...ANA, clan: { tag: 'SEA', badge: null } });
    expect([changed, ana()]).toEqual([[], ANA]);
  });

  it.each([
    ['another name', { global_name: 'Ann' }],
    ['a picture no more', { avatar: null }],
    ['what was not told before', { public_flags: 0 }],
    ['another member within one', { clan: { tag: 'SEA', badge: 'b1' } }],
  ])('with fewer fields and %s changes in that field alone', (_what, said) => {
    const { users, changed, ana } = known();
    users.take({ id: '7', username: 'ana', ...said });
    expect([changed, ana()]).toEqual([[7n], { ...ANA, ...said }]);
    users.take({ id: '7', username: 'ana', ...said });
    expect(changed).toEqual([7n]);
  });

  it('does not grow without limit', () => {
    const { users, ana } = known();
    for (let index = 0; index < 100; index += 1)
      users.take({ id: '7', username: 'ana', [`member ${index}`]: 'x'.repeat(1000) });
    expect(JSON.stringify(ana()).length).toBeLessThan(18_000);
    expect(ana()).toHaveProperty('member 99');
  });

  it('with the names of Object.prototype as fields is otherwise unchanged', () => {
    const { users, changed, ana } = known();
    const said = JSON.parse('{"id":"7","username":"ana","__proto__":{"global_name":"x"},"toString":"y"}');
    users.take(said);
    expect([changed, users.get(7n)?.GlobalName(), Object.getPrototypeOf(ana())]).toEqual([
      [7n],
      'Ana',
      Object.prototype,
    ]);
  });
});

it('a user who writes for the first time is not reported as changed', async () => {
  const { api } = await service();
  const { client, id } = await plays(api, 'ana');
  const { lobbyId } = await client.CreateOrJoinLobby('tide');
  const told: string[] = [];
  client.SetUserUpdatedCallback((who) => told.push(`changed ${who}`));
  client.SetMessageCreatedCallback(() => told.push('heard'));
  await client.SendLobbyMessage(lobbyId, 'aye');
  await until(() => told.includes('heard'));
  expect([told, client.GetUser(id)?.DisplayName()]).toEqual([['heard'], 'ana']);
});
