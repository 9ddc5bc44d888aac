// The guide on presence, block after block: its rules are written to the file, its commands typed beside a bridge.
import { on } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { CONDITIONS, DROPPABLE, REPLACEABLE } from '../../src/presence/rule.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { place } from '../helpers/fault-bridge.ts';
import { type Fence, fences } from '../helpers/markdown.ts';
import { pageText, shellFor, stepsIn, timeless } from '../helpers/page-sessions.ts';

const page = pageText('.github/guide/presence-rules.md');

/** Keys of an object, and of the objects in it. */
const keysOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(keysOf)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, keysOf(one)]))
      : typeof value;

it('the rules of the page apply, its commands print its output, and its line has the fields of a real one', {
  timeout: 180_000,
}, async () => {
  const runtime = place();
  const folder = join(runtime.folder, 'config', 'footbridge');
  const file = join(folder, 'footbridge.toml');
  mkdirSync(folder);
  writeFileSync(file, '');
  const daemon = await startDaemon({ runtime, args: ['--http-port', '0', '--ws-port', 'off'] });
  onTestFinished(async () => void (await daemon.stop()));
  const { run, start } = shellFor(daemon);
  const plain = (text: string): string =>
    timeless(text.replaceAll(join(runtime.folder, 'config'), '~/.config')).replaceAll(
      /for \d+ s/g,
      'for N s',
    );
  const kinds: Record<string, (block: Fence) => Promise<void>> = {
    async toml({ text }) {
      writeFileSync(file, text);
      expect(await run('footbridge presence reload'), text).toMatch(/^Applied: \d+ rules?$/);
    },
    async console(block) {
      for (const { command, printed } of stepsIn([block]))
        expect(plain(await run(command)), command).toBe(plain(printed));
    },
    async json({ text }) {
      const following = start('exec footbridge presence --follow --json');
      onTestFinished(() => void following.kill('SIGKILL'));
      const [line = ''] = (await on(createInterface(following.stdout), 'line').next()).value as string[];
      expect(keysOf(JSON.parse(line))).toEqual(keysOf(JSON.parse(text)));
    },
  };
  for (const block of fences(page)) await kinds[block.language]?.(block);
});

it('the table of rules names every condition, every action, and every field', () => {
  const [, table = ''] = /<!-- rules: begin -->\n(.*)<!-- rules: end -->/s.exec(page) ?? [];
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(
    ([, key = '', text = '']) => [key, text] as const,
  );
  expect(rows.map(([key]) => key)).toEqual([
    ...CONDITIONS,
    'type',
    'hide',
    'drop',
    'replace',
    'only',
    'give_way_to',
    'rank',
  ]);
  const namesOf = (key: string): readonly string[] =>
    [...(rows.find(([one]) => one === key)?.[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  expect(namesOf('drop')).toEqual(DROPPABLE);
  expect(namesOf('replace')).toEqual(REPLACEABLE);
});
