// What a person types in the sessions that the pages show, and what they are said to read then.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { type Daemon, startDaemon } from './helpers/daemon.ts';
import { programs } from './helpers/examples.ts';
import { PROGRAM, place } from './helpers/fault-bridge.ts';
import { fences } from './helpers/markdown.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const noCurl = spawnSync('curl', ['--version']).status === 0 ? '' : ' (skipped: there is no curl here)';

interface Step {
  readonly command: string;
  /** What is shown below it. */
  readonly printed: string;
}

/** Every command of the sessions of a page, in their order. */
function stepsOf(page: string): Step[] {
  return fences(readFileSync(join(root, page), 'utf8'))
    .filter(({ language }) => language === 'console')
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split(/^\$ /m).slice(1))
    .map((step) => {
      const [command = '', ...printed] = step.trimEnd().split('\n');
      return { command, printed: printed.join('\n') };
    });
}

/** A shell next to a bridge, in which `footbridge` is the program; both streams in one. */
function shellFor(daemon: Pick<Daemon, 'folder' | 'env'>, more: Readonly<Record<string, string>> = {}) {
  const bin = programs(join(daemon.folder, 'bin'), {
    footbridge: `exec '${process.execPath}' '${PROGRAM}' "$@"`,
  });
  const env = { ...daemon.env, ...more, PATH: `${bin}:${process.env['PATH']}` };
  const start = (command: string) =>
    spawn('bash', ['-c', `exec 2>&1\n${command}`], { env, cwd: daemon.folder });
  const run = async (command: string): Promise<string> => {
    const chunks = await start(command).stdout.toArray();
    return Buffer.concat(chunks as Buffer[])
      .toString()
      .trim();
  };
  return { start, run };
}

async function bridge(...args: readonly string[]): Promise<Daemon> {
  const daemon = await startDaemon({ args: ['--http-port', '0', ...args] });
  onTestFinished(async () => void (await daemon.stop()));
  return daemon;
}

/** Without what is another one every day: processes, times, ids that people type, and the width of columns. */
const everyDay = (text: string): string =>
  text
    .replaceAll(/\/\S*\/node\b/g, 'NODE')
    .replaceAll(/\bpid \d+/g, 'pid N')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'WHEN')
    .replaceAll(/\b(Request )[a-z0-9]{5}\b|^[a-z0-9]{5}(?= {2})/gm, '$1ID')
    .replaceAll(/ {2,}/g, '  ');

describe('the first session of the README', () => {
  const steps = stepsOf('README.md');
  it('is all here', () => {
    expect(steps.map(({ command }) => command.split(' ').slice(0, 2).join(' '))).toEqual([
      'npm start',
      'footbridge call',
      'footbridge call',
      'footbridge requests',
      'footbridge approve',
      'footbridge emulator',
    ]);
  });

  it('prints what it shows', async () => {
    const daemon = await bridge('--consent', 'ask', '--ws-port', 'off');
    const { run, start } = shellFor(daemon);
    const [, refused, authorize, requests, approve, fault] = steps as [Step, Step, Step, ...Step[]];
    expect(await run(refused.command)).toBe(refused.printed);

    const asking = start(authorize.command);
    onTestFinished(() => void asking.kill('SIGKILL'));
    const said = asking.stdout.toArray();
    const waiting = async () => (await daemon.json('requests')) as readonly { readonly id: string }[];
    await expect.poll(waiting, { timeout: 20_000 }).toHaveLength(1);
    const [request] = await waiting();
    expect(everyDay(await run(requests?.command ?? ''))).toBe(everyDay(requests?.printed ?? ''));
    const typed = approve?.command.replace(/\w{5}$/, request?.id ?? '') ?? '';
    expect(await run(typed)).toBe(approve?.printed);
    // The waiting call then prints its code.
    expect(JSON.parse(Buffer.concat((await said) as Buffer[]).toString())).toMatchObject({
      code: expect.any(String),
    });
    expect(await run(fault?.command ?? '')).toBe(fault?.printed);
  });

  it('shows a banner with the lines of a real one', async () => {
    const { start } = shellFor(place(), { npm_package_name: 'footbridge', npm_lifecycle_event: 'start' });
    const started = start('exec footbridge run --http-port 0');
    onTestFinished(() => void started.kill('SIGKILL'));
    let said = '';
    started.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await expect.poll(() => said, { timeout: 20_000 }).toContain('Ctrl-C');
    const plain = (text: string): string =>
      text
        .trimEnd()
        .replaceAll(/(?<= {2})\/\S+/g, 'PATH')
        .replaceAll(/(127\.0\.0\.1):\d+/g, '$1');
    expect(plain(said)).toBe(plain(steps[0]?.printed ?? ''));
  });
});

