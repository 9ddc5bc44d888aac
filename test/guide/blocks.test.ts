import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { parse } from 'smol-toml';
import { describe, expect, it, onTestFinished } from 'vitest';
import { guidePath, guides } from '../../src/cli/guides.ts';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { fakeIo } from '../cli/fake-io.ts';
import { fences } from '../helpers/markdown.ts';
import { blockOf, pageText } from '../helpers/page-sessions.ts';
import { blocksOfPages } from './blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const topics = guides.map(({ topic }) => topic);

async function cli(...argv: readonly string[]) {
  const io = fakeIo();
  const code = await runProgram(argv, commandTable, io);
  return { code, stdout: io.stdout(), stderr: io.stderr() };
}

async function emulator(...options: Parameters<typeof startEmulator>) {
  const started = await startEmulator(...options);
  onTestFinished(() => started.close());
  return started;
}

describe('the guides', () => {
  it('are the pages of their folder, and are listed in the topics and in README', () => {
    const pages = readdirSync(join(root, '.github/guide')).map((name) => `.github/guide/${name}`);
    expect(topics.map(guidePath).sort()).toEqual([...pages, '.github/AGENTS.md'].sort());
    const readme = pageText('README.md');
    expect(topics.map(guidePath).filter((page) => !readme.includes(`](${page}`))).toEqual([]);
  });
  it.each(topics)('%s has at most 250 lines, a title and an introduction', (topic) => {
    const page = pageText(guidePath(topic));
    expect(page.split('\n').length - 1).toBeLessThanOrEqual(250);
    expect(page).toMatch(/^# \S.*\n\n[A-Z*`][^#]{60,}/);
  });
  it('have no topic that is also the first word of a command', () => {
    const words = commandTable.map(({ name }) => name.split(' ', 1)[0] ?? '');
    expect(topics.filter((topic) => words.includes(topic))).toEqual([]);
  });
  it('have no code block without a test that runs it', () => {
    const pages = ['README.md', ...topics.map(guidePath)];
    for (const page of pages) {
      const rows = blocksOfPages[page] ?? [];
      const blocks = fences(pageText(page));
      const listed = rows.map(({ language }) => language);
      expect(
        blocks.map(({ language }) => language),
        page,
      ).toEqual(listed);
      for (const [index, { words, test }] of rows.entries()) {
        expect(blocks[index]?.text, `${page}, block ${index}`).toContain(words);
        expect(existsSync(join(root, test)), test).toBe(true);
      }
    }
    expect(Object.keys(blocksOfPages).filter((page) => !pages.includes(page))).toEqual([]);
  });
});

describe('a fixture of the guides', () => {
  const worlds = topics
    .flatMap((topic) => fences(pageText(guidePath(topic))))
    .filter(({ language, text }) => language === 'toml' && text.includes('bot_user'));

  it('gives an application and its bot one id, by which libraries register commands', () => {
    const pairs = worlds.flatMap(({ text }) => {
      const { applications, users } = parse(text) as unknown as World;
      return applications.map(({ id, bot_user }) => [id, users.find((one) => one.username === bot_user)?.id]);
    });
    expect(pairs.length).toBeGreaterThan(0);
    for (const [application, bot] of pairs) expect(bot).toBe(application);
  });
});

interface World {
  readonly applications: readonly { readonly id: string; readonly bot_user: string }[];
  readonly users: readonly { readonly id: string; readonly username: string }[];
}

describe('footbridge help', () => {
  it('lists every guide', async () => {
    const { code, stdout } = await cli('help');
    expect(code).toBe(0);
    for (const { topic, summary } of guides)
      expect(stdout).toMatch(new RegExp(`^  ${topic} +${summary.slice(0, 20)}`, 'm'));
    expect(JSON.parse((await cli('help', '--json')).stdout)).toEqual(guides);
  });
  it.each(topics)('prints %s without Markdown syntax, in lines that fit a terminal', async (topic) => {
    const { code, stdout, stderr } = await cli('help', topic.toUpperCase());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const page = pageText(guidePath(topic));
    expect(stdout.startsWith(`${/^# (.*)/.exec(page)?.[1]?.toUpperCase()}\n\n`)).toBe(true);
    // Code stands as it is, behind four blanks.
    const prose = stdout.split('\n').filter((line) => !line.startsWith('    '));
    expect(prose.filter((line) => /^#|```|\]\(|\*\*|<!--|^\|/.test(line))).toEqual([]);
    expect(prose.filter((line) => line.length > 100 && line.trim().includes(' '))).toEqual([]);
    for (const { text } of fences(page))
      for (const line of text.split('\n')) expect(stdout).toContain(line === '' ? '' : `    ${line}`);
    for (const [, title = ''] of page.matchAll(/^## (.*)$/gm))
      expect(stdout).toContain(title.replaceAll('`', ''));
  });
  it('suggests the nearest topic for an unknown word, and prints the help of a command', async () => {
    expect(await cli('help', 'test-an-ap')).toEqual({
      code: 64,
      stdout: '',
      stderr:
        'footbridge: There is no guide and no command "test-an-ap". Did you mean "test-an-app"? Try: footbridge help\n',
    });
    expect((await cli('help', 'statsu')).stderr).toContain('Did you mean "status"? Try: footbridge help');
    expect((await cli('help', 'xyzzyxyzzy')).stderr).toMatch(
      /no command "xyzzyxyzzy"\. Try: footbridge help$/m,
    );
    const shown = await cli('help', 'emulator', 'voice', 'set');
    expect(shown).toEqual(await cli('emulator', 'voice', 'set', '--help'));
  });
});

describe('an example of the guides', () => {
  it('of a small fixture is valid, and an exported state begins with the lines of the guide', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fb-guide-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'world.toml');
    writeFileSync(path, blockOf('.github/guide/fixture.md', 'toml', 'me = '));
    expect(await (await emulator({ fixture: path })).users.list()).toMatchObject([{ username: 'river' }]);
    const state = join(folder, 'state.jsonl');
    const { env } = await emulator();
    expect(await runProgram(['emulator', 'export', state], commandTable, fakeIo(env))).toBe(0);
    const lines = readFileSync(state, 'utf8').split('\n');
    const [first = '', me = '', user = '', channel = ''] = blockOf(
      '.github/guide/fixture.md',
      'json',
      '"state"',
    ).split('\n');
    expect(lines.slice(0, 2)).toEqual([first, me]);
    for (const line of [user, channel]) {
      const [begin = '', end = ''] = line.split('…');
      expect(lines.some((one) => one.startsWith(begin) && one.endsWith(end.replace(/^,/, '')))).toBe(true);
    }
  });
  it('of URL mappings is a valid part of a fixture', async () => {
    const { operations } = await emulator();
    const patch = parse(blockOf('.github/guide/web-pages-and-overlays.md', 'toml', 'url_mappings'));
    await operations.call('emulator.apply', { patch });
    const { address } = await operations.call('activity.launch', { app: 'Harbour Example' });
    expect(address).toMatch(/^http:\/\/300000000000000001\.localhost:\d+\//);
  });
  it('of node-ipc sends a handshake once it is connected', () => {
    const listeners = new Map<string, (value: unknown) => void>();
    const sent: unknown[][] = [];
    const bridge = {
      on: (event: string, listener: (value: unknown) => void) => void listeners.set(event, listener),
      emit: (...words: unknown[]) => void sent.push(words),
    };
    const ipc = {
      of: { footbridge: bridge },
      connectTo: (_id: string, _path: string, then: () => void) => then(),
    };
    runInNewContext(blockOf('.github/guide/web-pages-and-overlays.md', 'js', 'ipc.connectTo'), {
      ipc,
      path: '',
    });
    expect([...listeners.keys()]).toEqual(['connect', 'frame', 'closing']);
    listeners.get('connect')?.(undefined);
    expect(sent).toEqual([['handshake', { v: 1, client_id: '207646673902501888' }]]);
  });
});
