// What a user types in the sessions that the pages show, and what the pages say is printed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { place } from './helpers/fault-bridge.ts';
import { fences } from './helpers/markdown.ts';
import {
  blockOf,
  bridgeWith,
  pageText,
  type Step,
  shellFor,
  stepsOf,
  timeless,
} from './helpers/page-sessions.ts';

const noCurl = spawnSync('curl', ['--version']).status === 0 ? '' : ' (skipped: there is no curl here)';

describe('the first session of the guide on consent', () => {
  const steps = stepsOf('.github/guide/consent.md');
  it('has exactly the expected commands', () => {
    expect(steps.map(({ command }) => command.split(' ').slice(0, 2).join(' '))).toEqual([
      'npm start',
      'footbridge call',
      'footbridge call',
      'footbridge requests',
      'footbridge approve',
    ]);
  });

  it('prints the output in the guide', async () => {
    const daemon = await bridgeWith('--consent', 'ask', '--ws-port', 'off');
    const { run, start } = shellFor(daemon);
    const [, refused, authorize, requests, approve] = steps as [Step, Step, Step, ...Step[]];
    expect(await run(refused.command)).toBe(refused.printed);

    const asking = start(authorize.command);
    onTestFinished(() => void asking.kill('SIGKILL'));
    const said = asking.stdout.toArray();
    const waiting = async () => (await daemon.json('requests')) as readonly { readonly id: string }[];
    await expect.poll(waiting, { timeout: 20_000 }).toHaveLength(1);
    const [request] = await waiting();
    expect(timeless(await run(requests?.command ?? ''))).toBe(timeless(requests?.printed ?? ''));
    const typed = approve?.command.replace(/\w{5}$/, request?.id ?? '') ?? '';
    expect(await run(typed)).toBe(approve?.printed);
    // The waiting call then prints its code.
    expect(JSON.parse(Buffer.concat((await said) as Buffer[]).toString())).toMatchObject({
      code: expect.any(String),
    });
  });

  it('begins with the banner that the program prints', async () => {
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

it('the configuration in the guide is valid', async () => {
  const [toml] = fences(pageText('.github/guide/configuration.md')).filter(
    ({ language }) => language === 'toml',
  );
  const daemon = await bridgeWith('--ws-port', 'off');
  const { run } = shellFor(daemon);
  const folder = join(daemon.env['XDG_CONFIG_HOME'] ?? '', 'footbridge');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'footbridge.toml'), toml?.text ?? '');
  await run(`footbridge emulator show --toml > '${join(folder, 'world.toml')}'`);
  const shown = await run('footbridge config show');
  const keys = [...(toml?.text ?? '').matchAll(/^(\w+) = /gm)].map(([, key]) => key);
  expect(keys).toHaveLength(7);
  expect(keys).toContain('connections');
  for (const key of keys) expect(shown).toMatch(new RegExp(`^(?:limits\\.)?${key} .*footbridge\\.toml`, 'm'));
});

describe(`the curl commands of the pages${noCurl}`, () => {
  /** The same but for what is left out, and for values of the day: keys of objects, and every text. */
  const shape = (text: string): string[] =>
    [...text.matchAll(/"([a-zA-Z_.]+)":?/g)].map(([, word = '']) => word);

  it.skipIf(noCurl !== '')('for the control API print the documented answers', async () => {
    const daemon = await bridgeWith('--consent', 'allow');
    const { run } = shellFor(daemon, { S: daemon.ready.control });
    const steps = stepsOf('src/control/README.md');
    expect(steps).toHaveLength(9);
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

  it.skipIf(noCurl !== '')(
    'for a page over HTTP print the documented answer, and its WebSocket receives READY',
    async () => {
      const daemon = await bridgeWith();
      await daemon.cli(['origins', 'add', '300000000000000002', 'http://localhost:3000']);
      const { path = '' } = daemon.ready.endpoints.find(({ kind }) => kind === 'websocket') ?? {};
      const here = new URL(path).host;
      const [step] = stepsOf('.github/guide/web-pages-and-overlays.md').filter(({ command }) =>
        command.startsWith('curl'),
      );
      const { run } = shellFor(daemon);
      const answer = await run(
        (step?.command ?? '').replace('curl', 'curl -s').replace('127.0.0.1:6463', here),
      );
      expect(JSON.parse(answer)).toEqual(JSON.parse(step?.printed ?? ''));

      const page = blockOf('.github/guide/web-pages-and-overlays.md', 'js', 'new WebSocket(');
      const received: unknown[] = [];
      class PageSocket extends WebSocket {
        constructor(url: string) {
          super(url.replace('127.0.0.1:6463', here), { origin: 'http://localhost:3000' });
          onTestFinished(() => this.terminate());
        }
      }
      // As it stands, with a browser's socket and console.
      runInNewContext(page, {
        WebSocket: PageSocket,
        console: { log: (value: unknown) => received.push(value) },
      });
      await expect
        .poll(() => received, { timeout: 20_000 })
        .toMatchObject([{ cmd: 'DISPATCH', evt: 'READY' }]);
    },
  );
});
