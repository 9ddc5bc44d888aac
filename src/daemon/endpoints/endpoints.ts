import { randomBytes } from 'node:crypto';
import { readdirSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { PathClaimOptions } from '../../../platform/endpoint/claim-path.ts';
import { lockedPath } from '../../../platform/endpoint/path-lock.ts';
import { lstatOf } from '../../../platform/files/inode.ts';
import { MadeFolders } from '../../../platform/files/made-folders.ts';
import type { EndpointFolders, OperatingSystem } from '../../../platform/operating-system.ts';
import { describeSandbox, type Sandbox } from '../../../platform/process/sandbox.ts';
import type { SandboxLookup } from '../../../platform/process/sandbox-lookup.ts';
import { LocalError } from '../../base/local-error.ts';
import { uniqueName } from '../../forward/name.ts';
import type { Rights } from '../../protocol/rights.ts';
import type { Entrance, PeerSandbox } from '../../server/entrance.ts';
import type { Logger } from '../../server/options.ts';
import type { Server } from '../../server/server.ts';
import type { IpcTransport } from '../../transport/ipc/ipc.ts';
import type { EndpointSetting } from '../config/endpoints.ts';
import { type EndpointState, ServedEndpoint } from './endpoint.ts';

/** Services of {@link Endpoints}. */
export interface EndpointsOptions {
  readonly os: OperatingSystem;
  readonly folders: EndpointFolders;
  readonly sandboxes: SandboxLookup;
  readonly server: Pick<Server, 'open'>;
  /** Makes the transport of a path. */
  readonly transport: (at: Pick<PathClaimOptions, 'path' | 'madeFolders'>) => IpcTransport;
  readonly logger: Logger;
  /** Reads the endpoints of the configuration again; absent for a bridge without a configuration file. */
  readonly load?: (() => Promise<readonly EndpointSetting[]>) | undefined;
}

/** One endpoint for status displays; `why` is null while it is served. */
export interface EndpointFacts {
  readonly name: string;
  readonly preset: EndpointSetting['preset'] | 'private';
  readonly path: string;
  readonly rights: Rights;
  readonly state: EndpointState['kind'];
  readonly why: string | null;
}

interface Configured {
  readonly setting: EndpointSetting;
  readonly sockets: readonly ServedEndpoint[];
}

/** An endpoint that one caller has opened for itself. */
export interface PrivateEndpoint {
  readonly path: string;
  readonly close: () => Promise<void>;
}

/** Maximum number of endpoints that callers have opened for themselves. */
const MAX_PRIVATE = 64;

/** How the operator extends the rights of an endpoint of the configuration, and of one that a forward has opened. */
const SETTING_REMEDY: Entrance['remedy'] = (missing) =>
  `list ${missing} in rights of its [[endpoints]] in footbridge.toml`;
const FORWARD_REMEDY = () => 'start the forward with --rights full, at both of its ends where it has two';
const PRIVATE_NAME = /^endpoint-[0-9a-f]{12}\.sock$/;

/** All endpoints besides the bridge's own: those of the configuration, and those that callers opened. */
export class Endpoints {
  readonly #options: EndpointsOptions;
  #configured: readonly Configured[] = [];
  /** Resolves when the last change has ended; the next one begins then. */
  #changed: Promise<void> = Promise.resolve();
  /** Folders made for endpoints of the preset `path`. A container may mount one, so it stays after the end of the bridge. */
  readonly #madeFolders = new MadeFolders();
  readonly #private = new Map<ServedEndpoint, Rights>();

  constructor(options: EndpointsOptions) {
    this.#options = options;
  }

  /**
   * Serves these endpoints: closes those that are not configured any longer or have changed, and opens new ones. An
   * endpoint that cannot be served now is opened later; nothing here rejects.
   */
  apply(settings: readonly EndpointSetting[]): Promise<void> {
    return this.#inTurn(() => this.#serve(settings));
  }

  async #serve(settings: readonly EndpointSetting[]): Promise<void> {
    const unchanged = (one: Configured): boolean =>
      settings.some((setting) => isDeepStrictEqual(setting, one.setting));
    const closed = this.#configured.filter((one) => !unchanged(one));
    const remaining = this.#configured.filter(unchanged);
    await Promise.all(closed.flatMap(({ sockets }) => sockets.map((socket) => socket.close())));
    const foldersOf = (all: readonly EndpointSetting[]): string[] =>
      all.flatMap(({ paths }) => paths.map((path) => dirname(path)));
    const wanted = foldersOf(settings);
    for (const folder of foldersOf(closed.map(({ setting }) => setting)))
      if (!wanted.includes(folder)) this.#madeFolders.remove(folder);
    this.#configured = settings.map(
      (setting) =>
        remaining.find((one) => isDeepStrictEqual(one.setting, setting)) ?? {
          setting,
          sockets: setting.paths.map((path) => this.#endpoint(setting, path)),
        },
    );
    const fresh = this.#configured.filter((one) => !remaining.includes(one));
    await Promise.all(fresh.flatMap(({ sockets }) => sockets.map((socket) => socket.start())));
  }

  /** Reads the configuration again and serves its endpoints. Rejects with the mistake in the file. */
  async reload(): Promise<void> {
    const { load } = this.#options;
    if (load === undefined) {
      throw new LocalError(
        'FOOTBRIDGE_NO_CONFIGURATION',
        'This bridge has no configuration file. Start one with footbridge run.',
      );
    }
    // The file is read in turn, too, so that an older content never replaces a newer one with fewer rights.
    await this.#inTurn(async () => this.#serve(await load()));
  }

  #inTurn(change: () => Promise<void>): Promise<void> {
    const result = this.#changed.then(change);
    this.#changed = result.catch(() => {});
    return result;
  }

  /**
   * Removes the sockets and their locks that a killed bridge left in our private folder; call it under the lock of the
   * instance. No later bridge uses their names again.
   */
  removeLeftOver(): void {
    const { privateFolder } = this.#options.folders;
    if (privateFolder === undefined) return;
    for (const name of readdirSync(privateFolder)) {
      const path = join(privateFolder, name);
      const isSocket = PRIVATE_NAME.test(name) && lstatOf(path)?.isSocket() === true;
      const locked = name.endsWith('.lock') ? lockedPath(name) : '';
      const isLock = dirname(locked) === privateFolder && PRIVATE_NAME.test(basename(locked));
      if (isSocket || isLock) unlinkSync(path);
    }
  }

  /** Opens an endpoint for one caller, at a path of our own. Rejects with the reason when that fails. */
  async openPrivate(name: string, rights: Rights): Promise<PrivateEndpoint> {
    if (this.#private.size >= MAX_PRIVATE) {
      throw new LocalError(
        'FOOTBRIDGE_ENDPOINT',
        `At most ${MAX_PRIVATE} private endpoints are open at a time. Close one first.`,
      );
    }
    const names = new Set(this.#all.map((one) => one.name));
    // Limits, lists and prompts tell endpoints apart by their names.
    const unique = uniqueName(name, (one) => names.has(one));
    const endpoint = this.#endpoint(
      { name: unique, preset: 'path', paths: [], rights, limits: {} },
      this.#privatePath(),
      FORWARD_REMEDY,
    );
    this.#private.set(endpoint, rights);
    await endpoint.start();
    const close = async (): Promise<void> => {
      this.#private.delete(endpoint);
      await endpoint.close();
    };
    const { state } = endpoint;
    if (state.kind === 'serving') return { path: endpoint.path, close };
    await close();
    throw new LocalError('FOOTBRIDGE_ENDPOINT', 'why' in state ? state.why : 'The bridge is stopping.');
  }

  list(): EndpointFacts[] {
    const facts = (
      socket: ServedEndpoint,
      preset: EndpointFacts['preset'],
      rights: Rights,
    ): EndpointFacts => {
      const { name, path, state } = socket;
      return { name, preset, path, rights, state: state.kind, why: 'why' in state ? state.why : null };
    };
    return [
      ...this.#configured.flatMap(({ setting, sockets }) =>
        sockets.map((socket) => facts(socket, setting.preset, setting.rights)),
      ),
      ...[...this.#private].map(([socket, rights]) => facts(socket, 'private', rights)),
    ];
  }

  /** Paths at which this bridge itself answers. */
  paths(): string[] {
    return this.#all.filter(({ state }) => state.kind === 'serving').map(({ path }) => path);
  }

  /** Checks every endpoint, for systems on which changes are not reported. */
  check(): void {
    for (const socket of this.#all) void socket.check();
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      const all = this.#all;
      this.#configured = [];
      this.#private.clear();
      await Promise.all(all.map((socket) => socket.close()));
    });
  }

  /** Removes the sockets at once; connected apps stay connected. */
  abandon(): void {
    for (const socket of this.#all) socket.abandon();
  }

  get #all(): ServedEndpoint[] {
    return [...this.#configured.flatMap(({ sockets }) => sockets), ...this.#private.keys()];
  }

  #endpoint(
    { name, preset, rights, limits }: EndpointSetting,
    path: string,
    remedy = SETTING_REMEDY,
  ): ServedEndpoint {
    const { sandboxes, server, transport, logger } = this.#options;
    const entrance: Entrance = {
      name,
      rights,
      remedy,
      ...(Object.keys(limits).length === 0 ? {} : { limits }),
      sandboxOf: (pid) => peerSandbox(pid, sandboxes),
    };
    return new ServedEndpoint({
      name,
      path,
      transport: () => transport({ path, madeFolders: preset === 'path' ? this.#madeFolders : undefined }),
      open: (ipc) => server.open(ipc, entrance),
      logger,
    });
  }

  #privatePath(): string {
    const { privateFolder } = this.#options.folders;
    const name = `endpoint-${randomBytes(6).toString('hex')}.sock`;
    return privateFolder === undefined ? `\\\\?\\pipe\\footbridge-${name}` : join(privateFolder, name);
  }
}

function peerSandbox(pid: number, sandboxes: SandboxLookup): PeerSandbox {
  const found = sandboxes.of(pid);
  return found.kind === 'known'
    ? { kind: 'known', sandbox: sandboxText(found.sandbox) }
    : { kind: 'unread', read: () => sandboxText(found.read()) };
}

/** The sandbox of a process as in `PeerEntrance`. */
function sandboxText(sandbox: Sandbox | 'unverified' | undefined): string | null {
  if (sandbox === undefined) return null;
  return sandbox === 'unverified' ? 'unverified' : describeSandbox(sandbox);
}
