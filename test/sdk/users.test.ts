import { describe, expect, it } from 'vitest';
import { STRANGER } from '../../src/sdk/known.ts';
import { Users } from '../../src/sdk/users.ts';
import { plays, service, until } from './played-game.ts';

describe('a user who is told again', () => {
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

  it('with less is the same, and nothing is forgotten', () => {
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
  ])('with less, and %s, is somebody else in that alone', (_what, said) => {
    const { users, changed, ana } = known();
    users.take({ id: '7', username: 'ana', ...said });
    expect([changed, ana()]).toEqual([[7n], { ...ANA, ...said }]);
    users.take({ id: '7', username: 'ana', ...said });
    expect(changed).toEqual([7n]);
  });

  it('does not become ever larger', () => {
    const { users, ana } = known();
    for (let index = 0; index < 100; index += 1)
      users.take({ id: '7', username: 'ana', [`member ${index}`]: 'x'.repeat(1000) });
    expect(JSON.stringify(ana()).length).toBeLessThan(18_000);
    expect(ana()).toHaveProperty('member 99');
  });

  it('with names that every object has is a user and nothing else', () => {
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

it('a player who writes for the first time has not changed', async () => {
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
