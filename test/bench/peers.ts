import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A server to measure. */
export interface Peer {
  readonly name: string;
  /** Arguments of `node`, for an endpoint in `folder`. */
  args(folder: string): readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What the others are compared with. */
export const BARE = 'bare node:net';
/** What the goals are about. */
export const FOOTBRIDGE = 'Footbridge';

/** Flags of `npm start`; the bare server runs with the same. */
const NODE_FLAGS = ['--max-semi-space-size=1'];
const BARE_SERVER = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
const DAEMON = fileURLToPath(new URL('../../dist/footbridge.js', import.meta.url));

/** Prepares the three in a work folder: the bare server is bundled as Footbridge is. */
export async function preparePeers(workFolder: string): Promise<readonly Peer[]> {
  await build({
    entryPoints: { 'bare-server': BARE_SERVER },
    outdir: workFolder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'warning',
  });
  const onLoopback = join(workFolder, 'on-loopback.cjs');
  writeFileSync(onLoopback, LISTEN_ON_LOOPBACK);
  const arrpc = fileURLToPath(new URL('./index.js', import.meta.resolve('arrpc')));
  return [
    {
      name: BARE,
      args: (folder) => [...NODE_FLAGS, join(workFolder, 'bare-server.mjs'), join(folder, 'discord-ipc-0')],
      env: {},
    },
    {
      name: FOOTBRIDGE,
      args: () => [...NODE_FLAGS, DAEMON, ...['run', '--json', '--consent', 'allow', '--http-port', '0']],
      env: {},
    },
    {
      name: 'arRPC 3.5.0',
      args: () => ['--require', onLoopback, arrpc, '--no-process-scanning'],
      env: { ARRPC_BRIDGE_PORT: '0' },
    },
  ];
}

/** arRPC's bridge listens on every interface; nothing here may. */
export const LISTEN_ON_LOOPBACK = `
const { Server } = require('node:net');
const { listen } = Server.prototype;
Server.prototype.listen = function (port, host, ...rest) {
  return listen.call(this, port, typeof port === 'number' && typeof host !== 'string' ? '127.0.0.1' : host, ...rest);
};
`;
