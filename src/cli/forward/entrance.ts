import { ENDPOINT_VARIABLE } from '../../../platform/endpoint/endpoints.ts';
import { isLocalError, LocalError } from '../../base/local-error.ts';
import { printable } from '../../base/text.ts';
import type { ControlClient, Held } from '../../control/client.ts';
import type { Io } from '../../daemon/io.ts';
import type { ForwardEndpoint } from '../../forward/endpoint.ts';
import type { Entrance, ForwardRights } from '../../forward/forward.ts';
import { asName } from '../../forward/name.ts';
import { isThere, listeningEndpoint } from '../app/endpoint.ts';
import { daemonClient } from '../daemon-client.ts';

/** Rights and name of the apps that enter. */
export interface EntranceRequest {
  readonly to: ForwardEndpoint;
  readonly rights: ForwardRights;
  readonly name: string;
}

/**
 * Opens the way into the bridge or chat client at the `--to` end of this machine: a private endpoint of a bridge, or the
 * endpoint itself where all rights are allowed. Throws `LocalError` FOOTBRIDGE_NO_DAEMON where no bridge runs that could
 * enforce the rights, and where nothing listens.
 */
export async function enterBridge(request: EntranceRequest, io: Io): Promise<Entrance> {
  const { to, rights } = request;
  if (to.kind === 'socket') {
    if (rights === 'full') return { path: () => Promise.resolve(to.path), close: () => {} };
    return privateEntrance(await bridgeAt(to.path, io), request);
  }
  const client = daemonClient(io);
  const runs = await isRunning(client);
  if (runs) return privateEntrance(client, request);
  if (rights !== 'full') throw unlimited('Here runs no bridge of Footbridge, which');
  return foundEntrance(io);
}

/** Client of the bridge that serves a path. Throws FOOTBRIDGE_NO_DAEMON if none does. */
async function bridgeAt(path: string, io: Io): Promise<ControlClient> {
  const client = daemonClient({ env: { ...io.env, [ENDPOINT_VARIABLE]: path }, err: (text) => io.err(text) });
  const status = await client.status().catch((error: unknown) => {
    if (isLocalError(error)) return undefined;
    throw error;
  });
  if (status?.endpoints.some((endpoint) => endpoint.path === path) === true) return client;
  throw unlimited(`${printable(path)} is no endpoint of a running Footbridge, which`);
}

async function isRunning(client: ControlClient): Promise<boolean> {
  try {
    await client.status();
    return true;
  } catch (error) {
    if (isLocalError(error) && error.code === 'FOOTBRIDGE_NO_DAEMON') return false;
    throw error;
  }
}

/** A private endpoint, which is opened again when the bridge has been restarted. */
async function privateEntrance(client: ControlClient, { rights, name }: EntranceRequest): Promise<Entrance> {
  const open = async (): Promise<Open> => {
    const held = await client.hold('endpoints.open', { name: asName(name), rights });
    const opened: Open = { held, path: (held.result as { path: string }).path, isOpen: true };
    void held.ended.then(() => {
      opened.isOpen = false;
    });
    return opened;
  };
  let isClosed = false;
  let opened = await open();
  let opening: Promise<Open> | undefined;
  return {
    async path() {
      if (opened.isOpen) return opened.path;
      opening ??= open().finally(() => {
        opening = undefined;
      });
      opened = await opening;
      if (isClosed) opened.held.end();
      return opened.path;
    },
    close() {
      isClosed = true;
      opened.held.end();
    },
  };
}

interface Open {
  readonly held: Held;
  readonly path: string;
  isOpen: boolean;
}

/**
 * The endpoint of a chat client, which is searched again when its socket has gone. All sessions share one search, so a
 * search that reaches this forward itself, also through other forwards, waits for its own end: the socket of a forward
 * that leads back here does not answer, and is not chosen.
 */
async function foundEntrance(io: Io): Promise<Entrance> {
  let found = await foundEndpoint(io);
  let searching: Promise<string> | undefined;
  return {
    async path() {
      // A pipe of Windows has no file to look for.
      if (found.startsWith('\\') || isThere(found)) return found;
      searching ??= foundEndpoint(io).finally(() => {
        searching = undefined;
      });
      found = await searching;
      return found;
    },
    close: () => {},
  };
}

async function foundEndpoint(io: Io): Promise<string> {
  const path = await listeningEndpoint(io, 'answering');
  if (path !== undefined) return path;
  throw new LocalError(
    'FOOTBRIDGE_NO_DAEMON',
    'No bridge or chat client listens here. Start one with: footbridge run',
  );
}

function unlimited(what: string): LocalError {
  return new LocalError(
    'FOOTBRIDGE_NO_DAEMON',
    `${what} alone can limit apps to their presence. Start one with "footbridge run", or add --rights full: apps of the other end may then do everything that local apps may.`,
  );
}
