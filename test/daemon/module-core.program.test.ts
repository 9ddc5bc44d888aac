import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { footbridge, startDaemonProcess, temporaryPlace } from '../cli/spawn.ts';

const CORE = `
export function createCore() {
  let host;
  return {
    name: 'mine',
    start(given) { host = given; },
    open(peer) {
      host.grant(peer.sessionId, ['rpc']);
      const ready = { v: 1, config: { cdn_host: 'x', api_endpoint: 'x', environment: 'x' } };
      const handlers = {
        GET_GUILDS: () => ({ guilds: [{ id: '7', name: 'Mine', icon_url: null }] }),
        GET_GUILD() { throw Object.assign(new Error('No such guild'), { name: 'RpcError', code: 4003 }); },
      };
      return { ready, handlers, close() {} };
    },
    stop() {},
  };
}`;

it('footbridge run serves a module whose path is relative to the configuration file', async () => {
  const place = temporaryPlace();
  const file = join(place.folder, 'footbridge.toml');
  writeFileSync(join(place.folder, 'my-core.mjs'), CORE);
  writeFileSync(file, 'core = "./my-core.mjs"\n');
  const daemon = await startDaemonProcess(place, '--config', file);
  const guilds = await footbridge(place, 'call', 'GET_GUILDS', '--json');
  expect(JSON.parse(guilds.stdout)).toEqual({ guilds: [{ id: '7', name: 'Mine', icon_url: null }] });
  const guild = await footbridge(place, 'call', 'GET_GUILD', '{"guild_id":"8"}');
  expect(guild.stderr).toContain('4003 No such guild');
  expect((await footbridge(place, 'status')).stdout).toMatch(/^core +mine$/m);
  daemon.child.kill('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
});

it.each([
  ['does not load', 'export const createCore = ;', /bad\.mjs: it cannot be loaded: SyntaxError: /],
  ['is none', 'export const x = 1;', /bad\.mjs: it exports no function createCore/],
  [
    'does not start',
    `export default () => ({ name: 'x', start() { throw new Error('no guilds today') }, open() {}, stop() {} });`,
    /bad\.mjs: start failed: Error: no guilds today/,
  ],
])('footbridge run describes a module that %s in one line, and exits 78', async (_name, text, expected) => {
  const place = temporaryPlace();
  const file = join(place.folder, 'bad.mjs');
  writeFileSync(file, text);
  const { code, stderr } = await footbridge(place, 'run', '--core', file);
  expect(code).toBe(78);
  expect(stderr).toMatch(expected);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
