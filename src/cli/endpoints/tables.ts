import type { Environment, OsName } from '../../../platform/endpoint/endpoints.ts';
import { type EndpointSetting, readEndpoints } from '../../daemon/config/endpoints.ts';
import type { EditedFile } from '../configuration/file.ts';

/** The tables of endpoints. */
export const ENDPOINT_TABLES = { key: 'endpoints', noun: 'endpoint' } as const;

/** One `[[endpoints]]` as the file spells it. */
export interface EndpointTable {
  readonly name: string;
  readonly preset?: string | undefined;
  readonly client?: string | undefined;
  readonly path?: string | undefined;
  readonly rights?: string | readonly string[] | undefined;
}

/** The endpoints of a text, validated. Throws as `readEndpoints` does. */
export function endpointsOf(file: EditedFile, text: string, env: Environment): EndpointSetting[] {
  const { endpoints = [] } = file.parse(text);
  return checkEndpoints(file, endpoints, env);
}

/** The endpoints of a parsed list, validated. Throws as `readEndpoints` does. */
export function checkEndpoints(
  { path }: EditedFile,
  endpoints: unknown,
  env: Environment,
): EndpointSetting[] {
  return readEndpoints(endpoints, path, { os: process.platform as OsName, env });
}
