import { describe, expect, it } from 'vitest';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import { rowsOf } from '../../../src/emulator/compose/fixture/fixture.ts';
import { platformWorld } from '../../../src/emulator/compose/platform-world.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { justListening } from '../../helpers/just-listening.ts';

function listened() {
  const warnings: string[] = [];
  const log = { info() {}, warn: (text: string) => void warnings.push(text) };
  const world = platformWorld(rowsOf(defaultFixture()), log);
  const told: string[] = [];
  return { world, told, warnings };
}

it('a transaction reaches row listeners as one group, hidden rows included, before its derivations', () => {
  const { world, told } = listened();
  world.subscribe(
    { tables: ['messages'], derive: (commit) => commit.of('messages').updated },
    ({ after }) => void told.push(`${after.content} of what means something`),
    justListening,
  );
  world.subscribeRows(({ events }) => {
    told.push(events.map(({ kind, table }) => `${table} ${kind}`).join(', '));
  }, justListening);
  world.transaction(({ channels, messages }) => {
    // A channel that the logged-in user cannot see, and a message in it.
    channels.update(ids.hidden, { name: 'secret' });
    messages.update('600000000000000001', { content: 'seen', channel: ids.general });
    messages.insert({
      id: '600000000000000077',
      channel: ids.hidden,
      author: ids.heron,
      content: 'unseen',
      timestamp: '2030-01-01T12:00:00.000Z',
      edited_timestamp: null,
      tts: false,
      pinned: false,
    });
  });
  expect(told).toEqual([
    'channels updated, messages created, messages updated',
    'seen of what means something',
  ]);
});

it('dependent rows and the changes of rules belong to the same transaction', () => {
  const { world } = listened();
  const groups: string[][] = [];
  world.subscribeRows(
    ({ events }) => groups.push(events.map(({ kind, table }) => `${kind} ${table}`)),
    justListening,
  );
  world.transaction(({ users }) => users.remove(ids.otter));
  expect(groups).toHaveLength(1);
  expect(groups[0]).toContain('removed relationships');
  expect(groups[0]?.at(-1)).toBe('removed users');
});

it('a listener that throws does not affect the others, and is logged without a row', () => {
  const { world, told, warnings } = listened();
  world.subscribeRows(() => {
    throw new Error('canary');
  }, justListening);
  world.subscribe({ derive: () => ['derived'] }, (meaning) => void told.push(meaning), justListening);
  world.transaction(({ users }) => users.update(ids.otter, { global_name: 'Canary' }));
  expect(told).toEqual(['derived']);
  expect(warnings).toEqual([
    'a test could not follow a change of the state (Error), and went on from the state as it is',
  ]);
});

describe('a derivation', () => {
  it('is made only of commits that touch its tables, with the rows from before, until it ends', () => {
    const { world, told } = listened();
    const names: string[] = [];
    const end = world.subscribe(
      {
        tables: ['users'],
        derive(commit, tables) {
          names.push(
            `${commit.was('users', ids.otter)?.global_name} to ${tables.users.get(ids.otter)?.global_name}`,
          );
          return ['a', 'b'];
        },
      },
      (meaning) => void told.push(meaning),
      justListening,
    );
    world.transaction(({ voice }) => voice.update({ mute: true }));
    expect([names, told]).toEqual([[], []]);
    world.transaction(({ users }) => users.update(ids.otter, { global_name: 'Lutra' }));
    expect([names, told]).toEqual([['Otter to Lutra'], ['a', 'b']]);
    end();
    world.transaction(({ users }) => users.update(ids.otter, { global_name: 'Otter' }));
    expect(names).toHaveLength(1);
  });

  it('that fails does not affect the transaction, and its listener recovers after the rows', () => {
    const { world, told, warnings } = listened();
    world.subscribe(
      {
        derive() {
          throw new Error('canary');
        },
      },
      () => {},
      { name: 'a test', recover: () => void told.push('recovered') },
    );
    world.subscribeRows(() => void told.push('rows'), justListening);
    world.transaction(({ users }) => users.update(ids.otter, { global_name: 'Canary' }));
    expect(told).toEqual(['rows', 'recovered']);
    expect(warnings).toHaveLength(1);
    expect(world.tables.users.get(ids.otter)?.global_name).toBe('Canary');
  });
});

it('changes() returns the rows of its transaction, without the changes that listeners make', () => {
  const { world } = listened();
  world.subscribe(
    { tables: ['voice'], derive: () => [1] },
    () => world.transaction(({ users }) => users.update(ids.otter, { global_name: 'x' })),
    justListening,
  );
  const named = ({ table, kind }: { readonly table: string; readonly kind: string }) => `${table} ${kind}`;
  expect(world.changes(({ voice }) => voice.update({ mute: true })).map(named)).toEqual(['voice updated']);
  expect(world.changes(() => {})).toEqual([]);
  expect(world.replace(world.snapshot())).toEqual([]);
});
