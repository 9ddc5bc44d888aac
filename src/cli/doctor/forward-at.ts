import { endpointPath } from '../../../platform/endpoint/endpoints.ts';
import { pathHolder } from '../../../platform/endpoint/path-lock.ts';
import { type Probe, probeEndpoint } from '../../../platform/endpoint/probe.ts';
import type { Program } from '../../../platform/process/program.ts';
import type { Scene } from './check.ts';

/**
 * The forward that serves the path: a program of this user that listens there, according to the kernel, and holds the
 * lock of the path.
 */
export function forwardAt(
  path: string,
  probe: Probe,
  { uid, endpoints: found }: Pick<Scene, 'uid' | 'endpoints'>,
): Program | undefined {
  if (probe.kind !== 'live' || probe.owner === undefined) return undefined;
  if (uid === undefined || found.kind === 'unknown') return undefined;
  return pathHolder(found.folder, uid, path) === probe.owner.pid ? probe.owner : undefined;
}

/** The forward that serves the endpoint that apps try first. */
export async function forwardInFront(scene: Scene): Promise<Program | undefined> {
  if (scene.endpoints.kind === 'unknown') return undefined;
  const path = endpointPath(scene.os, scene.endpoints.folder, 0);
  return forwardAt(path, await probeEndpoint(path, { native: scene.native }), scene);
}
