import { expect, it } from 'vitest';
import type { Change } from '../../../../src/emulator/compose/change.ts';
import { defaultFixture } from '../../../../src/emulator/compose/fixture/default.ts';
import { rowsOf } from '../../../../src/emulator/compose/fixture/fixture.ts';
import { platformWorld } from '../../../../src/emulator/compose/platform-world.ts';
import { silentLog } from '../../../../src/emulator/kernel/log.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { patch } from '../../../helpers/patched.ts';

function watched() {
  const { fixture } = patch(defaultFixture(), { users: [{ id: '9000', username: 'crew' }] });
  const world = platformWorld(rowsOf(fixture), silentLog);
  const users: string[] = [];
  world.subscribe(
    (change: Change) => {
      if (change.type === 'relationship-updated') users.push(change.relationship.user);
    },
    { name: 'the test', recover: () => {} },
  );
  return { world, emitted: () => users.splice(0) };
}

const session = {
  session: 'a',
  status: 'idle',
  client: 'mobile',
  activities: [],
  secret: null,
  headless: null,
} as const;

it('a relationship changes with each session of the gateway that its user begins, changes and ends', () => {
  const { world, emitted } = watched();
  world.transaction(({ session_presences }) => session_presences.insert({ ...session, user: ids.heron }));
  expect(emitted()).toEqual([ids.heron]);
  world.transaction(({ session_presences }) => session_presences.update('a', { status: 'dnd' }));
  expect(emitted()).toEqual([ids.heron]);
  world.transaction(({ session_presences }) => session_presences.remove('a'));
  expect(emitted()).toEqual([ids.heron]);
});

it('nobody but those on the list of the logged-in user is named', () => {
  const { world, emitted } = watched();
  for (const user of ['9000', ids.river]) {
    world.transaction(({ session_presences }) => session_presences.insert({ ...session, user }));
    world.transaction(({ session_presences }) => session_presences.remove('a'));
  }
  expect(emitted()).toEqual([]);
});

it('a relationship that changes together with the presence is named once', () => {
  const { world, emitted } = watched();
  world.transaction(({ session_presences, relationships }) => {
    session_presences.insert({ ...session, user: ids.heron });
    relationships.update(`${ids.river} ${ids.heron}`, { status: 'dnd' });
  });
  expect(emitted()).toEqual([ids.heron]);
});
