import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { compile } from './generator/generator.ts';

/** The names of what is measured, in the order they are shown. */
export const peerNames = ['C epoll echo', 'bare Node', 'arRPC 3.5.0', 'Footbridge'] as const;
export type PeerName = (typeof peerNames)[number];

/** What the ratios are of. */
export const BARE = 'bare Node' satisfies PeerName;
export const ARRPC = 'arRPC 3.5.0' satisfies PeerName;
export const FOOTBRIDGE = 'Footbridge' satisfies PeerName;
export const ECHO = 'C epoll echo' satisfies PeerName;

/** A server to measure. */
export interface Peer {
  readonly name: PeerName;
  /** Starts it with an endpoint `discord-ipc-0` in `folder`. */
  command(folder: string): readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The environment for rows with more connections than the default settings allow. */
  readonly raised: Readonly<Record<string, string>>;
  /** What `command` prints first says where tokens come from. */
  readonly hasTokens: boolean;
}

/** A server that is not here, and why. */
export interface AbsentPeer {
  readonly name: PeerName;
  readonly reason: string;
}

/** How Footbridge is started, and what its settings are called. */
export interface Program {
  /** `footbridge`, or node with a file. */
  readonly command: readonly string[];
}

const BARE_SERVER = fileURLToPath(new URL('./servers/bare.ts', import.meta.url));
const ECHO_SERVER = fileURLToPath(new URL('./servers/echo.c', import.meta.url));

/** Prepares all of them in a work folder: the bare server is bundled as Footbridge is. */
export async function preparePeers(
  workFolder: string,
  program: Program,
): Promise<{ readonly peers: readonly Peer[]; readonly absent: readonly AbsentPeer[] }> {
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
  const node = process.execPath;
  const plain = { env: {}, raised: {}, hasTokens: false };
  const echo = compile(join(workFolder, 'echo'), [ECHO_SERVER]);
  const peers: Peer[] = [
    {
      ...plain,
      name: BARE,
      command: (folder) => [node, join(workFolder, 'bare-server.mjs'), join(folder, 'discord-ipc-0')],
    },
    {
      ...plain,
      name: ARRPC,
      command: () => [node, '--require', onLoopback, arrpc, '--no-process-scanning'],
      env: { ARRPC_BRIDGE_PORT: '0' },
    },
    {
      name: FOOTBRIDGE,
      command: () => [...program.command, 'run', '--json', '--consent', 'allow'],
      env: {},
      raised: raisedLimits(program),
      hasTokens: true,
    },
  ];
  if (!echo.ok) return { peers, absent: [{ name: ECHO, reason: echo.reason }] };
  const echoPeer: Peer = {
    ...plain,
    name: ECHO,
    command: (folder) => [echo.program, join(folder, 'discord-ipc-0')],
  };
  return { peers: [echoPeer, ...peers], absent: [] };
}

/** What is raised for rows with more than 512 connections, where this version has the setting. */
const RAISED: Readonly<Record<string, number>> = {
  // One process may have half of them.
  'limits.connections': 24_000,
  'limits.silent_connections': 2000,
};

/** The settings of this version, by `config show`: one that it does not have would keep it from starting. */
function raisedLimits(program: Program): Readonly<Record<string, string>> {
  const known = settingsOf(program);
  return Object.fromEntries(
    Object.entries(RAISED)
      .filter(([key]) => known.has(key))
      .map(([key, value]) => [variableOf(key), String(value)]),
  );
}

/** Every key that `config show` knows. */
function settingsOf({ command: [file = '', ...args] }: Program): ReadonlySet<string> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' };
  const text = execFileSync(file, [...args, 'config', 'show', '--json'], { env, encoding: 'utf8' });
  const { keys } = JSON.parse(text) as { readonly keys: readonly { readonly key: string }[] };
  return new Set(keys.map(({ key }) => key));
}

/** The environment variable of a setting. */
function variableOf(key: string): string {
  return `FOOTBRIDGE_${key.replace('.', '_').toUpperCase()}`;
}

/** arRPC's bridge listens on every interface; nothing here may. */
export const LISTEN_ON_LOOPBACK = `
const { Server } = require('node:net');
const { listen } = Server.prototype;
Server.prototype.listen = function (port, host, ...rest) {
  return listen.call(this, port, typeof port === 'number' && typeof host !== 'string' ? '127.0.0.1' : host, ...rest);
};
`;
