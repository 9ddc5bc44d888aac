import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type Environment, sessionEnvironment } from '../../platform/endpoint/endpoints.ts';

/** Addresses of a bridge; an empty or absent one is not offered. */
export interface BridgeAddresses {
  /** Folder of the endpoint; absent for a pipe of Windows. */
  readonly folder?: string | undefined;
  /** Path of the socket or pipe. */
  readonly endpoint: string;
  /** Base URL of the token endpoint and the HTTP API. */
  readonly api?: string | null | undefined;
  /** Address of the WebSocket. */
  readonly ws?: string | undefined;
  /** Path of the control socket. */
  readonly control: string;
  /** Name of the world whose addresses they are; absent for those of the bridge itself. */
  readonly world?: string | undefined;
}

/**
 * Sockets of the desktop session that programs find through XDG_RUNTIME_DIR, with the variable that names each socket
 * directly.
 */
const SESSION_SOCKETS = [
  { variable: 'DBUS_SESSION_BUS_ADDRESS', file: 'bus', value: (path: string) => `unix:path=${path}` },
  { variable: 'PULSE_SERVER', file: 'pulse/native', value: (path: string) => `unix:${path}` },
  { variable: 'PIPEWIRE_REMOTE', file: 'pipewire-0', value: (path: string) => path },
] as const;

/** Variables about a running bridge, which it gives to programs; the others that begin with FOOTBRIDGE_ are settings of the daemon. */
export const ADDRESS_VARIABLES: readonly string[] = [
  'FOOTBRIDGE_ENDPOINT',
  'FOOTBRIDGE_API',
  'FOOTBRIDGE_WS',
  'FOOTBRIDGE_CONTROL',
  'FOOTBRIDGE_WORLD',
  'FOOTBRIDGE_BOT_TOKEN',
];

/**
 * Returns exactly the variables with which a program finds the bridge. Every client library looks in XDG_RUNTIME_DIR
 * first, and ours connects to FOOTBRIDGE_ENDPOINT alone, so that a bridge around this one is not found. TMPDIR and
 * similar variables stay unchanged, because files that the program writes there must outlive a private bridge.
 * Variables for the desktop's own sockets are set where these remain in another XDG_RUNTIME_DIR.
 */
export function bridgeVariables(env: Environment, addresses: BridgeAddresses): Record<string, string> {
  const { folder, endpoint, api, ws, control, world } = addresses;
  const named = {
    XDG_RUNTIME_DIR: folder,
    FOOTBRIDGE_ENDPOINT: endpoint,
    FOOTBRIDGE_API: api,
    FOOTBRIDGE_WS: ws,
    FOOTBRIDGE_CONTROL: control,
    FOOTBRIDGE_WORLD: world,
  };
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(named)) if (value) variables[name] = value;
  // A world of the bridge around this one is none of this one; an empty name is the bridge itself.
  if (env['FOOTBRIDGE_WORLD'] && world === undefined) variables['FOOTBRIDGE_WORLD'] = '';
  const session = sessionEnvironment(env)['XDG_RUNTIME_DIR'];
  if (session === undefined || session === '' || session === folder) return variables;
  const wayland = env['WAYLAND_DISPLAY'];
  if (wayland !== undefined && wayland !== '' && !isAbsolute(wayland)) {
    variables['WAYLAND_DISPLAY'] = join(session, wayland);
  }
  for (const { variable, file, value } of SESSION_SOCKETS) {
    const path = join(session, file);
    if (env[variable] === undefined && existsSync(path)) variables[variable] = value(path);
  }
  return variables;
}
