import { once } from 'node:events';
import { expect, it } from 'vitest';
import {
  ask,
  connected,
  entered,
  openConsole,
  ownLines,
  PAGE,
  playedBridge,
  REFUSAL,
  SECRET,
  said,
  targetOf,
} from './door.ts';

const MINUTE = 60_000;

it('the console opens once for an address', async () => {
  const served = await openConsole();
  const target = targetOf(served.address());
  expect(target).toMatch(/^\/enter\?key=[\w-]{22}$/);
  const first = await ask(served.port, `GET ${target}`, [
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Mode: navigate',
  ]);
  expect(first.status).toBe(200);
  expect(first.body).toContain('url=/');
  const cookie = `footbridge-console-${served.port}=[\\w-]{22}`;
  expect(first.head).toMatch(
    new RegExp(`^set-cookie: ${cookie}; HttpOnly; SameSite=Strict; Path=/\\r$`, 'm'),
  );
  const again = await ask(served.port, `GET ${target}`);
  expect(again.status).toBe(403);
  expect(again.head).not.toMatch(/set-cookie/i);
  expect(again.body).toContain('footbridge console');
});

it.each(['', '?key=', '?key=AAAAAAAAAAAAAAAAAAAAAA', '?key=a&key=b', `?key=${'x'.repeat(5000)}`, '?other=1'])(
  'the console does not open for the address /enter%s',
  async (query) => {
    const served = await openConsole();
    served.address();
    const { status, head } = await ask(served.port, `GET /enter${query}`);
    expect(status).toBe(403);
    expect(head).not.toMatch(/set-cookie/i);
  },
);

it('the console opens for an address within ten minutes', async () => {
  let now = 0;
  const served = await openConsole(playedBridge(), { now: () => now });
  const [early, late] = [targetOf(served.address()), targetOf(served.address())];
  now = 10 * MINUTE;
  expect((await ask(served.port, `GET ${early}`)).status).toBe(200);
  now = 10 * MINUTE + 1;
  expect((await ask(served.port, `GET ${late}`)).status).toBe(403);
});

it('the console accepts the sixteen latest addresses', async () => {
  const served = await openConsole();
  const targets = Array.from({ length: 17 }, () => targetOf(served.address()));
  expect((await ask(served.port, `GET ${targets[0]}`)).status).toBe(403);
  expect((await ask(served.port, `GET ${targets[1]}`)).status).toBe(200);
});

it('the console does not open for a prefetch', async () => {
  const served = await openConsole();
  const target = targetOf(served.address());
  expect((await ask(served.port, `GET ${target}`, ['Sec-Purpose: prefetch'])).whole).toBe(REFUSAL);
  expect((await ask(served.port, `HEAD ${target}`)).whole).toBe(REFUSAL);
  expect((await ask(served.port, `POST ${target}`, ownLines(served.port))).whole).toBe(REFUSAL);
  expect((await ask(served.port, `GET ${target}`)).status).toBe(200);
});

it('the console forgets a browser after twelve silent hours, and the oldest of more than thirty-two browsers', async () => {
  let now = 0;
  const served = await openConsole(playedBridge(), { now: () => now });
  const first = await entered(served);
  now += 12 * 60 * MINUTE;
  expect((await ask(served.port, 'GET /', [first])).status).toBe(200);
  now += 12 * 60 * MINUTE + 1;
  expect((await ask(served.port, 'GET /', [first])).status).toBe(403);
  const oldest = await entered(served);
  for (let one = 0; one < 32; one++) await entered(served);
  expect((await ask(served.port, 'GET /', [oldest])).status).toBe(403);
});

it('the console sends a browser without a session the command to run, and nothing of the bridge', async () => {
  const served = await openConsole();
  for (const lines of [
    ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Site: cross-site'],
    ['Accept: text/html,*/*;q=0.8'],
  ]) {
    const { status, body } = await ask(served.port, 'GET /', lines);
    expect({ status, body }).toEqual({
      status: 403,
      body: expect.stringContaining('Run <code>footbridge console'),
    });
    expect(body).not.toContain(SECRET);
  }
});

