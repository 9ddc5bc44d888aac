import { mkdirSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../src/client/index.ts';
import { createRuntime, startDaemon } from '../../helpers/daemon.ts';
import { eventually } from '../../helpers/eventually.ts';
import { listenOn } from '../../helpers/sockets.ts';
import { footbridge, footbridgeCommand, type Place, startFootbridge, temporaryPlace } from '../spawn.ts';

const OPTIONS = { args: ['--consent', 'allow', '--http-port', '0', '--ws-port', 'off'] };
const APP = '300000000000000001';

/** Starts a forward and waits until apps can connect. */
async function start(place: Place, ...args: readonly string[]) {
  const running = startFootbridge(place, ['forward', ...args]);
  await running.stderrWith('Forwarding');
  return running;
}

/** A bridge with the place of its commands, and a path for apps. */
async function bridge() {
  const daemon = await startDaemon(OPTIONS);
  onTestFinished(async () => void (await daemon.stop()));
  const place: Place = { folder: daemon.folder, env: daemon.env };
  return { daemon, place, apps: join(daemon.folder, 'apps') };
}

async function client(path: string) {
  const one = await connect({ clientId: APP, paths: [path], reconnect: false });
  onTestFinished(() => one.close());
  return one;
}

/** A second forward, started by the first, that leads to this end. */
function command(to: string): string {
  const words = footbridgeCommand('forward', '--from', 'stdio:', '--to', to);
  return `exec:${words.map((word) => `'${word}'`).join(' ')}`;
}

it.each([
  ['auto', (_endpoint: string) => 'auto'],
  ['its path', (endpoint: string) => endpoint],
  ['a command and auto', (_endpoint: string) => command('auto')],
  ['a command and its path', (endpoint: string) => command(endpoint)],
])('apps of a forward to %s have presence rights by default', async (_what, to) => {
  const { daemon, place, apps } = await bridge();
  await start(place, '--from', apps, '--to', to(daemon.endpoint), '--name', 'garage-box');
  const one = await client(apps);
  await one.setActivity({ details: 'through a forward' });
  await expect(one.request('AUTHORIZE', { client_id: APP, scopes: ['rpc'] })).rejects.toThrow(/garage-box/);
  const { stderr } = await footbridge(place, 'call', 'GET_GUILDS', '--scopes', 'rpc', '--endpoint', apps);
  expect(stderr).toMatch(/^footbridge: AUTHORIZE failed: 4006 [^\n]+--rights full[^\n]+$/m);
  expect(stderr).not.toContain('--api');
  const direct = await client(daemon.endpoint);
  await direct.request('AUTHORIZE', { client_id: APP, scopes: ['rpc'] });
});

it('the end with stdio: grants presence unless it says full itself, and says so', async () => {
  const { daemon, place, apps } = await bridge();
  const to = command('auto');
  const folder = join(place.env['XDG_DATA_HOME'] as string, 'footbridge');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'forwards.json'), JSON.stringify({ forwards: [{ from: apps, to }] }), {
    mode: 0o600,
  });
  const running = await start(place, '--from', apps, '--to', to, '--rights', 'full');
  await running.stderrWith('this end allows presence');
  const one = await client(apps);
  await expect(one.request('AUTHORIZE', { client_id: APP, scopes: ['rpc'] })).rejects.toThrow(
    /--rights full/,
  );
  const endpoints = await daemon.cli(['endpoints']);
  expect(endpoints.stdout).toMatch(/^\S+ +serving +presence +\S+ +private, as long as its forward runs$/m);
  for (const command of ['status', 'doctor'])
    expect((await daemon.cli([command])).stdout).toMatch(
      /presence(?:\),|:) private, as long as its forward runs$/m,
    );
});

it('200 apps share a forward with default limits, and apps beyond half of the connections are told so', async () => {
  const { daemon, place, apps } = await bridge();
  await start(place, '--from', apps, '--to', 'auto');
  const all = await Promise.all(Array.from({ length: 200 }, () => client(apps)));
  await Promise.all(all.map((one, at) => one.setActivity({ details: `app ${at}` })));
  const more = await Promise.allSettled(Array.from({ length: 80 }, () => client(apps)));
  const refused = more.filter((one) => one.status === 'rejected');
  // 512 connections, of which one process may have half.
  expect(refused).toHaveLength(200 + 80 - 256);
  for (const { reason } of refused) expect(String(reason)).toContain('half of its connections');
  await client(daemon.endpoint);
});

it('a forward enters again after the bridge was restarted', async () => {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  const apps = join(runtime.folder, 'apps');
  const first = await startDaemon({ ...OPTIONS, runtime });
  await start(runtime, '--from', apps, '--to', 'auto');
  await client(apps);
  await first.kill();
  const again = await startDaemon({ ...OPTIONS, runtime });
  onTestFinished(async () => void (await again.stop()));
  const one = await eventually(() => client(apps));
  await one.setActivity({ details: 'again' });
  await expect(one.request('AUTHORIZE', { client_id: APP, scopes: ['rpc'] })).rejects.toThrow(/apps/);
});

it('a chat client cannot limit rights, so --rights full has to be given', async () => {
  const place = temporaryPlace();
  const [apps, other] = [join(place.folder, 'apps'), join(place.folder, 'discord-ipc-0')];
  await listenOn({ path: other }, (socket) => void socket.pipe(socket));
  for (const to of [other, 'auto']) {
    const { code, stderr } = await footbridge(place, 'forward', '--from', apps, '--to', to);
    expect({ code, stderr }).toEqual({ code: 69, stderr: expect.stringContaining('--rights full') });
    expect(stderr.trimEnd()).not.toContain('\n');
  }
  await start(place, '--from', apps, '--to', 'auto', '--rights', 'full');
  const one = connectSocket(apps);
  onTestFinished(() => void one.destroy());
  const back = new Promise((resolve) => one.once('data', (bytes) => resolve(bytes.toString())));
  one.write('x');
  expect(await back).toBe('x');
});
