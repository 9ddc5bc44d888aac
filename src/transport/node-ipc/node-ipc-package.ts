import { readFileSync } from 'node:fs';
import type { Server as NetServer, Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ownPackageEntry, ownPackageFolders } from '../../../platform/native/own-packages.ts';
import { LocalError } from '../../base/local-error.ts';

/**
 * The only accepted release of the package, whose code was read in full; other releases have contained hostile code.
 */
const NODE_IPC_VERSION = '14.0.0';

/** Members of the package's configuration that this module sets. */
interface NodeIpcConfig {
  silent: boolean;
  logPayloads: boolean;
  parser: string;
  rawBuffer: boolean;
  unlink: boolean;
  socketRoot: string;
  secureSocketRoot: boolean;
  readableAll: boolean;
  writableAll: boolean;
  allowReservedEvents: boolean;
  maxMessageSize: number;
  maxPendingBytes: number;
  messageTimeout: number;
  maxConnections: number;
}

/**
 * The package's server, which emits events by type; a listener of `*` receives every event, with the type as its first
 * argument.
 */
export interface NodeIpcServer {
  /** False until it has started. */
  readonly server: NetServer | false;
  on(type: string, listener: (...values: unknown[]) => void): unknown;
  emit(socket: Socket, type: string, data: unknown): unknown;
  start(): void;
  stop(): void;
}

/** One instance of the package. */
export interface NodeIpc {
  readonly config: NodeIpcConfig;
  readonly server: NodeIpcServer | false;
  serve(path: string): void;
}

/**
 * Loads the optional package from our own folders, as `ownPackageFolders` resolves them for `from`. The version is
 * checked before any of the package's code runs. Throws `LocalError` FOOTBRIDGE_NODE_IPC with the install command when
 * the package is missing, has another version, or is broken.
 */
export async function loadNodeIpc(from?: string): Promise<NodeIpc> {
  const entry = ownPackageEntry('node-ipc', ownPackageFolders(from));
  if (entry === undefined) throw unusable('it is not installed');
  const version = versionAt(dirname(entry));
  if (version !== NODE_IPC_VERSION) throw unusable(`release ${version} is installed, which nobody has read`);
  const loaded = (await import(pathToFileURL(entry).href)) as { IPCModule?: new () => NodeIpc };
  if (typeof loaded.IPCModule !== 'function') throw unusable('the installed package has no IPCModule');
  return new loaded.IPCModule();
}

function versionAt(folder: string): string {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      version?: unknown;
    };
    return typeof version === 'string' ? version : 'unknown';
  } catch (cause) {
    throw unusable('its package.json cannot be read', cause);
  }
}

function unusable(problem: string, cause?: unknown): LocalError {
  return new LocalError(
    'FOOTBRIDGE_NODE_IPC',
    `The node-ipc door needs the package node-ipc at exactly ${NODE_IPC_VERSION}, and ${problem}. ` +
      `Run: npm install --save-exact node-ipc@${NODE_IPC_VERSION}`,
    { cause },
  );
}
