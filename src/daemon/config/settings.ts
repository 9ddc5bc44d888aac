import { dirname, isAbsolute, join, resolve } from 'node:path';
import {
  type Environment,
  endpointFolder,
  endpointPath,
  type OsName,
} from '../../../platform/endpoint/endpoints.ts';
import { LocalError } from '../../base/local-error.ts';
import { publicText } from '../../forward/endpoint.ts';
import type { Rule } from '../../presence/rule.ts';
import { defaultLimits, type Limits } from '../../session/limits.ts';
import { isModulePath } from '../module-path.ts';
import { CONFIG_VARIABLE, checkVariables } from './check-variables.ts';
import type { EndpointSetting } from './endpoints.ts';
import { type ConfigFile, ENDPOINTS_KEY, FORWARD_KEY, PRESENCE_KEY, readConfigFile } from './file.ts';
import { type ForwardSetting, readForwards } from './forwards.ts';
import {
  camelCase,
  flagOf,
  limitKeys,
  type SettingKey,
  type SettingName,
  type SettingValues,
  settingKeys,
  snakeCase,
  variableOf,
} from './keys.ts';

/** All settings of the bridge, each with a value. Paths are absolute; `null` turns a setting off. */
export interface Settings extends Omit<SettingValues, 'attachOrigins'> {
  readonly attachOrigins: readonly string[];
  readonly limits: Limits;
  /** Endpoints besides the bridge's own, with rights of their own. */
  readonly endpoints: readonly EndpointSetting[];
  /** Forwards that run as long as the bridge. */
  readonly forwards: readonly ForwardSetting[];
  /** Rules for the presence of apps. */
  readonly presence: readonly Rule[];
}

/** Origin of a value; `where` is a flag, a variable or a file. */
export type Origin =
  | { readonly kind: 'flag' | 'environment' | 'file'; readonly where: string }
  | {
      readonly kind: 'default';
      /** Condition under which the default differs. */
      readonly unless?: string;
    };

/** One line of `config show`; keys of `[limits]` are spelled `limits.frame_bytes`. */
interface ResolvedKey {
  readonly key: string;
  readonly value: unknown;
  readonly origin: Origin;
  /** Purpose of the setting. */
  readonly about: string;
}

/** The settings, and their origins. */
export interface Configuration {
  readonly settings: Settings;
  readonly keys: readonly ResolvedKey[];
  /** The file that was read; null when there is none. */
  readonly file: string | null;
  /** The file that is read where it exists. */
  readonly path: string;
}

/** Folders of the operating system that belong to the bridge; see `folders.ts`. */
export interface Folders {
  readonly config: string;
  readonly data: string;
}

/** Flags of the command line, by option name. */
export type Flags = { readonly [flag: string]: string | true | undefined };

interface LoadOptions {
  /** True for a bridge that already runs: the load must not block it. */
  readonly again?: boolean;
  /** True if a service manager runs the bridge, which changes some defaults. */
  readonly service?: boolean;
  /** True if the usual file must exist, as one that is named: its rules may hide something. */
  readonly required?: boolean;
  /** True to leave the file out, so that its faults do not count. */
  readonly withoutFile?: boolean;
}

/** Defaults that differ under a service manager, because the bridge then runs all day and no user watches it. */
const OF_SERVICES: { readonly [N in SettingName]?: unknown } = { journal: false };

/**
 * Resolves every key: flag before `FOOTBRIDGE_…` variable before file before default. Throws `LocalError`
 * FOOTBRIDGE_USAGE for a flag and FOOTBRIDGE_CONFIG for a variable or the file, in one line with the source, the key
 * and the reason.
 */
