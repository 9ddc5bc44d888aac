import type { ServiceKind, ServiceStatus } from '../../../service/manager.ts';
import { isLocalError } from '../../base/local-error.ts';
import type { ControlStatus } from '../../control/routes.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { type CoreReach, coreReach } from '../core-reach.ts';
import { daemonClient } from '../daemon-client.ts';
import { currentManager } from './context.ts';
import { type FirstEndpoint, firstEndpoint } from './first-endpoint.ts';
import { type Pong, tryPing } from './handshake.ts';

/** State from the service manager and from the bridge itself; either alone can be wrong. */
export interface WholeStatus {
  readonly service: { readonly manager: ServiceKind | null; readonly state: ServiceStatus };
  /** Status of the bridge; absent when no bridge answers for this folder. */
  readonly bridge?: {
    readonly status: ControlStatus;
    readonly reach: CoreReach | undefined;
    /** Whether the endpoint answers a PING. */
    readonly handshake: Pong;
  };
  /** Listener at the first endpoint where no bridge answers. */
  readonly first?: FirstEndpoint;
}

/** Queries the service manager and the bridge. */
export async function wholeStatus(io: Io): Promise<WholeStatus> {
  const [service, bridge] = await Promise.all([managerStatus(io), bridgeStatus(io)]);
  if (bridge !== undefined) return { service, bridge };
  const first = await firstEndpoint(io.env);
  return { service, ...(first === undefined ? {} : { first }) };
}

/** Exit code: 0 serves · 1 runs but does not answer · 3 installed but stopped · 4 not installed. */
export function statusExitCode({ service: { state }, bridge }: WholeStatus): ExitCode {
  if (bridge !== undefined) return bridge.handshake.kind === 'failed' ? ExitCode.FAILED : ExitCode.OK;
  switch (state.kind) {
    case 'running':
    case 'starting':
      return ExitCode.FAILED;
    case 'stopped':
    case 'failed':
    case 'unknown':
      return ExitCode.STOPPED;
    case 'absent':
      return ExitCode.NOT_INSTALLED;
  }
}

async function managerStatus(io: Io): Promise<WholeStatus['service']> {
  try {
    const manager = await currentManager(io);
    return { manager: manager.kind, state: await manager.status() };
  } catch (error) {
    if (isLocalError(error) && error.code === 'FOOTBRIDGE_NO_MANAGER')
      return { manager: null, state: { kind: 'absent' } };
    throw error;
  }
}

async function bridgeStatus(io: Io): Promise<WholeStatus['bridge']> {
  const client = daemonClient(io);
  let status: ControlStatus;
  try {
    status = await client.status();
  } catch (error) {
    if (isLocalError(error) && error.code === 'FOOTBRIDGE_NO_DAEMON') return undefined;
    throw error;
  }
  // The status stays useful when the core does not report its reach.
  const reach = await coreReach(client, status.core.name).catch(() => undefined);
  const path = status.endpoints.find(({ kind }) => kind === 'ipc')?.path;
  if (path === undefined)
    return { status, reach, handshake: { kind: 'failed', reason: 'it has no socket for apps' } };
  return { status, reach, handshake: await tryPing(path) };
}
