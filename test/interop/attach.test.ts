import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { testClient } from '../helpers/attach-bridge.ts';
import { createRuntime, type Daemon, startDaemon } from '../helpers/daemon.ts';
import { PlainWebSocket } from '../helpers/plain-web-socket.ts';
import { type Library, libraries, type RunningApp, startApp } from './start-app.ts';

const CLIENT_ID = '300000000000000001';
const ARGS = ['--core', 'attach', '--attach-port', '0', '--bridge-port', '0'];

async function start(options: Parameters<typeof startDaemon>[0] = {}): Promise<Daemon> {
  const daemon = await startDaemon({ args: ARGS, ...options });
  onTestFinished(async () => void (await daemon.stop()));
  return daemon;
}

function newApp(library: Library, { env }: Daemon): RunningApp {
  const app = startApp(library, env, { errorListener: false });
  onTestFinished(async () => void (await app.end()));
  return app;
}

interface Pair {
  readonly code: string;
  readonly url: string;
}

const pair = async (daemon: Daemon, name: string) => (await daemon.json('attach', name)) as Pair;

/** The token endpoint of whoever stands behind the client: any code is worth a token. */
async function tokenEndpoint(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      '{"access_token":"the-token","token_type":"Bearer","expires_in":600,"refresh_token":"r","scope":"rpc identify"}',
    );
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/api`;
}

const handlers = {
  AUTHORIZE: () => ({ code: 'approved' }),
  AUTHENTICATE: () => ({
    application: { id: CLIENT_ID, name: 'Harbour Example' },
    user: { id: '42', username: 'attached' },
    scopes: ['rpc', 'identify'],
    expires: '2030-01-01T00:00:00.000Z',
  }),
};

describe.each(Object.keys(libraries) as Library[])('an app made with %s', (library) => {
  it('logs in through an attached client, and an arRPC consumer receives its presence', async () => {
    const daemon = await start();
    await testClient({ ...(await pair(daemon, 'web')), handlers });
    const app = newApp(library, daemon);
    expect(await app.connect(CLIENT_ID)).toBe('attached');
    const api = await tokenEndpoint();
    expect(await app.login({ clientId: CLIENT_ID, scopes: ['rpc', 'identify'], api })).toMatchObject({
      application: 'Harbour Example',
      user: 'attached',
    });
    const { core } = (await daemon.json('status')) as { core: { details: [string, string][] } };
    const consumer = new PlainWebSocket(core.details.find(([label]) => label === 'bridge')?.[1] ?? '');
    await consumer.opened();
    await app.setActivity('On the bridge');
    expect(await consumer.next()).toMatchObject({
      socketId: '0',
      pid: expect.any(Number),
      activity: { application_id: CLIENT_ID, details: 'On the bridge', buttons: ['Look'], flags: 1 },
    });
    await app.destroy();
    expect(await consumer.next()).toMatchObject({ socketId: '0', activity: null });
  });
});

it('a paired client is stored over a restart, listed, and removed by detach', async () => {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  const before = await start({ runtime });
  const { code, url } = await pair(before, 'my client');
  const client = await testClient({ url, code });
  expect((await before.cli(['attached'])).stdout).toMatch(
    /^my client +attached as attached \(42\) +answers$/m,
  );
  await before.stop();
  client.close();

  const after = await start({ runtime });
  const list = (await after.json('attached')) as { url: string };
  expect(list).toMatchObject({ clients: [{ name: 'my client', attached: [] }] });
  const reasons: (string | undefined)[] = [];
  const again = await testClient({
    url: list.url,
    storage: client.storage,
    state: (_state, reason) => reasons.push(reason),
  });
  expect(again.states).toEqual(['attached']);
  expect((await after.cli(['detach', 'my client'])).code).toBe(0);
  await vi.waitUntil(() => again.states.includes('refused'));
  expect(reasons.at(-1)).toBe('removed');
  expect((await after.cli(['attached'])).stdout).toBe('No client is paired: footbridge attach NAME\n');
  expect((await after.cli(['detach', 'my client'])).stderr).toContain('no paired client');
  const secrets = [code, client.storage.getItem('footbridge-token') ?? 'none'];
  for (const secret of secrets) expect(after.output().stderr + before.output().stderr).not.toContain(secret);
});
