import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../src/testing/testing.ts';
import { type AppAnswer, appServer, placeOf } from '../helpers/activity-frame.ts';
import { chromium, chromiumMissing } from '../helpers/chromium.ts';

const APP = '300000000000000001';
const missing = chromiumMissing();
if (missing !== undefined) process.stderr.write(`skipped: an activity in Chromium: ${missing}\n`);

/** The app with the SDK as it is published, as a bundler makes it. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('activity-app.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'chrome120',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

const html = (body: string) => ({ headers: { 'content-type': 'text/html' }, body });

/** A bridge, the app's page with its server, and what launches it. */
async function stage(script: string) {
  const bridge = await startEmulator();
  onTestFinished(() => bridge.close());
  const page = await appServer(({ url = '' }) => {
    if (url === '/app.js') return { headers: { 'content-type': 'text/javascript' }, body: script };
    return html('<!doctype html><meta charset="utf-8"><pre id="log"></pre><script src="/app.js"></script>');
  });
  /** As the samples have it: no redirect address. */
  const exchange = async (body: string): Promise<AppAnswer> => {
    const { code } = JSON.parse(body) as { code: string };
    const form = { client_id: APP, client_secret: 'x', grant_type: 'authorization_code', code };
    const answer = await fetch(`${bridge.api}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    return { body: await answer.text() };
  };
  const backend = await appServer(({ url = '' }, body) =>
    url === '/token' ? exchange(body) : { body: `backend ${url}` },
  );
  const mapping = (prefix: string, target: string) => ({ application: APP, prefix, target });
  await bridge.operations.call('emulator.apply', {
    patch: { url_mappings: [mapping('/', page), mapping('/api', backend)] },
  });
  const launch = async (user?: string) =>
    (await bridge.operations.call('activity.launch', {
      app: APP,
      channel: 'Lounge',
      ...(user === undefined ? {} : { user }),
    })) as { readonly address: string; readonly instance: string };
  return { bridge, launch };
}

describe.skipIf(missing !== undefined)('the embedded SDK, unmodified, in Chromium', () => {
  it('is ready, authorizes in its frame, and receives participant updates [W-4, N-6]', async () => {
    const { bridge, launch } = await stage(await bundle());
    const { address, instance } = await launch();
    const browser = await chromium();
    const page = await browser.newPage();
    await page.goto(address);
    // It is used up, and nobody reads it out of the history.
    await expect.poll(() => page.url()).toBe(address.replace(/#.*/, ''));
    const frame = page.frameLocator('iframe');
    const log = () => frame.locator('#log').textContent();
    // A person answers what waits for one.
    const answering = setInterval(() => {
      void bridge.operations.call('requests.list').then(async (waiting) => {
        for (const { id } of waiting as { id: string }[])
          await bridge.operations.call('requests.approve', { id });
      });
    }, 100);
    onTestFinished(() => clearInterval(answering));
    await expect.poll(log, { timeout: 20_000 }).toMatch(/done|failed/);
    expect((await log())?.trim().split('\n')).toEqual([
      `ready ${instance} 400000000000000001 500000000000000005 desktop`,
      'authenticated river Harbour Example identify guilds guilds.members.read rpc.activities.write relationships.read',
      'here river',
      'activity In the frame',
      'channel Lounge',
      'hardware true',
      'link true',
      'locale en-US',
      'behaviours {}',
      'config false',
      'permissions string',
      'skus 2',
      'entitlements 1',
      expect.stringMatching(/^relationships \d+$/),
      'orientation 1000',
      'elsewhere blocked',
      'patched backend /hello',
      'socket /ws hello',
      'done',
    ]);
    expect(await bridge.presence(APP)).toMatchObject({ details: 'In the frame' });
    await launch('otter');
    await expect.poll(log).toContain('participants river otter');

    // A reload comes back into the same instance.
    await page.reload();
    await expect.poll(log, { timeout: 20_000 }).toContain(`ready ${instance}`);
    await bridge.operations.call('activity.leave', { instance });
    await expect.poll(() => page.textContent('p')).toContain('You have left this activity.');
    await page.reload();
    await expect.poll(() => page.textContent('p')).toContain('There is no activity here');
  });

  it('is the only page that can message its host page, which no other page can frame [W-4]', async () => {
    const speaks = `
      const say = (text) => { document.getElementById('log').textContent += text + '\\n'; };
      addEventListener('message', ({ data }) => say(JSON.stringify(data)));
      const frame = new URLSearchParams(location.search).get('frame_id');
      parent.postMessage([0, { v: 1, client_id: location.hostname.split('.')[0], frame_id: frame }], '*');
    `;
    const { launch } = await stage(speaks);
    const { address } = await launch();
    const browser = await chromium();
    const page = await browser.newPage();
    const sent: string[] = [];
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => sent.push(String(payload)));
    });
    await page.goto(address);
    const log = () => page.frameLocator('iframe').locator('#log').textContent();
    await expect.poll(log).toContain('"evt":"READY"');
    expect(sent).toHaveLength(1);
    // Of the page itself, and of a frame within the app's: neither is the frame.
    await page.evaluate(`postMessage([1, { cmd: 'CAPTURE_LOG', nonce: 'a' }], '*')`);
    const [, inner] = page.frames();
    await inner?.evaluate(`{
      const frame = document.createElement('iframe');
      frame.srcdoc = '<script>top.postMessage([1, { cmd: "CAPTURE_LOG", nonce: "b" }], "*")</' + 'script>';
      document.body.append(frame);
    }`);
    await inner?.evaluate(`parent.postMessage([1, { cmd: 'GET_PLATFORM_BEHAVIORS', nonce: 'c' }], '*')`);
    await expect.poll(() => sent.length).toBe(2);
    expect(sent[1]).toContain('"nonce":"c"');

    // A page elsewhere has no window of it, and shows nothing in a frame.
    const { host, port } = placeOf(address);
    const elsewhere = await appServer(() =>
      html(`<iframe id="page" src="http://${host}/.footbridge/activity"></iframe>
        <iframe id="app" src="http://${host}/"></iframe><button>open</button>
        <script>
          document.querySelector('button').onclick = () => {
            const opened = open('http://${host}/.footbridge/activity');
            setTimeout(() => { document.title = 'closed ' + opened.closed; }, 1500);
          };
        </script>`),
    );
    const other = await browser.newPage();
    await other.goto(`http://${elsewhere}/`);
    expect(port).toBeGreaterThan(0);
    for (const id of ['page', 'app']) {
      const shown = await (await other.locator(`#${id}`).elementHandle())?.contentFrame();
      expect(await shown?.content()).not.toMatch(/<iframe|id="log"/);
    }
    await other.click('button');
    await expect.poll(() => other.title(), { timeout: 10_000 }).toBe('closed true');
  });
});
