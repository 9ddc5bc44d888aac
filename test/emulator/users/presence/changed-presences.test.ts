import { expect, it } from 'vitest';
import { UserAccounts } from '../../../../src/emulator/accounts/user-accounts.ts';
import type { Emulator } from '../../../../src/emulator/compose/emulator.ts';
import { defaultFixture } from '../../../../src/emulator/compose/fixture/default.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { patch, worldOf } from '../../../helpers/patched.ts';
import { rpcFeed } from '../../../helpers/rpc-feed.ts';

function watched() {
  const world = worldOf(patch(defaultFixture(), { users: [{ id: '9000', username: 'crew' }] }).fixture);
  const { tables } = world;
  const emulator: Partial<Emulator> = {
    tables,
    accounts: new UserAccounts(world),
    user: (id) => tables.users.get(id),
    application: () => undefined,
    isQuiet: () => false,
    subscribe: (...args) => world.subscribe(...args),
    subscribeSignals: (...args) => world.subscribeSignals(...args),
  };
  const { sent } = rpcFeed(emulator as Emulator);
  const emitted = () => sent().map(({ data }) => (data as { user: { id: string } }).user.id);
  return { world, emitted };
}

const session = {
  session: 'a',
  status: 'idle',
  client: 'mobile',
  activities: [],
  secret: null,
  headless: null,
} as const;

it('a relationship update is sent for each gateway session that its user starts, changes and closes', () => {
  const { world, emitted } = watched();
  world.transaction(({ session_presences }) => session_presences.insert({ ...session, user: ids.heron }));
  expect(emitted()).toEqual([ids.heron]);
  world.transaction(({ session_presences }) => session_presences.update('a', { status: 'dnd' }));
  expect(emitted()).toEqual([ids.heron]);
  world.transaction(({ session_presences }) => session_presences.remove('a'));
  expect(emitted()).toEqual([ids.heron]);
});

it('no relationship update is sent for users outside the list of the logged-in user', () => {
  const { world, emitted } = watched();
  for (const user of ['9000', ids.river]) {
    world.transaction(({ session_presences }) => session_presences.insert({ ...session, user }));
    world.transaction(({ session_presences }) => session_presences.remove('a'));
  }
  expect(emitted()).toEqual([]);
});

it('a relationship that changes together with the presence is sent once', () => {
  const { world, emitted } = watched();
  world.transaction(({ session_presences, relationships }) => {
    session_presences.insert({ ...session, user: ids.heron });
    relationships.update(`${ids.river} ${ids.heron}`, { status: 'dnd' });
  });
  expect(emitted()).toEqual([ids.heron]);
});
