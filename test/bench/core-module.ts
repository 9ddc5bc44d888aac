import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Daemon, startDaemon } from '../helpers/daemon.ts';

/** A core that is as fast as one can be, and does what a figure asks for by GET_GUILD. */
const MODULE = `
let host;
let left = 0;
const now = () => performance.timeOrigin + performance.now();
const emit = () => {
  host.emit('GUILD_CREATE', { id: '1', name: String(now()) });
  if (--left > 0) setTimeout(emit, 100);
};
export const createCore = () => ({
  name: 'bench',
  start(given) { host = given; },
  open(peer) {
    host.grant(peer.sessionId, ['rpc']);
    const config = { cdn_host: 'cdn.example', api_endpoint: '//localhost/api', environment: 'production' };
    return {
      ready: { v: 1, config },
      handlers: {
        GET_GUILDS: () => ({ guilds: [] }),
        GET_CHANNELS: () => new Promise(() => {}),
        GET_GUILD({ guild_id }) {
          left = Number(guild_id);
          setTimeout(emit, 100);
          return { id: guild_id, name: 'x', icon_url: null, members: [], vanity_url_code: null };
        },
      },
      close() {},
    };
  },
  stop() {},
});
`;

/** Starts the built daemon on that core. */
export async function startBenchCore(env: Readonly<Record<string, string>>): Promise<Daemon> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'core.mjs');
  writeFileSync(file, MODULE);
  return startDaemon({ args: ['--core', file, '--ws-port', 'off'], env });
}
