import { existsSync } from 'node:fs';
import { endpointFolder } from '../../../platform/endpoint/endpoints.ts';
import { loadNative } from '../../../platform/native/native.ts';
import { readReceipt } from '../../../service/receipt.ts';
import { programRunner } from '../../../service/run.ts';
import { messageOf } from '../../base/local-error.ts';
import { controlClient } from '../../control/client.ts';
import { type BridgeFacts, environmentOf } from '../../daemon/bridge-facts.ts';
import { applicationFolders } from '../../daemon/config/folders.ts';
import { type Flags, loadConfiguration } from '../../daemon/config/settings.ts';
import type { Io } from '../../daemon/io.ts';
import { placesIn, STATUS_MS } from '../bridge-places.ts';
import { coreReach } from '../core-reach.ts';
import { currentHost } from '../daemon-client.ts';
import { currentManager } from '../service/context.ts';
import type { Attempt, Scene } from './check.ts';
import { lookInside } from './inside.ts';

/** Time limit for a program of the system (ms). The first start of PowerShell takes some seconds. */
const PROGRAM_MS = 10_000;

/**
 * Collects data that several checks need. With `facts`, folders, settings and variables are those of the bridge that has
 * them, and not those of this process. A failed attempt to collect data is part of the scene, not an error.
 */
export async function gatherScene(own: Flags, io: Io, facts?: BridgeFacts): Promise<Scene> {
  const host = currentHost();
  const env = facts === undefined ? io.env : environmentOf(facts, io.env);
  const folders = facts?.started?.folders ?? applicationFolders();
  const flags = facts?.started?.flags ?? own;
  // This environment leads to the bridge; that of the bridge may name its folder in another way.
  const client = controlClient({ folder: host, env: io.env, timeoutMs: STATUS_MS });
  const [native, endpoints, bridge, service] = await Promise.all([
    loadNative(host.os),
    attempt(() => Promise.resolve(endpointFolder(host.os, env))),
    attempt(async () => {
      const status = await client.status();
      return { status, reach: await coreReach(client, status.core.name).catch(() => undefined) };
    }),
    attempt(async () => {
      const manager = await currentManager(io);
      const receipt = readReceipt(folders.data);
      return { manager: manager.kind, state: await manager.status(), receipt };
    }),
  ]);
  const ofBridge = bridge.kind === 'known' ? placesIn(bridge.status)?.config : undefined;
  // The file of the running bridge counts, also where this environment leads to another one.
  const config = flags['config'] ?? (ofBridge && existsSync(ofBridge) ? ofBridge : undefined);
  const configuration = await attempt(async () => ({
    value: await loadConfiguration(config === undefined ? flags : { ...flags, config }, env, folders, {
      // A bridge inside another program reads no file.
      withoutFile: facts?.started === null,
    }),
  }));
  const run = programRunner(env, PROGRAM_MS);
  const inside: Scene['inside'] = (pid) => lookInside(pid, env);
  const now = Date.now();
  return { ...host, env, native, configuration, endpoints, bridge, service, folders, run, inside, now };
}

async function attempt<T extends object>(get: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { kind: 'known', ...(await get()) };
  } catch (error) {
    return { kind: 'unknown', reason: messageOf(error) };
  }
}
