// `npm run screenshots`: the pictures of the console, light and dark, and ten seconds of its use. They show a bridge with the
// emulator, a bot, and an app: this file with arguments, in a process of its own, because a bridge lets no process answer a request
// of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { connect } from '../src/client/index.ts';
import { authorize } from '../src/client/oauth2.ts';
import { type ControlClient, controlClient } from '../src/control/client.ts';
import { startDaemon } from '../test/helpers/daemon.ts';
import { botToken, gatewayBot } from '../test/helpers/gateway-bot.ts';
import { headless } from '../test/helpers/headless.ts';
import { animated, type Frame, withPalette } from './animation.ts';
import { root } from './bundle.ts';

const APP = '300000000000000001';
const GUILD = '400000000000000001';
/** Colours of a picture, and of each picture of the animation: the package has to stay small. */
const COLOURS = 24;

const [endpoint, api = ''] = process.argv.slice(2);
await (endpoint === undefined ? takePictures() : runApp(endpoint));

/** Signs in, watches the voice settings, is refused once, shows an activity, and asks again on a second connection. */
async function runApp(path: string): Promise<void> {
  const options = { clientId: APP, paths: [path], reconnect: false };
  const scopes = ['rpc', 'identify'];
  const app = await connect(options);
  await authorize(app, { api, clientId: APP, clientSecret: 'anything', scopes });
  await app.subscribe('VOICE_SETTINGS_UPDATE', {}, () => {});
  await app.request('SET_VOICE_SETTINGS', { mute: true });
  await app.request('GET_GUILD', { guild_id: '1' }).catch(() => {});
  await fetch(`${api}/v10/gateway`);
  const party = { id: 'quay', size: [2, 4] as [number, number] };
  await app.setActivity({ state: 'In the harbour', details: 'Waiting for the ferry', party });
  const other = await connect(options);
  // Nobody answers it.
  await other.request('AUTHORIZE', { client_id: APP, scopes }).catch(() => {});
}

/** A bot with one command, which answers with an embed and two buttons, and to a button with a sentence. */
async function startBot(control: ControlClient, base: string): Promise<void> {
  const patch = {
    applications: [{ id: APP, bot_user: APP }],
    users: [{ id: APP, username: 'harbour', bot: true }],
    guilds: [{ id: GUILD, members: [{ user: APP }] }],
  };
  await control.call('emulator.apply', { patch });
  const commands = [{ name: 'berth', description: 'Books a berth for a boat' }];
  await fetch(`${base}/v10/applications/${APP}/commands`, {
    method: 'PUT',
    headers: { authorization: `Bot ${botToken(APP)}`, 'content-type': 'application/json' },
    body: JSON.stringify(commands),
  });
  const button = (style: number, label: string): object => ({ type: 2, style, label, custom_id: label });
  const embeds = [
    {
      title: 'Berth 4, north quay',
      description: 'Free until **Friday**. High water at 12:40.',
      color: 0x1a56a8,
      fields: [
        { name: 'Depth', value: '3.2 m', inline: true },
        { name: 'Price', value: '12 a night', inline: true },
      ],
    },
  ];
  const components = [{ type: 1, components: [button(1, 'Book'), button(2, 'Another one')] }];
  await gatewayBot({ api: base }, APP, ({ type }) =>
    type === 2
      ? { type: 4, data: { embeds, components } }
      : { type: 4, data: { content: 'Booked: **berth 4**. See you at the north quay.' } },
  );
}

async function takePictures(): Promise<void> {
  const daemon = await startDaemon({
    args: ['--consent', 'ask', '--http-port', '0'],
    env: { FOOTBRIDGE_CONSOLE: 'true', FOOTBRIDGE_NOTIFICATIONS: 'false' },
  });
  const browser = await headless();
  let app: ChildProcess | undefined;
  try {
    const control = controlClient({ folder: { os: 'linux', uid: process.getuid?.() }, env: daemon.env });
    const { url } = (await control.call('console.address', {})) as { readonly url: string };
    const page = await browser.context.newPage();
    await page.setViewportSize({ width: 1000, height: 560 });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    const view = async (name: string): Promise<void> => {
      await page.goto(`${new URL(url).origin}/#/${name}`);
      await page.locator('main h1').waitFor();
    };
    const frames: Frame[] = [];
    const frame = async (ms: number): Promise<void> => void frames.push({ png: await shot(page), ms });

    await page.goto(url);
    await page
      .getByRole('heading', { name: /overview/i })
      .first()
      .waitFor();
    await frame(1000);
    const command = ['--import', 'tsx', '.ci/screenshots.ts', daemon.endpoint, daemon.ready.api];
    app = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
    await view('requests');
    await page.getByRole('button', { name: /allow once/i }).waitFor();
    await frame(1400);
    await page.getByRole('button', { name: /allow once/i }).click();
    await view('traffic');
    const row = page.getByRole('option').filter({ hasText: 'SET_ACTIVITY' }).first();
    await row.waitFor();
    await frame(1200);
    await row.click();
    await page.getByRole('heading', { name: 'SET_ACTIVITY' }).first().waitFor();
    await frame(1800);
    await inBoth(page, 'traffic');
    await startBot(control, daemon.ready.api);
    await view('channels');
    const composer = page.getByRole('textbox', { name: /^message as/i });
    await composer.fill('/berth');
    await page.getByRole('list', { name: 'Commands' }).getByRole('button').first().waitFor();
    await frame(1000);
    await composer.press('Enter');
    await page
      .getByRole('form', { name: /use/i })
      .getByRole('button', { name: /use|send/i })
      .first()
      .click();
    const book = page.getByRole('log').getByRole('button', { name: 'Book' });
    await book.waitFor();
    await frame(1800);
    await book.click();
    await page.getByText('See you at the north quay').waitFor();
    await frame(1800);
    await inBoth(page, 'channels');
    for (const name of ['requests', 'overview']) {
      await view(name);
      await page.getByText('Harbour Example').first().waitFor();
      await inBoth(page, name);
    }
    save('minute', animated(frames, COLOURS));
  } finally {
    app?.kill();
    await browser.close();
    await daemon.stop();
  }
}

/** Saves the page in both colour schemes, as `console-NAME.png` and `console-NAME-dark.png`. */
async function inBoth(page: Page, name: string): Promise<void> {
  for (const scheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    save(scheme === 'dark' ? `${name}-dark` : name, withPalette(await shot(page), COLOURS));
  }
}

async function shot(page: Page): Promise<Buffer> {
  await page.mouse.move(0, 0);
  // Colours change gradually, and lists are read again.
  await page.waitForTimeout(700);
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

function save(name: string, png: Buffer): void {
  writeFileSync(join(root, '.github', `console-${name}.png`), png);
  process.stdout.write(`.github/console-${name}.png: ${png.length} bytes\n`);
}