it.each(['/', '/app.js', '/app.css', '/status', '/none', '/enter'])(
  'the console restricts the response for %s with security headers',
  async (path) => {
    const served = await openConsole();
    const { head } = await ask(served.port, `GET ${path}`, [await entered(served)]);
    const policy = /^content-security-policy: (.*)\r$/m.exec(`${head}\r\n`)?.[1] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    for (const line of [
      'x-frame-options: DENY',
      'x-content-type-options: nosniff',
      'referrer-policy: no-referrer',
      'cache-control: no-store',
      'cross-origin-opener-policy: same-origin',
      'cross-origin-resource-policy: same-origin',
    ])
      expect(head).toContain(line);
    expect(head).not.toMatch(/access-control|server:|x-powered/i);
  },
);

it('the console serves the page with the content types that a browser needs', async () => {
  const served = await openConsole();
  const cookie = await entered(served);
  for (const [path, name, type] of [
    ['/', 'index.html', 'text/html'],
    ['/app.js', 'app.js', 'text/javascript'],
    ['/app.css', 'app.css', 'text/css'],
    ['/favicon.ico', 'icon.svg', 'image/svg+xml'],
  ] as const) {
    const { status, head, body } = await ask(served.port, `GET ${path}`, [cookie]);
    expect({ status, body }).toEqual({ status: 200, body: PAGE[name] });
    expect(head).toContain(`content-type: ${type}`);
  }
});

it('the console forwards calls with the processes that hold the other end', async () => {
  const bridge = playedBridge();
  for (const [found, forProcesses] of [
    [{ kind: 'known', pids: [7, 8] }, [7, 8]],
    [{ kind: 'unknown' }, 'unknown'],
    [{ kind: 'unknowable' }, undefined],
  ] as const) {
    const served = await openConsole(bridge, { processesOf: async () => found });
    const lines = [await entered(served), ...ownLines(served.port)];
    const { status, body } = await ask(served.port, 'POST /call/requests.approve', lines, '{"id":"6vvp5"}');
    expect({ status, body: JSON.parse(body) as unknown }).toEqual({ status: 200, body: { said: SECRET } });
    const args = { id: '6vvp5' };
    expect(bridge.called.splice(0)).toEqual([{ name: 'requests.approve', args, forProcesses }]);
  }
});

it.skipIf(process.platform !== 'linux')(
  'the console names the process at the other end (Linux only: reads /proc)',
  async () => {
    const bridge = playedBridge();
    const served = await openConsole(bridge);
    const lines = [await entered(served), ...ownLines(served.port)];
    await ask(served.port, 'POST /call/state.show', lines);
    await ask(served.port, 'POST /call/state.show', lines);
    expect(bridge.called).toEqual([
      { name: 'state.show', args: {}, forProcesses: [process.pid] },
      { name: 'state.show', args: {}, forProcesses: [process.pid] },
    ]);
  },
);

it('the console forwards the message of a refusal, and no detail of a defect', async () => {
  const bridge = playedBridge();
  const served = await openConsole(bridge);
  const lines = [await entered(served), ...ownLines(served.port)];
  const call = async (name: string) => {
    const { status, body, head } = await ask(served.port, `POST /call/${name}`, lines);
    const [, refused] = /^footbridge-refused: (\d+)\r$/im.exec(head) ?? [];
    return { status, ...(refused === undefined ? {} : { refused }), ...(JSON.parse(body) as object) };
  };
  // The status of a refusal is no error of the browser.
  expect(await call('refused')).toEqual({
    status: 200,
    refused: '409',
    code: 'FOOTBRIDGE_REFUSED',
    message: 'It was refused',
  });
  expect(await call('broken')).toEqual({
    status: 500,
    code: 'FOOTBRIDGE_INTERNAL',
    message: 'The request failed',
  });
  bridge.pid = undefined;
  expect(await call('state.show')).toEqual({
    status: 503,
    code: 'FOOTBRIDGE_NO_DAEMON',
    message: 'No bridge runs here',
  });
});

it('the console runs doctor', async () => {
  const served = await openConsole();
  const { body } = await ask(served.port, 'POST /doctor', [await entered(served), ...ownLines(served.port)]);
  expect(JSON.parse(body)).toEqual({ checks: [SECRET] });
});

it('the console closes every connection when it is closed', async () => {
  const served = await openConsole();
  const page = await connected(served.port);
  const following = said(page);
  const told = once(page, 'data');
  page.write(`GET /events HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n${await entered(served)}\r\n\r\n`);
  await told;
  served.close();
  expect((await following).body).toContain('event: status');
  await expect(fetch(`http://127.0.0.1:${served.port}/`)).rejects.toThrow();
});
