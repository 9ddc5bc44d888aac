import { expect, it } from 'vitest';
import { groupsOf } from '../../src/console/page/views/operations/groups.ts';
import { adminDeclarations } from '../../src/daemon/operations.ts';

const all = adminDeclarations.map(({ name, summary, command }) => ({
  name,
  summary,
  args: [],
  command: command?.name ?? null,
}));
const namesFor = (typed: string): readonly string[] =>
  groupsOf(all, typed).flatMap(({ operations }) => operations.map(({ name }) => name));

it('each operation of the bridge is in one group that has a title', () => {
  expect([...namesFor('')].sort()).toEqual(all.map(({ name }) => name).sort());
  expect(groupsOf(all, '').map(({ title }) => title)).not.toContain('Others');
});

it('an operation of another core is in the last group', () => {
  const other = { name: 'harbour.open', summary: 'Open the harbour', args: [], command: null };
  expect(groupsOf([other, ...all], '').at(-1)).toEqual({ title: 'Others', operations: [other] });
});

it.each([
  ['voice.set', ['voice.set']],
  ['emulator clock freeze', ['clock.freeze']],
  ['  FREEZE ', ['clock.freeze']],
  ['web pages that may connect', ['origins.list']],
  ['no operation', []],
])('the words %j find %j', (typed, names) => {
  expect(namesFor(typed)).toEqual(names);
});
