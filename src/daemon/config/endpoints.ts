import { dirname } from 'node:path';
import * as z from 'zod';
import { checkPathClaim } from '../../../platform/endpoint/claim-path.ts';
import {
  type Environment,
  endpointFolder,
  joinPath,
  type OsName,
} from '../../../platform/endpoint/endpoints.ts';
import { sandboxAround } from '../../../platform/endpoint/search.ts';
import { messageOf } from '../../base/local-error.ts';
import { once } from '../../base/once.ts';
import { type Rights, rightsFault } from '../../protocol/rights.ts';
import { ENTRANCE_LIMITS, type EntranceLimits } from '../../server/entrance.ts';
import { limitKeys, snakeCase } from './keys.ts';
import { print, tableWith, wrong } from './table.ts';

/** Kinds of sandboxes whose folders are known, with the program whose folder apps search by default. */
export const ENDPOINT_PRESETS = { flatpak: 'com.discordapp.Discord', snap: 'discord' } as const;

/** Name of a preset. */
export type EndpointPreset = keyof typeof ENDPOINT_PRESETS;

/** One `[[endpoints]]` of the configuration. */
export interface EndpointSetting {
  /** Name that operators read, unique. */
  readonly name: string;
  /** Source of the paths: a preset, or the path itself. */
  readonly preset: EndpointPreset | 'path';
  /** Paths of its sockets; at least one. */
  readonly paths: readonly string[];
  readonly rights: Rights;
  readonly limits: EntranceLimits;
}

/** Facts of the machine that determine the paths. */
export interface EndpointPlace {
  readonly os: OsName;
  readonly env: Environment;
}

const MAX_ENDPOINTS = 32;
const KEYS = ['name', 'preset', 'client', 'path', 'rights', 'limits'] as const;
const CLIENT = /^[A-Za-z0-9_][\w.-]{0,127}$/;
const NAME = /^[A-Za-z0-9][\w.-]{0,31}$/;

const nameSchema = once(() => z.string().check(z.regex(NAME)));
const rightsSchema = once(() =>
  z.union([
    z.enum(['full', 'presence']),
    z.array(z.string().check(z.maxLength(128))).check(z.minLength(1), z.maxLength(256)),
  ]),
);

/**
 * Validates the `[[endpoints]]` of a file. `where` is the file, for messages. Throws `LocalError` FOOTBRIDGE_CONFIG with
 * file, endpoint, key and remedy in one line.
 */
export function readEndpoints(value: unknown, where: string, place: EndpointPlace): EndpointSetting[] {
  if (!Array.isArray(value)) throw wrong(where, 'endpoints: tables [[endpoints]] are expected');
  if (value.length > MAX_ENDPOINTS) throw wrong(where, `endpoints: at most ${MAX_ENDPOINTS} are served`);
  const settings: EndpointSetting[] = [];
  for (const [at, table] of (value as unknown[]).entries())
    settings.push(readEndpoint(table, `${where}: endpoints ${at + 1}`, place));
  checkDistinct(settings, where, place);
  return settings;
}

function readEndpoint(value: unknown, where: string, place: EndpointPlace): EndpointSetting {
  const table = tableWith(KEYS, value, where);
  const { preset, client, path } = table;
  const kind = presetOf(preset, path, where);
  const name = nameSchema().safeParse(table['name'] ?? kind);
  if (!name.success)
    throw wrong(where, `name: ${print(table['name'])} is not 1 to 32 letters, digits, ".", "_" or "-"`);
  const named = `${where} ("${name.data}")`;
  const paths = kind === 'path' ? [checkedPath(path, named, place)] : presetPaths(kind, client, named, place);
  if (kind === 'path' && client !== undefined) throw wrong(named, 'client: a path has none. Remove it');
  for (const one of paths) checkLength(one, named, place);
  return {
    name: name.data,
    preset: kind,
    paths,
    rights: readRights(table['rights'] ?? 'presence', named),
    limits: readLimits(table['limits'] ?? {}, named),
  };
}

function presetOf(preset: unknown, path: unknown, where: string): EndpointSetting['preset'] {
  if (preset === undefined || preset === 'path') {
    if (path !== undefined) return 'path';
    throw wrong(where, 'give preset = "flatpak", preset = "snap" or path = "/…/discord-ipc-0"');
  }
  if (preset !== 'flatpak' && preset !== 'snap')
    throw wrong(where, `preset: ${print(preset)} is not "flatpak", "snap" or "path"`);
  if (path !== undefined)
    throw wrong(where, `path: the preset "${preset}" has its own paths. Remove one of the two`);
  return preset;
}