it('the configuration of the README is one', async () => {
  const [toml] = fences(readFileSync(join(root, 'README.md'), 'utf8')).filter(
    ({ language }) => language === 'toml',
  );
  const daemon = await bridge('--ws-port', 'off');
  const { run } = shellFor(daemon);
  const folder = join(daemon.env['XDG_CONFIG_HOME'] ?? '', 'footbridge');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'footbridge.toml'), toml?.text ?? '');
  await run(`footbridge emulator show --toml > '${join(folder, 'world.toml')}'`);
  const shown = await run('footbridge config show');
  const keys = [...(toml?.text ?? '').matchAll(/^(\w+) = /gm)].map(([, key]) => key);
  expect(keys).toHaveLength(6);
  for (const key of keys) expect(shown).toMatch(new RegExp(`^${key} .*footbridge\\.toml`, 'm'));
});

describe(`what curl is told${noCurl}`, () => {
  /** The same but for what is left out, and for values of the day: keys of objects, and every text. */
  const shape = (text: string): string[] =>
    [...text.matchAll(/"([a-zA-Z_.]+)":?/g)].map(([, word = '']) => word);

  it.skipIf(noCurl !== '')('of the control API', async () => {
    const daemon = await bridge();
    const { run } = shellFor(daemon, { S: daemon.ready.control });
    const steps = stepsOf('src/control/README.md');
    expect(steps).toHaveLength(8);
    for (const { command, printed } of steps) {
      const answer = await run(command);
      if (printed === '') {
        expect(answer, command).toBe('');
        continue;
      }
      expect(() => JSON.parse(answer) as unknown, command).not.toThrow();
      if (printed.includes('FOOTBRIDGE_')) expect(answer).toBe(printed);
      else expect(shape(answer), command).toEqual(expect.arrayContaining(shape(printed)));
    }
  });

  it.skipIf(noCurl !== '')('of a page over HTTP, and what one is sent over WebSocket', async () => {
    const daemon = await bridge();
    await daemon.cli(['origins', 'add', '300000000000000002', 'http://localhost:3000']);
    const { path = '' } = daemon.ready.endpoints.find(({ kind }) => kind === 'websocket') ?? {};
    const here = new URL(path).host;
    const [step, ...others] = stepsOf('src/transport/README.md');
    expect(others).toEqual([]);
    const { run } = shellFor(daemon);
    const answer = await run(
      (step?.command ?? '').replace('curl', 'curl -s').replace('127.0.0.1:6463', here),
    );
    expect(JSON.parse(answer)).toEqual(JSON.parse(step?.printed ?? ''));

    const [page] = fences(readFileSync(join(root, 'src/transport/README.md'), 'utf8')).filter(({ text }) =>
      text.includes('new WebSocket('),
    );
    const received: unknown[] = [];
    class PageSocket extends WebSocket {
      constructor(url: string) {
        super(url.replace('127.0.0.1:6463', here), { origin: 'http://localhost:3000' });
        onTestFinished(() => this.terminate());
      }
    }
    // As it stands, with a browser's socket and console.
    runInNewContext(page?.text ?? '', {
      WebSocket: PageSocket,
      console: { log: (value: unknown) => received.push(value) },
    });
    await expect.poll(() => received, { timeout: 20_000 }).toMatchObject([{ cmd: 'DISPATCH', evt: 'READY' }]);
  });
});
