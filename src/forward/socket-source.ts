import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { decideOn } from '../../platform/endpoint/obstacle.ts';
import { probeEndpoint } from '../../platform/endpoint/probe.ts';
import {
  type InodeIdentity,
  identityOf,
  lstatOf,
  moveIntoFree,
  removeIfStill,
  temporaryPath,
} from '../../platform/files/inode.ts';
import { checkEndpointFolder } from '../../platform/files/private-folder.ts';
import { withTightUmask } from '../../platform/files/umask.ts';
import type { OperatingSystem } from '../../platform/operating-system.ts';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { LocalError, systemCode } from '../base/local-error.ts';
import { checkPeer } from '../loopback/owner.ts';
import type { Sink } from './sink.ts';
import { SocketPeer } from './socket-peer.ts';

/** A listening source. */
export interface SocketSource {
  /** Accepts no further app and removes the socket; sessions continue. */
  close(): void;
}

/**
 * Listens at the path of a socket or pipe for apps of this user, whose sessions lead to the sink. The socket has mode
 * 0600 and never replaces a live one or another file. Throws `LocalError` FOOTBRIDGE_ENDPOINT_TAKEN and
 * FOOTBRIDGE_ENDPOINT_FOLDER.
 */
export async function listenForApps(os: OperatingSystem, path: string, sink: Sink): Promise<SocketSource> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    accept(os, socket, sink);
  });
  if (os.uid === undefined) {
    await claim(path, undefined, os);
    await listen(server, path);
    return { close: () => void server.close() };
  }
  checkFolder(path, os.uid);
  await claim(path, os.uid, os);
  const temporary = temporaryPath(dirname(path));
  await listen(server, temporary);
  const identity = publish(server, temporary, path);
  return {
    close() {
      removeIfStill(path, identity);
      server.close();
    },
  };
}

function accept(os: OperatingSystem, socket: Socket, sink: Sink): void {
  if (checkPeer(os, socket).kind === 'refused') {
    socket.on('error', () => {});
    socket.destroy();
    return;
  }
  sink.connect(new SocketPeer(socket, 'app'));
}

function checkFolder(path: string, uid: number): void {
  try {
    checkEndpointFolder(dirname(path), uid);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    throw new LocalError(
      'FOOTBRIDGE_ENDPOINT_FOLDER',
      `${dirname(path)}: there is no such folder. Make it with: mkdir -m 700 ${dirname(path)}`,
    );
  }
}

/** Frees the path of a socket without a listener. */
async function claim(path: string, uid: number | undefined, { native }: OperatingSystem): Promise<void> {
  const judgement = decideOn(await probeEndpoint(path, { native }), uid, false);
  if (judgement.kind === 'blocked') throw taken(path, judgement.why);
  if (judgement.kind === 'stale') removeIfStill(path, judgement.probe.identity);
}

function publish(server: Server, temporary: string, path: string): InodeIdentity {
  const status = lstatOf(temporary);
  if (status !== undefined && moveIntoFree(temporary, path)) return identityOf(lstatOf(path) ?? status);
  server.close();
  if (status !== undefined) removeIfStill(temporary, identityOf(status));
  throw taken(path, 'another program has just taken it');
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new LocalError(
          'FOOTBRIDGE_ENDPOINT_FOLDER',
          `${path}: no socket can be made: ${systemErrorText(error)}.`,
          {
            cause: error,
          },
        ),
      ),
    );
    withTightUmask(() => server.listen({ path, backlog: 511 }, resolve), path);
  });
}

function taken(path: string, why: string): LocalError {
  return new LocalError(
    'FOOTBRIDGE_ENDPOINT_TAKEN',
    `${path} is taken: ${why}. Stop or move what is there, or choose another path.`,
  );
}
