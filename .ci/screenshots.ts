// `npm run screenshots`: the pictures of the console, light and dark. They show a bridge with the emulator, and an app: this
// file with arguments, in a process of its own, because a bridge lets nobody answer a request of their own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { connect } from '../src/client/index.ts';
import { authorize } from '../src/client/oauth2.ts';
import { controlClient } from '../src/control/client.ts';
import { startDaemon } from '../test/helpers/daemon.ts';
import { headless } from '../test/helpers/headless.ts';
import { root } from './bundle.ts';

const [endpoint, api = ''] = process.argv.slice(2);
await (endpoint === undefined ? takePictures() : runApp(endpoint));

/** Signs in, watches the voice settings, is refused once, shows an activity, and asks again on a second connection. */
async function runApp(path: string): Promise<void> {
  const clientId = '300000000000000001';
  const scopes = ['rpc', 'identify'];
  const options = { clientId, paths: [path], reconnect: false };
  const app = await connect(options);
  await authorize(app, { api, clientId, clientSecret: 'anything', scopes });
  await app.subscribe('VOICE_SETTINGS_UPDATE', {}, () => {});
  await app.request('SET_VOICE_SETTINGS', { mute: true });
  await app.request('GET_GUILD', { guild_id: '1' }).catch(() => {});
  await fetch(`${api}/v10/gateway`);
  const party = { id: 'quay', size: [2, 4] as [number, number] };
  await app.setActivity({ state: 'In the harbour', details: 'Waiting for the ferry', party });
  const other = await connect(options);
  // Nobody answers it.
  await other.request('AUTHORIZE', { client_id: clientId, scopes }).catch(() => {});
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
    await page.setViewportSize({ width: 1000, height: 500 });
    await page.goto(url);
    await heading(page, /overview/i);
    const command = ['--import', 'tsx', '.ci/screenshots.ts', daemon.endpoint, daemon.ready.api];
    app = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
    await page.goto(`${new URL(url).origin}/#/requests`);
    await page.getByRole('button', { name: /allow once/i }).click();
    await page.goto(`${new URL(url).origin}/#/frames`);
    await page
      .getByRole('option')
      .filter({ hasText: /←\s*SET_ACTIVITY/ })
      .click();
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await heading(page, 'SET_ACTIVITY');
      await take(page, scheme === 'dark' ? 'frames-dark' : 'frames');
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${new URL(url).origin}/#/requests`);
    await page.getByRole('button', { name: /allow once/i }).waitFor();
    await take(page, 'requests');
  } finally {
    app?.kill();
    await browser.close();
    await daemon.stop();
  }
}

function heading(page: Page, name: string | RegExp): Promise<void> {
  return page.getByRole('heading', { name }).first().waitFor();
}

/** Saves the page as `console-NAME.png`. */
async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  // Colours change gradually.
  await page.waitForTimeout(700);
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  // So many colours are enough for a page of text, and the package has to stay small.
  const program = spawnSync('pngquant', ['--strip', '--nofs', '16', '-'], { input: picture });
  if (program.status !== 0) throw new Error(`pngquant failed: ${String(program.error ?? program.stderr)}`);
  writeFileSync(join(root, '.github', `console-${name}.png`), program.stdout);
  process.stdout.write(`.github/console-${name}.png: ${program.stdout.length} bytes\n`);
}
