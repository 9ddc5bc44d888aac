import { readlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Probe, probeEndpoint } from '../../../platform/endpoint/probe.ts';
import { isInSandbox, searchFolders } from '../../../platform/endpoint/search.ts';
import type { Scene } from './check.ts';

/** Link at the path of an endpoint. */
interface Link {
  readonly written: string;
  readonly target: string;
  /** State of the target; undefined for one that was not looked at. */
  readonly probe: Probe | undefined;
}

/** Clause about a link whose target was not looked at. */
export const NOT_FOLLOWED = 'which is not followed, because a program in a sandbox can write there';

/**
 * Looks at a link and its target; undefined for a link that was removed meanwhile. A program in a sandbox can lead a link
 * to a file system of its own that never answers, so a link in its folder is followed only to another endpoint.
 */
export async function linkAt(path: string, { os, env, uid, native }: Scene): Promise<Link | undefined> {
  const written = await readlink(path).catch(() => undefined);
  if (written === undefined) return undefined;
  const target = resolve(dirname(path), written);
  const isKnown = !isInSandbox(path) || searchFolders(os, env, uid).includes(dirname(target));
  return { written, target, probe: isKnown ? await probeEndpoint(target, { native }) : undefined };
}