/** The paths at which apps in such a sandbox search a client. */
function presetPaths(
  preset: EndpointPreset,
  client: unknown,
  where: string,
  { os, env }: EndpointPlace,
): readonly string[] {
  if (os !== 'linux')
    throw wrong(where, `preset: "${preset}" exists only on Linux. Remove it, or give a path`);
  const program = client ?? ENDPOINT_PRESETS[preset];
  if (typeof program !== 'string' || !CLIENT.test(program))
    throw wrong(
      where,
      `client: ${print(client)} is not the id of a program such as "${ENDPOINT_PRESETS[preset]}"`,
    );
  const { folder } = endpointFolder(os, env);
  const folders = preset === 'snap' ? [`snap.${program}`] : [`app/${program}`, `.flatpak/${program}/xdg-run`];
  return folders.map((one) => joinPath(joinPath(folder, one), 'discord-ipc-0'));
}

function checkedPath(path: unknown, where: string, { os, env }: EndpointPlace): string {
  if (typeof path !== 'string') throw wrong(where, `path: ${print(path)} is not a text`);
  const isPipe = /^\\\\[.?]\\pipe\\[^\\]/.test(path);
  if (os === 'win32') {
    if (isPipe) return path;
    throw wrong(where, `path: ${print(path)} is not the name of a pipe, such as \\\\.\\pipe\\name`);
  }
  if (isPipe || /^[A-Za-z]:[\\/]/.test(path))
    throw wrong(where, `path: ${print(path)} is a path of Windows. Give an absolute path of this system`);
  const isPlain = path.startsWith('/') && !path.includes('\0') && !/\/\.{0,2}(?:\/|$)/.test(path);
  if (!isPlain)
    throw wrong(
      where,
      `path: ${print(path)} is not the absolute path of a socket, without "//", "." and ".."`,
    );
  const sandbox = sandboxAround(endpointFolder(os, env).folder, path);
  if (sandbox !== undefined)
    throw wrong(
      where,
      `path: ${print(path)} is two folders deep in that of a sandbox, whose programs could lead the first of them elsewhere. Give a path in ${sandbox} itself, or in one folder of it.`,
    );
  return path;
}

function checkLength(path: string, where: string, { os }: EndpointPlace): void {
  try {
    checkPathClaim(os, path);
  } catch (error) {
    throw wrong(where, messageOf(error), error);
  }
}

function checkDistinct(
  settings: readonly EndpointSetting[],
  where: string,
  { os, env }: EndpointPlace,
): void {
  const names = new Set<string>();
  const paths = new Map<string, string>();
  const own =
    os === 'win32' || !settings.some(({ preset }) => preset === 'path')
      ? undefined
      : endpointFolder(os, env).folder;
  for (const { name, paths: sockets } of settings) {
    if (names.has(name)) throw wrong(where, `endpoints: two have the name "${name}". Rename one`);
    names.add(name);
    for (const path of sockets) {
      const other = paths.get(path);
      if (other !== undefined)
        throw wrong(
          where,
          `endpoints: "${other}" and "${name}" have one path, ${path}. Remove one of the two`,
        );
      if (dirname(path) === own && /\/discord-ipc-\d$/.test(path))
        throw wrong(
          where,
          `endpoints: "${name}" has the path of the bridge's own endpoint, ${path}. Give another folder`,
        );
      paths.set(path, name);
    }
  }
}

function readRights(value: unknown, where: string): Rights {
  const read = rightsSchema().safeParse(value);
  if (!read.success)
    throw wrong(where, `rights: ${print(value)} is not "full", "presence" or a list of scopes and commands`);
  const fault = typeof read.data === 'string' ? undefined : rightsFault(read.data);
  if (fault !== undefined)
    throw wrong(where, `rights: ${fault} "footbridge help configuration" tells what may stand there`);
  return read.data;
}

function readLimits(value: NonNullable<unknown>, where: string): EntranceLimits {
  if (typeof value !== 'object' || Array.isArray(value))
    throw wrong(where, 'limits: a table such as { connections = 16 } is expected');
  const known = ENTRANCE_LIMITS.map(snakeCase);
  return Object.fromEntries(
    Object.entries(value).map(([key, limit]: [string, unknown]) => {
      const name = ENTRANCE_LIMITS[known.indexOf(key)];
      if (name === undefined)
        throw wrong(
          where,
          `limits.${key.slice(0, 60)}: an endpoint has no such limit; known are ${known.join(', ')}`,
        );
      const { schema, expected } = limitKeys[name];
      if (!schema().safeParse(limit).success)
        throw wrong(where, `limits.${key}: ${print(limit)} is not ${expected}`);
      return [name, limit as number];
    }),
  );
}
