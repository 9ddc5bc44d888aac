import type { Socket } from 'node:net';
import {
  checkPathLength,
  ENDPOINT_INDEXES,
  type Environment,
  endpointFolder,
  endpointPath,
  type OsName,
} from '../../../platform/endpoints.ts';
import { LocalError, systemCode } from '../../../platform/local-error.ts';
import { connectTo } from './wire-client.ts';

/**
 * Connects to the given path, or to the first of `discord-ipc-0` to `9` that answers in the folder of this
 * environment. Throws `LocalError` FOOTBRIDGE_NO_DAEMON with every path that was tried and why.
 */
export async function connectEndpoint(os: OsName, env: Environment, given?: string): Promise<Socket> {
  const paths = given === undefined ? candidates(os, env) : [given];
  const tried = new Map<string, string[]>();
  for (const path of paths) {
    checkPathLength(os, path);
    try {
      return await connectTo(path);
    } catch (error) {
      const reason = systemCode(error) ?? String(error);
      tried.set(reason, [...(tried.get(reason) ?? []), path]);
    }
  }
  const list = [...tried].map(([reason, failed]) => `${describe(failed)}: ${reason}`).join('; ');
  throw new LocalError(
    'FOOTBRIDGE_NO_DAEMON',
    `No endpoint answers (${list}). Start one with: footbridge run`,
  );
}

function candidates(os: OsName, env: Environment): string[] {
  const { folder } = endpointFolder(os, env);
  return ENDPOINT_INDEXES.map((index) => endpointPath(os, folder, index));
}

function describe(paths: readonly string[]): string {
  const [first = ''] = paths;
  return paths.length === 1 ? first : `${first} and ${paths.length - 1} more`;
}