export async function loadConfiguration(
  flags: Flags,
  env: Environment,
  folders: Folders,
  { again = false, service = false, required: isThere = false, withoutFile = false }: LoadOptions = {},
): Promise<Configuration> {
  checkVariables(env);
  const chosen = flagValue(flags, 'config') ?? variableValue(env, CONFIG_VARIABLE);
  if (chosen === '') {
    throw new LocalError('FOOTBRIDGE_USAGE', '--config: "" is not the path of a configuration file.');
  }
  const required = isThere || chosen !== undefined;
  const path =
    chosen !== undefined ? resolve(chosen) : join(absolute(folders.config, '--config'), 'footbridge.toml');
  const file = withoutFile ? undefined : await readConfigFile({ path, required, again });
  const sources = { flags, env, file };
  const defaults: { readonly [name: string]: unknown } = {
    data_dir: folders.data,
    ...(service ? OF_SERVICES : {}),
  };

  const main = new Map<string, ResolvedKey>();
  for (const [name, key] of Object.entries(settingKeys)) {
    const fallback = name in defaults ? defaults[name] : key.initial;
    main.set(name, resolveKey(name, key, fallback, sources, flagOf(name)));
  }
  if (main.get('data_dir')?.origin.kind === 'default') absolute(folders.data, '--data-dir');
  const limits = new Map<string, ResolvedKey>();
  for (const [name, key] of Object.entries(limitKeys) as [keyof Limits, SettingKey][]) {
    limits.set(name, resolveKey(`limits.${snakeCase(name)}`, key, defaultLimits[name], sources));
  }
  const endpoints = await endpointsIn(file, env);
  const presence = await presenceIn(file);
  const values = settingsOf(main, limits);
  const forwards = forwardsIn(file, (os) => servedPaths(os, env, values.index, endpoints?.value ?? []));
  return {
    settings: {
      ...values,
      endpoints: endpoints?.value ?? [],
      forwards: forwards?.value ?? [],
      presence: presence?.rules ?? [],
    },
    keys: [
      ...main.values(),
      ...limits.values(),
      ...[endpoints, shownForwards(forwards), presence?.key].filter((key) => key !== undefined),
    ],
    file: file?.path ?? null,
    path,
  };
}

/** The validated `[[endpoints]]`; undefined for a file without. */
async function endpointsIn(
  file: ConfigFile | undefined,
  env: Environment,
): Promise<(ResolvedKey & { readonly value: readonly EndpointSetting[] }) | undefined> {
  const value = file?.values.get(ENDPOINTS_KEY);
  if (file === undefined || value === undefined) return undefined;
  // Loaded here, because few configurations have endpoints, and rights need every command and event.
  const { readEndpoints } = await import('./endpoints.ts');
  return {
    key: ENDPOINTS_KEY,
    value: readEndpoints(value, file.path, { os: process.platform as OsName, env }),
    origin: { kind: 'file', where: file.path },
    about: 'further endpoints with rights of their own, for apps in sandboxes and containers',
  };
}

/** The validated `[[forward]]`; undefined for a file without. */
function forwardsIn(
  file: ConfigFile | undefined,
  served: (os: OsName) => ReadonlyMap<string, string>,
): (ResolvedKey & { readonly value: readonly ForwardSetting[] }) | undefined {
  const value = file?.values.get(FORWARD_KEY);
  if (file === undefined || value === undefined) return undefined;
  const os = process.platform as OsName;
  return {
    key: FORWARD_KEY,
    value: readForwards(value, file.path, os, served(os)),
    origin: { kind: 'file', where: file.path },
    about: 'forwards that run as long as the bridge, for apps of other machines and containers',
  };
}

/** The validated `[[presence]]`, and the tables for display; undefined for a file without. */
async function presenceIn(
  file: ConfigFile | undefined,
): Promise<{ readonly rules: readonly Rule[]; readonly key: ResolvedKey } | undefined> {
  const value = file?.values.get(PRESENCE_KEY);
  if (file === undefined || value === undefined) return undefined;
  // Loaded here, because many configurations have no rules.
  const { readPresence } = await import('./presence.ts');
  return {
    rules: await readPresence(value, file.path, file.text),
    key: {
      key: PRESENCE_KEY,
      value,
      origin: { kind: 'file', where: file.path },
      about: 'rules for what apps show: hide, drop, replace, only, give_way_to, rank',
    },
  };
}

/** The forwards for display: arguments of a command may contain a secret. */
function shownForwards(forwards: ReturnType<typeof forwardsIn>): ResolvedKey | undefined {
  return (
    forwards && {
      ...forwards,
      value: forwards.value.map((one) => ({ ...one, from: publicText(one.from), to: publicText(one.to) })),
    }
  );
}

/**
 * Paths that the bridge serves, with the words that name each in a message. Its own endpoint is known only where its
 * number is set: otherwise it is the first free one.
 */
