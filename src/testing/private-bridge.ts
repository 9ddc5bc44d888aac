import { chmodSync, existsSync, mkdtempSync, realpathSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { checkPathLength, type Environment } from '../../platform/endpoints.ts';
import { currentOs, type OperatingSystem } from '../../platform/operating-system.ts';
import type { CoreOptions, FixtureSource } from '../daemon/core-options.ts';
import { type Daemon, startDaemon } from '../daemon/start.ts';
import type { Logger } from '../server/options.ts';
import { defaultLimits } from '../session/limits.ts';
import type { Transport } from '../transport/transport.ts';
import { removeAtExit } from './remove-at-exit.ts';

/** A bridge of its own in a temporary folder, in this process. */
export interface PrivateBridge {
  readonly folder: string;
  /** Path of the socket or pipe. */
  readonly endpoint: string;
  /** Base URL of the token endpoint. */
  readonly api: string;
  /** Address of the WebSocket. */
  readonly ws: string;
  /** Path of the control socket. */
  readonly control: string;
  readonly daemon: Daemon;
  /** Ends the bridge and removes its folder with all that is in it. */
  close(): Promise<void>;
}

/** How to start one. */
export interface PrivateBridgeOptions {
  readonly fixture: FixtureSource;
  readonly consent: 'ask' | 'allow' | 'deny';
  readonly logger: Logger;
  readonly observe?: (transport: Transport) => Transport;
  readonly observeHttp?: (server: Server) => void;
  readonly onDoubt?: CoreOptions['onDoubt'];
  /** Aborts when the process is about to end whatever still hangs: the folder goes at once. */
  readonly signal?: AbortSignal;
}

/** Starts a bridge that only those find who are given its environment. Nothing of it outlives `close`. */
export async function startPrivateBridge(options: PrivateBridgeOptions): Promise<PrivateBridge> {
  const os = await currentOs();
  const folder = temporaryFolder(os);
  // Also when the process ends without having closed it.
  const remove = removeAtExit(folder);
  options.signal?.addEventListener('abort', remove);
  try {
    const daemon = await startDaemon({
      os,
      env: { XDG_RUNTIME_DIR: folder },
      settings: {
        core: 'emulator',
        upstream: 'auto',
        fallback: null,
        attachPort: 0,
        attachOrigins: [],
        bridgePort: null,
        bridgeSecrets: false,
        fixture: options.fixture,
        consent: options.consent,
        index: 'auto',
        httpPort: 0,
        // Any free one: the well-known ports belong to the bridge of the person.
        wsPort: 0,
        wsReadyUser: false,
        nodeIpc: false,
        pacing: true,
        // Who works alone with it, or a test, is not to be slowed down.
        limits: { ...defaultLimits, shareOfCore: 1 },
      },
      data: { kind: 'memory' },
      ownApproval: true,
      promptLimits: false,
      logger: options.logger,
      observeHttp: options.observeHttp,
      onDoubt: options.onDoubt,
      ...(options.observe === undefined ? {} : { observe: options.observe }),
    });
    return {
      folder,
      endpoint: daemon.server.endpoints.find(({ kind }) => kind === 'ipc')?.path ?? '',
      api: daemon.server.core.api ?? '',
      ws: daemon.server.endpoints.find(({ kind }) => kind === 'websocket')?.path ?? '',
      control: daemon.control.path,
      daemon,
      close: async () => {
        await daemon.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Mode 0700. Where the usual place has too long a name for a socket in it, `/tmp` is used. */
function temporaryFolder(os: OperatingSystem): string {
  const usual = realpathSync(tmpdir());
  const folder = mkdtempSync(join(fits(os, usual) ? usual : realpathSync('/tmp'), 'footbridge-'));
  chmodSync(folder, 0o700);
  return folder;
}

function fits(os: OperatingSystem, folder: string): boolean {
  if (os.name === 'win32') return true;
  try {
    // The longest path in it: our own folder for the largest uid there is.
    checkPathLength(os.name, join(folder, 'footbridge-XXXXXX', 'footbridge-4294967295', 'control.sock'));
    return true;
  } catch {
    return false;
  }
}

/** Sockets of the session that programs find through XDG_RUNTIME_DIR, and the variable that names each directly. */
const SESSION_SOCKETS = [
  { variable: 'DBUS_SESSION_BUS_ADDRESS', file: 'bus', value: (path: string) => `unix:path=${path}` },
  { variable: 'PULSE_SERVER', file: 'pulse/native', value: (path: string) => `unix:${path}` },
  { variable: 'PIPEWIRE_REMOTE', file: 'pipewire-0', value: (path: string) => path },
] as const;

/**
 * The variables with which a program finds the bridge, and nothing else. Every client looks in XDG_RUNTIME_DIR
 * first. TMPDIR and its like stay as they are: what the program writes there must outlive our folder. The desktop's
 * own sockets are named directly, because they stay where they were.
 */
export function bridgeVariables(
  env: Environment,
  { folder, api, ws, control }: Pick<PrivateBridge, 'folder' | 'api' | 'ws' | 'control'>,
): Record<string, string> {
  const variables: Record<string, string> = {
    XDG_RUNTIME_DIR: folder,
    FOOTBRIDGE_API: api,
    FOOTBRIDGE_WS: ws,
    FOOTBRIDGE_CONTROL: control,
  };
  const session = env['XDG_RUNTIME_DIR'];
  if (session === undefined || session === '') return variables;
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
