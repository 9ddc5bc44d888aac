import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startDaemonProcess, startFootbridge, temporaryPlace } from '../cli/spawn.ts';
import { openConsole, playedBridge, SECRET } from '../console/door.ts';
import { chromium, chromiumMissing } from '../helpers/chromium.ts';
import { programs } from '../helpers/examples.ts';
import { closeAfterTest } from '../helpers/sockets.ts';

const missing = chromiumMissing();
if (missing !== undefined) process.stderr.write(`skipped: the console in Chromium: ${missing}\n`);

/** Another page, at a port of its own. */
async function stranger(): Promise<number> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>elsewhere</title>');
  });
  closeAfterTest(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Run in a page: what a fetch comes to, with all that it may learn. */
const FETCHED = `async ([address, options]) => {
  try {
    const answer = await fetch(address, { credentials: 'include', ...options });
    return answer.type + ' ' + answer.status + ' ' + (await answer.text());
  } catch {
    return 'failed';
  }
}`;

/** Run in a page: whether an element loads what it is to show. */
const LOADED = `([name, attribute, address]) => new Promise((resolve) => {
  const element = document.createElement(name);
  element.onload = () => resolve('loaded');
  element.onerror = () => resolve('failed');
  element[attribute] = address;
  document.body.append(element);
})`;

const inPage = (page: Page, script: string, given: readonly unknown[]): Promise<unknown> =>
  page.evaluate(`(${script})(${JSON.stringify(given)})`);

describe.skipIf(missing !== undefined)('in a browser that has opened the console', () => {
  it.each(['127.0.0.1', 'localhost'])('a page of %s reads nothing and changes nothing', async (host) => {
    const bridge = playedBridge();
    const served = await openConsole(bridge);
    const context = await chromium();
    const own = await context.newPage();
    await own.goto(served.address());
    const home = `http://127.0.0.1:${served.port}`;
    await own.waitForURL(`${home}/`);
    expect(await own.title()).toBe(SECRET);

    const page = await context.newPage();
    await page.goto(`http://${host}:${await stranger()}/`);
    const call = `${home}/call/emulator.reset`;
    const body = '{"word":1}';
    const own_header = { 'footbridge-console': '1', 'content-type': 'application/json' };
    for (const [address, options] of [
      [`${home}/`, {}],
      [`${home}/status`, {}],
      [call, { method: 'POST', body }],
      [call, { method: 'POST', body, headers: own_header }],
      [call, { method: 'PUT', body }],
    ] as const)
      expect(await inPage(page, FETCHED, [address, options])).toBe('failed');
    // What comes is for nobody to read.
    for (const [address, options] of [
      [`${home}/`, {}],
      [`${home}/events`, {}],
      [call, { method: 'POST', body }],
      [call, { method: 'POST', body, headers: { 'content-type': 'text/plain' } }],
    ] as const)
      expect(await inPage(page, FETCHED, [address, { ...options, mode: 'no-cors' }])).toMatch(
        /^(?:opaque 0 |failed)$/,
      );
    for (const [name, attribute, address] of [
      ['script', 'src', `${home}/app.js`],
      ['script', 'src', `${home}/status`],
      ['img', 'src', `${home}/app.css`],
    ])
      expect(await inPage(page, LOADED, [name, attribute, address])).toBe('failed');

    // A frame shows the browser's own word of why it shows nothing.
    await inPage(page, LOADED, ['iframe', 'src', `${home}/`]);
    await page.waitForTimeout(200);
    const framed = page.frames().filter((frame) => frame !== page.mainFrame());
    for (const frame of framed) expect(await frame.content().catch(() => '')).not.toContain(SECRET);

    const events = `(address) => new Promise((resolve) => {
      const source = new EventSource(address, { withCredentials: true });
      source.onopen = () => resolve('open');
      source.onerror = () => { source.close(); resolve('failed'); };
    })`;
    expect(await page.evaluate(`(${events})(${JSON.stringify(`${home}/events`)})`)).toBe('failed');
    const socket = `(address) => new Promise((resolve) => {
      const socket = new WebSocket(address);
      socket.onopen = () => resolve('open');
      socket.onerror = () => resolve('failed');
    })`;
    expect(await page.evaluate(`(${socket})('ws://127.0.0.1:${served.port}/events')`)).toBe('failed');

    // A form leads the whole page there, which is told nothing.
    await page.evaluate(`{
      const form = document.createElement('form');
      Object.assign(form, { method: 'POST', enctype: 'text/plain', action: ${JSON.stringify(call)} });
      form.innerHTML = '<input name=\\'{"word":1,"x":"\\' value=\\'"}\\'>';
      document.body.append(form);
      form.submit();
    }`);
    await expect.poll(() => page.url()).not.toContain('elsewhere');
    await page.waitForTimeout(200);
    expect(await page.content().catch(() => '')).not.toContain(SECRET);
    expect(bridge.called).toEqual([]);
    expect((await own.request.get(`${home}/status`)).status()).toBe(200);
  });

  it('neither a script in a text of the bridge nor an inline script of the page runs', async () => {
    const attack = '<img src=x onerror="window.ran=1"><script>window.ran=2</script>';
    const script = `
      const at = (work) => { try { work(); return 'done'; } catch (error) { return error.name; } };
      window.results = [
        at(() => { document.body.innerHTML = ${JSON.stringify(attack)}; }),
        at(() => { eval('window.ran = 3'); }),
        at(() => { const one = document.createElement('script'); one.textContent = 'window.ran = 4'; document.body.append(one); }),
      ];`.replaceAll('</script>', '<\\/script>');
    const files: Readonly<Record<string, string>> = {
      'index.html': `<!doctype html><title>own</title><script>window.ran=5</script><body onload="window.ran=6">${attack}<script type="module" src="/app.js"></script>`,
      'app.js': script,
      'app.css': '',
    };
    const served = await openConsole(playedBridge(), { readFile: (name) => Buffer.from(files[name] ?? '') });
    const context = await chromium();
    const page = await context.newPage();
    await page.goto(served.address());
    await page.waitForURL(`http://127.0.0.1:${served.port}/`);
    await page.waitForFunction('window.results !== undefined');
    expect(await page.evaluate('window.results')).toEqual(['TypeError', 'EvalError', 'TypeError']);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });
});

it.skipIf(missing !== undefined)('the file that the browser opens leads to the console', async () => {
  const place = temporaryPlace();
  const kept = join(place.folder, 'opened');
  const bin = programs(join(place.folder, 'bin'), {
    'xdg-open': `echo "$1" > '${kept}.new'; mv '${kept}.new' '${kept}'`,
  });
  const env = { ...place.env, PATH: `${bin}:${place.env['PATH']}` };
  await startDaemonProcess({ ...place, env });
  const running = startFootbridge({ ...place, env }, ['console']);
  await running.stdoutWith('Ctrl+C');
  await expect.poll(() => existsSync(kept)).toBe(true);
  const context = await chromium();
  const page = await context.newPage();
  await page.goto(`file://${readFileSync(kept, 'utf8').trim()}`);
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect(await page.title()).toContain('Footbridge');
  const { status } = (await page.evaluate(`fetch('/status').then(({ status }) => ({ status }))`)) as {
    status: number;
  };
  expect(status).toBe(200);
});
