// The sessions of the guides, typed into a shell next to a bridge.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { connect } from '../../src/client/index.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { APP, place } from '../helpers/fault-bridge.ts';
import {
  blockOf,
  bridgeWith,
  type Step,
  shellFor,
  stepsOf,
  timeless,
  unhurried,
} from '../helpers/page-sessions.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = (topic: string): string => `.github/guide/${topic}.md`;
/** The steps of a page from the one whose command begins so, as many as are wanted. */
function stepsFrom(page: string, begin: string, count = 1): Step[] {
  const all = stepsOf(page);
  const at = all.findIndex(({ command }) => command.startsWith(begin));
  expect(at, `${page}: ${begin}`).toBeGreaterThanOrEqual(0);
  return all.slice(at, at + count);
}

/** Runs steps one after the other, and compares what each prints with the page. */
async function expectPrinted(
  run: (command: string) => Promise<string>,
  steps: readonly Step[],
): Promise<void> {
  for (const { command, printed } of steps) {
    let said = await run(command);
    // On a busy machine a bridge may take longer than a command waits for it.
    for (let again = 0; again < 5 && said.includes('does not answer yet'); again += 1)
      said = await run(command);
    expect(timeless(unhurried(said)), command).toBe(timeless(printed));
  }
}

/** What a program that does not end by itself has printed, once these words are in it; it ends with the test. */
async function printedBy(
  { start }: ReturnType<typeof shellFor>,
  command: string,
  words: string,
): Promise<string> {
  const started = start(`exec ${command}`);
  onTestFinished(() => void started.kill('SIGKILL'));
  let said = '';
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await expect.poll(() => said, { timeout: 60_000 }).toContain(words);
  return said;
}

it('the commands of AGENTS, of configuration and of the suite print the output in the pages', {
  timeout: 180_000,
}, async () => {
  const { run } = shellFor(place());
  await expectPrinted(run, stepsOf('.github/AGENTS.md'));
  await expectPrinted(run, stepsFrom(guide('configuration'), 'FOOTBRIDGE_CONSENT'));
  await expectPrinted(run, stepsFrom(guide('judge-a-server-or-client'), 'footbridge conformance'));
});

it('the commands that change the emulator print the output in the pages', { timeout: 180_000 }, async () => {
  const { run } = shellFor(await bridgeWith('--consent', 'allow'));
  await expectPrinted(run, stepsFrom(guide('fixture'), 'echo', 3));
  await expectPrinted(run, stepsFrom(guide('test-a-game'), 'echo', 2));
  await expectPrinted(run, stepsFrom(guide('worlds'), 'footbridge emulator world add', 6));
  await expectPrinted(run, stepsFrom(guide('web-pages-and-overlays'), 'footbridge origins add'));
  // As it was recorded in the page: with the words of the page, and in its order.
  await expectPrinted(run, stepsFrom(guide('inspect-record-faults'), 'footbridge record', 3));
});

it('the console prints the addresses in the page', { timeout: 150_000 }, async () => {
  const shell = shellFor(await bridgeWith());
  const [step, json] = stepsFrom(guide('inspect-record-faults'), 'footbridge console', 2);
  const plain = (text: string): string => text.replaceAll(/:\d+\/enter\?key=[\w-]{22}/g, ':PORT');
  // No browser is opened, and without a terminal nobody can press Enter.
  const said = await printedBy(shell, `${step?.command} --no-open`, 'within ten minutes');
  expect(plain(said).split('\n')[0]).toBe(plain(step?.printed ?? '').split('\n')[0]);
  expect(plain(await printedBy(shell, json?.command ?? '', '}'))).toBe(`${plain(json?.printed ?? '')}\n`);
});

it('the sed command of the page writes the address of the bridge into the overlay', async () => {
  const { folder, env } = place();
  const { run } = shellFor({ folder, env });
  const line = blockOf(guide('web-pages-and-overlays'), 'sh', 'sed -i').replace(
    / \S*discord_connector\.py/,
    ' a.py',
  );
  writeFileSync(join(folder, 'a.py'), 'url = "https://streamkit.discord.com/overlay/token"\n');
  expect(await run(line)).toBe('');
  expect(readFileSync(join(folder, 'a.py'), 'utf8')).toBe('url = "http://127.0.0.1:6481/overlay/token"\n');
});

