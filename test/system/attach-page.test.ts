import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromium, chromiumMissing } from '../helpers/chromium.ts';
import { type Daemon, startDaemon } from '../helpers/daemon.ts';
import { startApp } from '../interop/start-app.ts';

const CLIENT_ID = '300000000000000001';
const missing = chromiumMissing();
if (missing !== undefined) process.stderr.write(`skipped: a page in Chromium: ${missing}\n`);

/** A chat client as its author would write it: the module of the package, and handlers. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>Chat</title>
<p id="state">starting</p><button id="allow" hidden>Allow</button><pre id="log"></pre>
<script type="module">
import { attach, AttachError } from '/attach.js';
const show = (id, text) => { document.getElementById(id).textContent = text; };
const note = (text) => { document.getElementById('log').textContent += text + '\\n'; };
const [url, code] = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const button = document.getElementById('allow');
window.client = attach({
  url, code, storage: localStorage,
  user: {
    id: '42', username: 'in the page', discriminator: '0', global_name: null, avatar: null,
    avatar_decoration_data: null, bot: false, flags: 0, premium_type: 0,
  },
  state: (state) => show('state', state),
  session: ({ clientId }, open) => note((open ? 'came ' : 'left ') + clientId),
  presence: ({ activity }) => note('presence ' + (activity ? activity.details : 'none')),
  handlers: {
    AUTHORIZE: ({ scopes }, { clientId, signal }) => new Promise((resolve, reject) => {
      button.textContent = 'Allow ' + clientId + ': ' + scopes.join(' ');
      button.hidden = false;
      button.onclick = () => { button.hidden = true; resolve({ code: 'from the page' }); };
      signal.onabort = () => { button.hidden = true; note('withdrawn'); };
    }),
    AUTHENTICATE({ access_token }) {
      if (access_token !== 'the-token') throw new AttachError(4009, 'Invalid token');
      return {
        application: { id: '${CLIENT_ID}', name: 'Harbour Example' }, user: { id: '42', username: 'in the page' },
        scopes: ['rpc', 'identify'], expires: '2099-01-01T00:00:00.000Z',
      };
    },
  },
});
</script>`;

/** Serves the page, the built module, and a token endpoint that takes any code. */
async function site() {
  const module = readFileSync(new URL('../../dist/attach.js', import.meta.url));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    if (pathname === '/attach.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(module);
    } else if (pathname === '/api/oauth2/token') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        '{"access_token":"the-token","token_type":"Bearer","expires_in":600,"refresh_token":"r","scope":"rpc identify"}',
      );
    } else {
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    }
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

async function start(args: readonly string[]): Promise<Daemon> {
  const daemon = await startDaemon({ args: ['--core', 'attach', '--attach-port', '0', ...args] });
  onTestFinished(async () => void (await daemon.stop()));
  return daemon;
}

describe.skipIf(missing !== undefined)('a page in Chromium', () => {
  it('attaches, and serves an app made with an unmodified discord-rpc', async () => {
    const origin = await site();
    const daemon = await start(['--attach-origins', origin]);
    const { url, code } = (await daemon.json('attach', 'page')) as { url: string; code: string };
    const browser = await chromium();
    const page = await browser.newPage();
    await page.goto(`${origin}/#${encodeURIComponent(JSON.stringify([url, code]))}`);
    await expect.poll(() => page.textContent('#state')).toBe('attached');

    const app = startApp('discord-rpc', daemon.env, { errorListener: false });
    onTestFinished(async () => void (await app.end()));
    expect(await app.connect(CLIENT_ID)).toBe('in the page');
    const login = app.login({ clientId: CLIENT_ID, scopes: ['rpc', 'identify'], api: `${origin}/api` });
    await page.waitForSelector('#allow:not([hidden])');
    expect(await page.textContent('#allow')).toBe(`Allow ${CLIENT_ID}: rpc identify`);
    await page.click('#allow');
    expect(await login).toMatchObject({ application: 'Harbour Example', user: 'in the page' });
    await app.setActivity('Seen in the page');
    await expect.poll(() => page.textContent('#log')).toContain('presence Seen in the page');

    // A reload comes back with the token that the page has kept, and hears what is the case.
    await page.goto(`${origin}/#${encodeURIComponent(JSON.stringify([url, 'used']))}`);
    await page.reload();
    await expect.poll(() => page.textContent('#state')).toBe('attached');
    await expect.poll(() => page.textContent('#log')).toContain('presence Seen in the page');
    expect(await page.textContent('#log')).toContain(`came ${CLIENT_ID}`);
    await app.destroy();
    await expect.poll(() => page.textContent('#log')).toContain(`left ${CLIENT_ID}`);

    expect((await daemon.cli(['detach', 'page'])).code).toBe(0);
    await expect.poll(() => page.textContent('#state')).toBe('refused');
  });

  it('from an origin that is not allowed cannot attach', async () => {
    const origin = await site();
    const daemon = await start([]);
    const { url, code } = (await daemon.json('attach', 'page')) as { url: string; code: string };
    const browser = await chromium();
    const page = await browser.newPage();
    await page.goto(`${origin}/#${encodeURIComponent(JSON.stringify([url, code]))}`);
    await expect.poll(() => page.textContent('#state')).toBe('away');
    expect(await daemon.json('attached')).toMatchObject({ clients: [], refused: expect.any(Number) });
    const { refused } = (await daemon.json('attached')) as { refused: number };
    expect(refused).toBeGreaterThan(0);
  });
});
