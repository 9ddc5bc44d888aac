import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../src/cli/parse.ts';
import { commandTable } from '../src/cli/table.ts';
import { takeWorld } from '../src/cli/world-option.ts';
import { SCOPES } from '../src/protocol/scope.ts';
import { wordsOf } from './helpers/examples.ts';
import { deadLinks, fences } from './helpers/markdown.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const ends = ['-z', '--cached', '--others', '--exclude-standard', '*.md'];
const pages = execFileSync('git', ['ls-files', ...ends], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .slice(0, -1);
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');
const blocks = pages.flatMap((page) => fences(textOf(page)).map((fence) => ({ page, ...fence })));
const { scripts } = JSON.parse(textOf('package.json')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

it('the search finds the pages and their code blocks', () => {
  expect(pages).toEqual(
    expect.arrayContaining(['README.md', '.github/guide/consent.md', 'src/core/README.md']),
  );
  expect(blocks.length).toBeGreaterThan(20);
});

it('README has at most 130 lines, and the guide on consent has the sentences of the scopes', () => {
  expect(textOf('README.md').split('\n').length - 1).toBeLessThanOrEqual(130);
  const asked = [...textOf('.github/guide/consent.md').matchAll(/^ {2}- (.*) \(([\w.]+)\)$/gm)];
  expect(asked.map(([, sentence, scope = '']) => [scope, sentence])).toEqual(
    ['rpc', 'identify'].map((scope) => [scope, SCOPES[scope]?.sentence]),
  );
});

it('CONTRIBUTING names every folder of the source and of the tests, and no other', () => {
  const folders = (place: string): string[] =>
    readdirSync(join(root, place), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
      .map(({ name }) => `${place}/${name}`);
  const rows = textOf('.github/CONTRIBUTING.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  const source = folders('src');
  expect(named.filter((name) => name.startsWith('src/')).sort()).toEqual(source.sort());
  expect(named).toEqual(expect.arrayContaining(['platform', 'service', 'test']));
  // Those that mirror the source need no word of their own.
  const mirrored = new Set([
    ...source.map((name) => name.slice(4)),
    'platform',
    'service',
    'helpers',
    'types',
  ]);
  const own = folders('test').filter((name) => !mirrored.has(name.slice(5)));
  expect(named.filter((name) => name.startsWith('test/')).sort()).toEqual(own.sort());
});

it.each(['src/wire', 'platform'])('the README of %s names every file of its folder', (folder) => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const named = [...textOf(`${folder}/README.md`).matchAll(/`((?:[\w-]+\/)?[\w-]+\.ts)`/g)].map(
    ([, name = '']) => name,
  );
  expect([...new Set(named)].sort()).toEqual(files.sort());
});

it.each(pages)('%s has no dead link', (page) => {
  expect(deadLinks(root, page)).toEqual([]);
});

it.each(['src/client/README.md', '.github/guide/judge-a-server-or-client.md'])(
  '%s has no link of the repository in the part that npm shows',
  (page) => {
    const [shown = ''] = textOf(page).split('<!-- package: end -->');
    expect(shown).not.toBe('');
    expect([...shown.matchAll(/\]\((?!https?:|#)([^)]*)\)/g)].map(([, link]) => link)).toEqual([]);
  },
);

it('no page claims that the suite or the bridge is in a registry', () => {
  const claim =
    /\bnpx\s+(?:-\S+\s+)*@?footbridge|\bnpm (?:i|install|add)\s+(?:-\S+\s+)*@?footbridge(?![\w-]*\.tgz)/;
  const files = execFileSync('git', ['ls-files', '-z', 'src', 'service', ...pages], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(
    files
      .split('\0')
      .slice(0, -1)
      .filter((file) => claim.test(textOf(file))),
  ).toEqual([]);
});

describe('a program in a page', () => {
  const programs = blocks.filter(({ language }) => language === 'js' || language === 'ts');

  it.each(programs.map(({ page, line, text }) => [`${page}:${line}`, text] as const))(
    'at %s is valid code',
    async (_place, text) => {
      // CommonJS has no `await` of its own.
      const format = /\brequire\(/.test(text) ? 'cjs' : 'esm';
      const wrapped = format === 'cjs' ? `(() => {${text}})()` : text;
      expect((await transform(wrapped, { loader: 'ts', target: 'esnext' })).warnings).toEqual([]);
    },
  );
});

describe('a command in a page', () => {
  const shells = blocks
    .filter(({ language }) => ['sh', 'console'].includes(language))
    .flatMap(({ page, language, text }) =>
      text
        .replaceAll('\\\n', ' ')
        .split('\n')
        .flatMap((line) => (language === 'console' ? (/^\$ (.*)$/.exec(line)?.[1] ?? []) : line))
        .map((line) => [page, line] as const),
    );
  const inline = pages.flatMap((page) =>
    [
      ...textOf(page)
        .replaceAll(/^```[\s\S]*?^```$/gm, '')
        .matchAll(/`([^`]+)`/g),
    ].map(([, text = '']) => [page, text.replaceAll(/\s+/g, ' ')] as const),
  );
  const all = [...shells, ...inline].map(([page, line]) => [page, line.replace(/ +#.*/, '')] as const);

  const ours = all.filter(([, line]) => /^(footbridge|npm run -s footbridge --) [a-z-]/.test(line));
  /** A page may call a command by its name without the words that it takes. */
  const isName = (typed: string): boolean => commandTable.some(({ name }) => name === typed);

  it.each(ours)('of ours in %s is accepted as typed: %s', (_page, line) => {
    const [, typed = ''] = /^(?:footbridge|npm run -s footbridge --) (.*)$/.exec(line) ?? [];
    // Behind a pipe stands a command of the system.
    const [own = ''] = typed.split(' | ');
    if (isName(own)) return;
    // What may be left out is typed, and of two words the first.
    const words = own.replaceAll(/[[\]]|(?<=\w)\|\S+/g, '');
    expect(() => parseCommandLine(takeWorld(wordsOf(words)).argv, commandTable)).not.toThrow();
  });

  const npm = all.filter(([, line]) => /^npm (run|start|test)\b/.test(line));
  it.each(npm)('of npm in %s is a script: %s', (_page, line) => {
    const [, first = '', second = ''] = /^npm (?:-s )?(\S+)(?: (?:-s )?([\w:-]+))?/.exec(line) ?? [];
    expect(Object.keys(scripts)).toContain(first === 'run' ? second : first);
  });

  it('occurs often enough: more than 30 of ours, more than 10 of npm', () => {
    expect([ours.length > 30, npm.length > 10]).toEqual([true, true]);
  });
});
