import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { AppPeer } from '../helpers/app-peer.ts';
import { createRuntime } from '../helpers/daemon.ts';
import { rawPeer } from '../helpers/raw-peer.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = readFileSync(join(root, 'src/server/README.md'), 'utf8');

/** As much of Electron as the example uses; the window is logged in and says yes to everything. */
const ELECTRON = `
import { EventEmitter } from 'node:events';
export const ipcMain = new EventEmitter();
class App extends EventEmitter {
  whenReady = async () => {};
  quit() {
    let stopped = false;
    this.emit('before-quit', { preventDefault: () => { stopped = true; } });
    if (!stopped) process.exit(0);
  }
}
export const app = new App();
const answers = {
  AUTHORIZE: (args) => ({ code: 'code for ' + args.scopes.join(' ') }),
  AUTHENTICATE: ({ access_token }, id) => {
    if (access_token !== 'good') throw { code: 4009, message: 'Invalid token' };
    return { application: { id, name: 'App' }, scopes: ['rpc'], expires: '2030-01-01T00:00:00.000Z', access_token };
  },
  GET_GUILDS: () => ({ guilds: [{ id: '1', name: 'Harbour', icon_url: null }] }),
  SET_VOICE_SETTINGS: () => undefined, // never answered
};
export class BrowserWindow {
  webContents = {
    send(channel, ...args) {
      console.log(JSON.stringify([channel, ...args]));
      if (channel !== 'rpc:ask') return;
      const [id, cmd, value, clientId] = args;
      setTimeout(() => {
        try {
          const data = answers[cmd](value, clientId);
          if (data) ipcMain.emit('rpc:answer', {}, id, null, data);
        } catch (error) {
          ipcMain.emit('rpc:answer', {}, id, error);
        }
      }, 5);
    },
  };
}
process.on('SIGUSR2', () => app.quit());
`;

async function electronMain() {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  const { folder } = runtime;
  const electron = join(folder, 'node_modules/electron');
  mkdirSync(electron, { recursive: true });
  writeFileSync(join(electron, 'package.json'), '{"name":"electron","type":"module","exports":"./index.js"}');
  writeFileSync(join(electron, 'index.js'), ELECTRON);
  symlinkSync(root, join(folder, 'node_modules/footbridge'));
  const [, code = ''] = /```js\n(import \{ app[\s\S]*?)```/.exec(guide) ?? [];
  expect(code).toContain('createServer');
  writeFileSync(join(folder, 'main.mjs'), code);
  const child = spawn(process.execPath, [join(folder, 'main.mjs')], {
    env: { ...runtime.env, PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await expect.poll(() => output, { timeout: 20_000 }).toContain('apps connect to');
  const path = /apps connect to (\S+)/.exec(output)?.[1] ?? '';
  return { child, path, output: () => output };
}

it('the example in the guide serves apps from a window, and exits with 0', { timeout: 60_000 }, async () => {
  const { child, path, output } = await electronMain();
  expect(path).toMatch(/discord-ipc-0$/);
  const app = new AppPeer(await rawPeer(path));
  expect(await app.handshake()).toMatchObject({ data: { user: { username: 'me' } } });
  expect(await app.call('GET_GUILDS')).toMatchObject({ data: { code: 4006 } });
  expect(await app.call('AUTHENTICATE', { access_token: 'bad' })).toMatchObject({ data: { code: 4009 } });
  expect(
    await app.call('AUTHORIZE', { client_id: '207646673902501888', scopes: ['rpc', 'identify'] }),
  ).toMatchObject({ data: { code: 'code for rpc identify' } });
  await app.call('AUTHENTICATE', { access_token: 'good' });
  expect(await app.call('GET_GUILDS')).toMatchObject({ data: { guilds: [{ name: 'Harbour' }] } });
  expect(await app.call('SET_ACTIVITY', { pid: 1, activity: { state: 'shown' } })).toMatchObject({
    data: { state: 'shown' },
  });
  app.request('SET_VOICE_SETTINGS', { mute: true });
  await expect.poll(() => output()).toContain('SET_VOICE_SETTINGS');
  const ended = once(child, 'exit');
  child.kill('SIGUSR2');
  expect(await app.closed()).toMatchObject({ code: 1000 });
  expect(await ended).toEqual([0, null]);
  expect(existsSync(path)).toBe(false);
  expect(output()).toContain('["rpc:presence","207646673902501888",null]');
});

it('two hosts do not take the socket from each other', { timeout: 60_000 }, async () => {
  const { localSocket, createServer, silentLogger } = await import('../../src/server/entry.ts');
  const { fakeCore } = await import('../helpers/fake-core.ts');
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  const start = async (index: 'auto' | 0) => {
    const socket = await localSocket({ env: runtime.env, index });
    const server = await createServer({ transports: [socket], core: fakeCore(), logger: silentLogger });
    onTestFinished(() => server.close());
    return { socket, path: server.endpoints[0]?.path ?? '' };
  };
  expect((await start('auto')).path).toMatch(/discord-ipc-0$/);
  await expect(start(0)).rejects.toMatchObject({ code: expect.stringMatching(/^FOOTBRIDGE_/) });
  const second = await start('auto');
  expect(second.path).toMatch(/discord-ipc-1$/);
  expect(second.socket.skipped()).toHaveLength(1);
});

it('a page connects over the loopback port that a host opens', async () => {
  const { loopbackPort, createServer } = await import('../../src/server/entry.ts');
  const { fakeCore } = await import('../helpers/fake-core.ts');
  const { PlainWebSocket } = await import('../helpers/plain-web-socket.ts');
  const origin = 'https://overlay.example';
  const port = await loopbackPort({
    ports: { first: 0, last: 0 },
    originAllowed: (clientId, from) => clientId !== '2' && from === origin,
  });
  const server = await createServer({ transports: [port], core: fakeCore() });
  onTestFinished(() => server.close());
  const url = `${server.endpoints[0]?.path}/?v=1&encoding=json&client_id=`;
  expect(await new PlainWebSocket(`${url}207646673902501888`, origin).next()).toMatchObject({ evt: 'READY' });
  expect((await new PlainWebSocket(`${url}2`, origin).closed()).code).toBe(4001);
});