function servedPaths(
  os: OsName,
  env: Environment,
  index: Settings['index'],
  endpoints: readonly EndpointSetting[],
): ReadonlyMap<string, string> {
  const further = endpoints.flatMap(({ name, paths }) =>
    paths.map((path) => [path, `the endpoint "${name}"`] as const),
  );
  if (index === 'auto') return new Map(further);
  const own = endpointPath(os, endpointFolder(os, env).folder, index);
  return new Map([...further, [own, "the bridge's own endpoint"]]);
}

/**
 * Returns an absolute folder. Throws `LocalError` FOOTBRIDGE_CONFIG for a relative folder, which would depend on the
 * working directory of each start, so that grants would seem to be lost; `instead` is the flag that the message
 * suggests.
 */
function absolute(folder: string, instead: string): string {
  if (isAbsolute(folder)) return folder;
  throw new LocalError(
    'FOOTBRIDGE_CONFIG',
    `HOME, or the XDG variable for this folder, leads to ${JSON.stringify(folder)}, which is not an absolute path. ` +
      `Set it to one that starts with "/", or give ${instead}.`,
  );
}

interface Sources {
  readonly flags: Flags;
  readonly env: Environment;
  readonly file: ConfigFile | undefined;
}

function resolveKey(
  name: string,
  key: SettingKey,
  fallback: unknown,
  { flags, env, file }: Sources,
  flag?: string,
): ResolvedKey {
  const { about } = key;
  const fromFlag = flagValue(flags, flag);
  if (fromFlag !== undefined) {
    const origin = { kind: 'flag', where: `--${flag}` } as const;
    return { key: name, value: checked(key, fromText(key, fromFlag), origin), origin, about };
  }
  const variable = variableOf(name);
  const fromEnv = variableValue(env, variable);
  if (fromEnv !== undefined) {
    const origin = { kind: 'environment', where: variable } as const;
    return { key: name, value: checked(key, fromText(key, fromEnv), origin), origin, about };
  }
  const fromFile = file?.values.get(name);
  if (file !== undefined && fromFile !== undefined) {
    const origin = { kind: 'file', where: file.path } as const;
    const value = checked(
      key,
      fromFile,
      { kind: 'file', where: `${file.path}: ${name}` },
      dirname(file.path),
    );
    return { key: name, value, origin, about };
  }
  const ofServices = OF_SERVICES[name as SettingName];
  if (ofServices === undefined || ofServices === fallback)
    return { key: name, value: fallback, origin: { kind: 'default' }, about };
  const unless = `${JSON.stringify(ofServices)} where a service manager runs the bridge`;
  return { key: name, value: fallback, origin: { kind: 'default', unless }, about };
}

function fromText(key: SettingKey, text: string): unknown {
  if (key.text === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  // `Number()` alone would take "", " 7" and "0x7" as numbers.
  return key.text === 'number' && /^\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

/** Validates a value. `base` is the folder from which a relative path counts; by default the working directory. */
function checked(
  { schema, expected, path }: SettingKey,
  value: unknown,
  origin: { readonly kind: 'flag' | 'environment' | 'file'; readonly where: string },
  base = '',
): unknown {
  const result = schema().safeParse(value);
  if (result.success) {
    const isPath = path === 'always' || (path === 'or-name' && isModulePath(String(result.data)));
    return isPath ? resolve(base, String(result.data)) : result.data;
  }
  const printed = JSON.stringify(value).slice(0, 80);
  const code = origin.kind === 'flag' ? 'FOOTBRIDGE_USAGE' : 'FOOTBRIDGE_CONFIG';
  throw new LocalError(code, `${origin.where}: ${printed} is not ${expected}.`);
}

function flagValue(flags: Flags, name: string | undefined): string | undefined {
  const value = name === undefined ? undefined : flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** Value of a variable; an empty variable counts as unset. */
function variableValue(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}

function settingsOf(
  main: Map<string, ResolvedKey>,
  limits: Map<string, ResolvedKey>,
): Omit<Settings, 'endpoints' | 'forwards' | 'presence'> {
  const valuesOf = (keys: Map<string, ResolvedKey>) =>
    Object.fromEntries([...keys].map(([name, { value }]) => [camelCase(name), value]));
  // The casts are safe: every value has passed the schema of its key, or is the default.
  const values = valuesOf(main) as SettingValues;
  return {
    ...values,
    attachOrigins: values.attachOrigins.split(/[ ,]/).filter(Boolean),
    limits: valuesOf(limits) as unknown as Limits,
  };
}
