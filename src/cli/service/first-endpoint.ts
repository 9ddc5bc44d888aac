import { type Environment, endpointFolder, endpointPath } from '../../../platform/endpoint/endpoints.ts';
import { decideOn } from '../../../platform/endpoint/obstacle.ts';
import { probeEndpoint } from '../../../platform/endpoint/probe.ts';
import { loadNative } from '../../../platform/native/native.ts';
import { describeProgram } from '../../../platform/process/program.ts';
import { currentHost } from '../daemon-client.ts';
import { forwardAt } from '../doctor/forward-at.ts';

/** Listener at the endpoint that apps try first, on a machine without a bridge. */
export interface FirstEndpoint {
  readonly path: string;
  /** `forward`: apps reach a bridge elsewhere; `program`: another program gets them. */
  readonly kind: 'forward' | 'program';
  /** Who listens, and how it answers. */
  readonly text: string;
  /** Whether it answers as a bridge does. A bridge outside of this container, say, has no other sign here. */
  readonly answers: boolean;
}

/** Looks at the endpoint that apps try first; undefined where nothing listens. */
export async function firstEndpoint(env: Environment): Promise<FirstEndpoint | undefined> {
  const { os, uid } = currentHost();
  const found = endpointFolder(os, env);
  const path = endpointPath(os, found.folder, 0);
  const probe = await probeEndpoint(path, { native: await loadNative(os) });
  if (probe.kind !== 'live') return undefined;
  const forward = forwardAt(path, probe, { uid, endpoints: { kind: 'known', ...found } });
  if (forward !== undefined)
    return { path, kind: 'forward', text: `footbridge forward, ${describeProgram(forward)}`, answers: true };
  const judgement = decideOn(probe, uid, false);
  const text = judgement.kind === 'blocked' ? judgement.why : 'somebody';
  return { path, kind: 'program', text, answers: probe.reason === 'pong' };
}
