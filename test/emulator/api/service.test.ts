import { expect, it } from 'vitest';
import { type Service, startServices } from '../../../src/emulator/api/service.ts';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import { rowsOf } from '../../../src/emulator/compose/fixture/fixture.ts';
import { platformWorld } from '../../../src/emulator/compose/platform-world.ts';
import { ids } from '../../helpers/emulator-world.ts';

/** A world, what it logs, and what services note. */
function noted() {
  const lines: string[] = [];
  const log = { info() {}, warn: (line: string) => void lines.push(line) };
  const world = platformWorld(rowsOf(defaultFixture()), log);
  const notes: string[] = [];
  const service = (name: string, more: Partial<Service> = {}): Service => ({
    name,
    start: () => void notes.push(`${name} starts`),
    onCommit: ({ events }) => void notes.push(`${name} follows ${events[0]?.table}`),
    stop: () => void notes.push(`${name} stops`),
    ...more,
  });
  const rename = (name: string) =>
    world.transaction(({ users }) => users.update(ids.otter, { global_name: name }));
  return { world, lines, notes: () => notes.splice(0), service, rename };
}

it('services start and receive commits in their order, and stop in reverse', async () => {
  const { world, notes, service, rename } = noted();
  const stop = startServices(world, [service('a'), service('b')]);
  expect(notes()).toEqual(['a starts', 'b starts']);
  rename('Otto');
  expect(notes()).toEqual(['a follows users', 'b follows users']);
  await stop();
  expect(notes()).toEqual(['b stops', 'a stops']);
  rename('Otter');
  expect(notes()).toEqual([]);
});

it('a service receives the commits that any service causes as it starts', () => {
  const { world, notes, service, rename } = noted();
  startServices(world, [service('a', { start: () => void rename('Otto') }), service('b')]);
  expect(notes()).toEqual(['a follows users', 'b follows users', 'b starts']);
});

it('a service receives the signals that it subscribes to, until it stops', async () => {
  const { world, notes, service } = noted();
  const signal = { type: 'tokens-revoked', userId: ids.otter, clientId: ids.harbourExample } as const;
  const seen: string[] = [];
  const subscribe: NonNullable<Service['subscribe']> = (recovery) =>
    world.subscribeSignals(({ type }) => void seen.push(type), recovery);
  const stop = startServices(world, [service('a', { subscribe })]);
  world.signal(signal);
  await stop();
  world.signal(signal);
  expect(seen).toEqual(['tokens-revoked']);
  expect(notes()).toEqual(['a starts', 'a stops']);
});

it.each<[string, Partial<Service>, string[]]>([
  ['stops and starts', {}, ['a stops', 'a starts']],
  ['recovers as it says', { recover: () => {} }, []],
])('a service that throws %s, and the log names it', (_, more, expected) => {
  const { world, lines, notes, service, rename } = noted();
  const onCommit = () => {
    throw new RangeError('canary');
  };
  startServices(world, [service('a', { onCommit, ...more }), service('b')]);
  notes();
  rename('Otto');
  expect(notes()).toEqual([...expected, 'b follows users']);
  expect(lines).toEqual([
    'a could not follow a change of the state (RangeError), and went on from the state as it is',
  ]);
});

it('services stop one after another, once, and all of them although one fails', async () => {
  const { world, notes, service } = noted();
  const slow = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    notes();
    throw new Error('canary');
  };
  const stop = startServices(world, [service('a'), service('b', { stop: slow })]);
  const stopping = stop();
  await expect(stopping).rejects.toThrow('canary');
  expect(notes()).toEqual(['a stops']);
  await expect(stop()).rejects.toThrow('canary');
  expect(notes()).toEqual([]);
});