describe('the emulator answers as the page states', () => {
  const token = `${Buffer.from(APP).toString('base64url')}.emulator.bot`;
  it('to a field that is not supported', async () => {
    const { ready } = await bridgeWith('--ws-port', 'off');
    const answer = await fetch(`${ready.api}/v10/applications/@me`, {
      method: 'PATCH',
      headers: { Authorization: `Bot ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ tags: ['harbour'] }),
    });
    expect(answer.status).toBe(501);
    expect(await answer.json()).toEqual(JSON.parse(blockOf(guide('emulator-behaviour'), 'json', '501')));
  });
  it('to an intent that the application lacks', async () => {
    const { ready } = await bridgeWith('--ws-port', 'off');
    const { url } = (await (await fetch(`${ready.api}/v10/gateway`)).json()) as { readonly url: string };
    const socket = new WebSocket(`${url}/?v=10&encoding=json`);
    onTestFinished(() => socket.terminate());
    const closed = new Promise<string>((resolve) => {
      socket.on('close', (code, reason) => resolve(`${code} ${reason.toString()}\n`));
    });
    const properties = { os: '', browser: '', device: '' };
    socket.once('message', () =>
      socket.send(JSON.stringify({ op: 2, d: { token, intents: 1 << 1, properties } })),
    );
    expect(await closed).toBe(blockOf(guide('emulator-behaviour'), '', '4014'));
  });
});

describe('the bot of the guide', () => {
  it('starts, and answers a user who uses its command', { timeout: 240_000 }, async () => {
    const page = guide('test-a-bot');
    const folder = place();
    symlinkSync(join(root, 'node_modules'), join(folder.folder, 'node_modules'));
    const fixture = join(folder.folder, 'world.toml');
    for (const [name, language, words] of [
      ['world.toml', 'toml', 'bot_user'],
      ['listens.mjs', 'js', 'Routes.applicationCommands'],
    ] as const)
      writeFileSync(join(folder.folder, name), blockOf(page, language, words));
    const own = shellFor(folder);
    const daemon = await bridgeWith('--fixture', fixture, '--ws-port', 'off');
    const { run } = shellFor(daemon);
    const bot = own.start(`FOOTBRIDGE_API=${daemon.ready.api} exec node listens.mjs`);
    onTestFinished(() => void bot.kill('SIGKILL'));
    const [step] = stepsFrom(page, 'footbridge emulator use');
    const plain = (text: string): string => text.replaceAll(/\d{18,}/g, 'ID');
    await expect
      .poll(async () => plain(await run(step?.command ?? '')), { timeout: 180_000 })
      .toBe(plain(step?.printed ?? ''));
  });
});

describe('a bridge with a chat client', () => {
  /** Starts the command of a page at free ports, and compares its first lines with the page. */
  async function banner(
    { command, printed }: Step,
    where: ReturnType<typeof place>,
    ports: string,
  ): Promise<void> {
    const said = await printedBy(shellFor(where), `${command} ${ports}`, 'Ctrl-C');
    const plain = (text: string): string =>
      text
        .trimEnd()
        .replaceAll(/(?<= {2})\/\S+/g, 'PATH')
        .replaceAll(/(127\.0\.0\.1):\d+/g, '$1');
    expect(plain(said)).toBe(plain(printed));
  }

  it('in front of a client prints the banner in the page', { timeout: 180_000 }, async () => {
    const [step] = stepsFrom(guide('use-with-my-chat-client'), 'footbridge run --core upstream');
    await banner(step as Step, place(), '');
  });
  it('of two kinds prints the list of clients in the page, and the answers to each choice', async () => {
    const where = place();
    for (const id of ['com.discordapp.Discord', 'dev.vencord.Vesktop']) {
      const folder = join(where.folder, 'app', id);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const client = await startDaemon({
        args: ['--http-port', '0', '--ws-port', 'off'],
        env: { XDG_RUNTIME_DIR: folder },
      });
      onTestFinished(async () => void (await client.stop()));
    }
    const bridge = await startDaemon({ runtime: where, args: ['--core', 'upstream', '--ws-port', 'off'] });
    onTestFinished(async () => void (await bridge.stop()));
    const app = await connect({ clientId: APP, paths: [bridge.endpoint], reconnect: false });
    onTestFinished(() => app.close());
    await app.request('SET_ACTIVITY', { pid: process.pid, activity: { state: 'Out' } });
    const { run } = shellFor(where);
    const steps = stepsFrom(guide('use-with-my-chat-client'), 'footbridge upstream', 5);
    await expect.poll(() => run('footbridge upstream'), { timeout: 60_000 }).toMatch(/^vesktop .* 1 app/m);
    const said = (command: string) =>
      run(command).then((text) => text.replaceAll(where.folder, '/run/user/1000'));
    await expectPrinted(said, steps);
  });
  it('for a client that attaches prints the banner in the page, and pairs the client', {
    timeout: 180_000,
  }, async () => {
    const [step, pair] = stepsFrom(guide('use-with-my-chat-client'), 'footbridge run --core attach', 2);
    const where = place();
    await banner(step as Step, where, '--attach-port 0');
    const plain = (text: string): string =>
      text.replace(/:\d+\/attach/, ':PORT').replace(/(code +)\S{43}$/m, '$1CODE');
    expect(plain(await shellFor(where).run(pair?.command ?? ''))).toBe(
      plain(pair?.printed ?? '').replace(/(code +)\S+$/m, '$1CODE'),
    );
  });
});
