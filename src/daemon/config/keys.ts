import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { once } from '../../protocol/command.ts';
import type { Limits } from '../../session/limits.ts';
import { MAX_FRAME_BYTES } from '../../wire/frame.ts';
import { coreNames, isModulePath } from '../module-path.ts';

/** Names of the settings outside `[limits]`, as in `footbridge.toml`. */
export type SettingName =
  | 'core'
  | 'upstream'
  | 'fallback'
  | 'attach_port'
  | 'attach_origins'
  | 'bridge_port'
  | 'bridge_secrets'
  | 'fixture'
  | 'consent'
  | 'index'
  | 'http_port'
  | 'gateway_connections'
  | 'ws_port'
  | 'ws_ready_user'
  | 'node_ipc'
  | 'pacing'
  | 'data_dir'
  | 'log_level'
  | 'notifications'
  | 'journal'
  | 'console';

/** One setting: how its value is checked, and how a wrong one is explained. */
export interface SettingKey {
  readonly schema: () => z.ZodType;
  /** Completes "… is not". */
  readonly expected: string;
  /** What the text of a flag or variable is turned into first; `index` and `port` keep a word as it is. */
  readonly text: 'string' | 'number' | 'index' | 'port' | 'boolean';
  /** A relative path counts from the configuration file's folder; `or-name` when it looks like a path at all. */
  readonly path?: 'always' | 'or-name';
}

export const consentPolicies = ['ask', 'allow', 'deny'] as const;
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const text = (expected: string, more: Pick<SettingKey, 'path'> = {}): SettingKey => ({
  schema: once(() => z.string().check(z.minLength(1), z.maxLength(4096))),
  expected,
  text: 'string',
  ...more,
});

const choice = (values: readonly string[]): SettingKey => ({
  schema: once(() => z.enum(values)),
  expected: `one of ${values.join(', ')}`,
  text: 'string',
});

const whole = (least: number, most: number): SettingKey => ({
  schema: once(() => z.int().check(z.gte(least), z.lte(most))),
  expected: `a whole number from ${least} to ${most}`,
  text: 'number',
});

const share = (least: number): SettingKey => ({
  schema: once(() => z.number().check(z.gte(least), z.lte(1))),
  expected: `a number from ${least} to 1`,
  text: 'number',
});

function coreName(names: readonly string[]): SettingKey {
  return {
    schema: once(() =>
      z.string().check(
        z.maxLength(4096),
        z.refine((name) => names.includes(name) || isModulePath(name)),
      ),
    ),
    expected: `a client core (${names.join(', ')}) or the path of a module`,
    text: 'string',
    path: 'or-name',
  };
}

function yesOrNo(): SettingKey {
  return { schema: once(() => z.boolean()), expected: 'true or false', text: 'boolean' };
}

/** Every setting by its name in the file. */
export const settingKeys: { readonly [N in SettingName]: SettingKey } = {
  core: coreName(coreNames),
  upstream: {
    schema: once(() =>
      z.string().check(
        z.maxLength(4096),
        z.refine((value) => value === 'auto' || isAbsolute(value) || value.startsWith('\\\\')),
      ),
    ),
    expected: '"auto" or the absolute path of a socket or pipe',
    text: 'string',
  },
  // The core that serves while the upstream is away.
  fallback: coreName(coreNames.filter((name) => name !== 'upstream')),
  attach_port: whole(0, 65_535),
  attach_origins: {
    schema: once(() => z.string().check(z.maxLength(4096), z.regex(/^(?:https?:\/\/[^\s/]+(?: |$))*$/))),
    expected: 'a list of origins such as "https://chat.example", separated by one blank',
    text: 'string',
  },
  bridge_port: whole(0, 65_535),
  bridge_secrets: yesOrNo(),
  fixture: text('the path of a fixture file', { path: 'always' }),
  consent: choice(consentPolicies),
  index: {
    schema: once(() => z.union([z.literal('auto'), z.int().check(z.gte(0), z.lte(9))])),
    expected: '"auto" or a whole number from 0 to 9',
    text: 'index',
  },
  http_port: {
    schema: once(() => z.union([z.literal('auto'), z.int().check(z.gte(0), z.lte(65_535))])),
    expected: '"auto" or a whole number from 0 to 65535',
    text: 'port',
  },
  gateway_connections: whole(1, 65_535),
  ws_port: {
    schema: once(() => z.union([z.enum(['auto', 'off']), z.int().check(z.gte(1), z.lte(65_535))])),
    expected: '"auto", "off" or a port number',
    text: 'port',
  },
  ws_ready_user: yesOrNo(),
  node_ipc: yesOrNo(),
  pacing: yesOrNo(),
  data_dir: text('the path of a folder', { path: 'always' }),
  log_level: choice(logLevels),
  notifications: yesOrNo(),
  journal: yesOrNo(),
  console: yesOrNo(),
};

const MiB = 1024 * 1024;

/** Every key of `[limits]` with its bounds; the unit is in the name. */
export const limitKeys: { readonly [L in keyof Limits]: SettingKey } = {
  handshakeFrameBytes: whole(256, 64 * 1024),
  frameBytes: whole(4096, MAX_FRAME_BYTES),
  handshakeMs: whole(100, 600_000),
  openMs: whole(100, 600_000),
  answerMs: whole(100, 600_000),
  personMs: whole(1000, 3_600_000),
  partialFrameMs: whole(100, 600_000),
  partialBytes: whole(64 * 1024, 1024 * MiB),
  heldFrames: whole(1, 4096),
  heldBytes: whole(1024, 16 * MiB),
  unreadBytes: whole(64 * 1024, 64 * MiB),
  unreadTotalBytes: whole(64 * 1024, 1024 * MiB),
  waitingTotalBytes: whole(64 * 1024, 1024 * MiB),
  unreadMs: whole(100, 600_000),
  messagesBurst: whole(0, 1_000_000),
  messagesPerSecond: whole(0, 1_000_000),
  bytesPerSecond: whole(0, 1024 * MiB),
  shareOfCore: share(0.01),
  floodMs: whole(1000, 3_600_000),
  connectsBurst: whole(1, 1_000_000),
  connectsPerSecond: whole(1, 1_000_000),
  connections: whole(1, 65_535),
  silentConnections: whole(1, 65_535),
  subscriptions: whole(1, 65_535),
  requestsInFlight: whole(1, 4096),
  // The whole shutdown takes at most 2.5 s.
  drainMs: whole(0, 2000),
};

/** `frameBytes` as the file spells it: `frame_bytes`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The environment variable of a setting: `FOOTBRIDGE_HTTP_PORT`, `FOOTBRIDGE_LIMITS_FRAME_BYTES`. */
export function variableOf(key: string): string {
  return `FOOTBRIDGE_${key.replace('.', '_').toUpperCase()}`;
}

/** The command line option of a setting outside `[limits]`, without the dashes. */
export function flagOf(name: SettingName): string {
  return name.replaceAll('_', '-');
}
