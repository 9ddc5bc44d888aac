import * as z from 'zod';
import { ENDPOINT_INDEXES } from '../../../platform/endpoint/endpoints.ts';
import { once } from '../../base/once.ts';
import { parseDuration } from '../../emulator/kernel/time-text.ts';
import type { Limits } from '../../session/limits.ts';
import { MAX_FRAME_BYTES } from '../../wire/frame.ts';
import { coreNames } from '../module-path.ts';
import { isRelease } from '../version.ts';
import {
  choice,
  coreName,
  isTokenAddress,
  pathOf,
  share,
  text,
  upstreamPlaces,
  type ValueCheck,
  whole,
  wholeOr,
  yesOrNo,
} from './value-checks.ts';

/** One setting or limit: its purpose, the check of its value, and the explanation of an invalid one. */
export interface SettingKey<T = unknown> extends ValueCheck<T> {
  /** Purpose of the setting in one sentence for the user, without the capital letter and the full stop. */
  readonly about: string;
}

/** Values of `consent`. */
export const consentPolicies = ['ask', 'allow', 'deny'] as const;
/** Values of `log_level`. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A setting outside `[limits]`. */
interface MainSetting<T> extends SettingKey<T> {
  /** Default value; `null` where the setting is off. */
  readonly initial: T | null;
  /** Core that reads the setting, where only one does. */
  readonly core: string | undefined;
}

function setting<T, const D extends T | null>(
  initial: D,
  check: ValueCheck<T>,
  about: string,
  core?: string,
): MainSetting<T> & { readonly initial: D } {
  return { ...check, initial, about, core };
}

/** Every setting by its name in the file. */
export const settingKeys = {
  core: setting(
    'emulator',
    coreName(coreNames),
    'client core that answers the apps: emulator, upstream, attach, or the path of a module',
  ),
  upstream: setting(
    'auto',
    upstreamPlaces,
    'endpoints of the chat clients behind the bridge; auto is every one that answers above ours',
    'upstream',
  ),
  // The core that serves while the upstream is away.
  fallback: setting(
    null,
    coreName(coreNames.filter((name) => name !== 'upstream')),
    'core that serves while no chat client is behind the bridge',
    'upstream',
  ),
  attach_port: setting(6480, whole(0, 65_535), 'port where chat clients attach; 0 is any free one', 'attach'),
  attach_origins: setting(
    '',
    text('a list of origins such as "https://chat.example", separated by one comma or blank', () =>
      z.string().check(z.maxLength(4096), z.regex(/^(?:https?:\/\/[^\s,/]+(?:[ ,]|$))*$/)),
    ),
    "origins of web pages that may attach besides the chat client's own, with commas between",
    'attach',
  ),
  bridge_port: setting(null, whole(0, 65_535), "port for programs that consume arRPC's bridge", 'attach'),
  bridge_secrets: setting(false, yesOrNo, 'pass join secrets on over bridge_port', 'attach'),
  fixture: setting(
    null,
    pathOf('fixture file'),
    'initial users, guilds and applications of the emulator: a TOML file, or one that emulator export wrote',
    'emulator',
  ),
  consent: setting(
    'ask',
    choice(consentPolicies),
    'answer to an app that asks for authorization: ask you, allow, or deny',
    'emulator',
  ),
  index: setting(
    'auto',
    {
      schema: once(() => z.literal(['auto', ...ENDPOINT_INDEXES])),
      expected: '"auto" or a whole number from 0 to 9',
      text: 'number',
    },
    'number of the endpoint, 0 to 9; auto is the first free one',
  ),
  http_port: setting(
    'auto',
    wholeOr(['auto'], 0, 65_535, '"auto" or a whole number from 0 to 65535'),
    "port of the emulator's HTTP API and token endpoint; auto is 6481, or any free one where that is taken",
    'emulator',
  ),
  gateway_connections: setting(
    2000,
    whole(1, 65_535),
    "bots and games that may be connected to the emulator's gateway at a time",
    'emulator',
  ),
  presence_default: setting(
    'show',
    choice(['show', 'hide']),
    'what happens to the presence of an app that no rule [[presence]] matches',
  ),
  presence_shown: setting(
    'all',
    choice(['all', 'one']),
    'presences that are shown at a time: all, or only the first by rank and by the last change',
  ),
  presence_away: setting(
    'off',
    text('"off" or a duration of at least 1s such as "10m"', () =>
      z.string().check(z.refine((value) => value === 'off' || isDuration(value))),
    ),
    'time for which your login session must be idle or locked before every presence is hidden, such as 10m',
  ),
  detect: setting(
    null,
    pathOf('list of detectable applications'),
    'JSON list of detectable applications, for the presence of games that do not connect themselves',
  ),
  ws_port: setting(
    'auto',
    wholeOr(['auto', 'off'], 1, 65_535, '"auto", "off" or a port number'),
    'port for apps over WebSocket and HTTP; auto is the first free one of 6463 to 6472',
  ),
  ws_ready_user: setting(
    false,
    yesOrNo,
    'name the user in READY over WebSocket, which the protocol does not do',
  ),
  voice_application: setting(
    null,
    text('the id of an application', () => z.string().check(z.regex(/^[1-9]\d{5,19}$/))),
    "application of footbridge voice, where the chat client does not know Footbridge's own",
  ),
  voice_api: setting(
    null,
    text('an https address, or http on this machine', () =>
      z.string().check(z.maxLength(2048), z.refine(isTokenAddress)),
    ),
    'base address where footbridge voice exchanges its code, where the core has none of its own',
  ),
  node_ipc: setting(false, yesOrNo, 'also serve apps written with the package node-ipc'),
  pacing: setting(
    true,
    yesOrNo,
    'send a frame only once the app has read the one before, because a much used client library loses frames otherwise; an app that says that it reads streams is not waited for',
  ),
  // The default is the folder for data of this system.
  data_dir: setting('', pathOf('folder'), 'folder for grants and tokens'),
  log_level: setting(isRelease() ? 'warn' : 'info', choice(logLevels), 'least severity that is logged'),
  notifications: setting(true, yesOrNo, 'show a desktop notification for each waiting request'),
  journal: setting(true, yesOrNo, 'record the last traffic in memory, for watch, journal and the console'),
  console: setting(
    false,
    yesOrNo,
    "serve the console's page from the bridge itself, from the first footbridge console on",
  ),
};

function isDuration(value: string): boolean {
  try {
    return parseDuration(value) >= 1000;
  } catch {
    return false;
  }
}

/** Names of the settings outside `[limits]`, as in `footbridge.toml`. */
export type SettingName = keyof typeof settingKeys;

/** `http_port` as the program spells it: `httpPort`. */
type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

type ValueOf<Key> = Key extends MainSetting<infer T> & { readonly initial: infer D }
  ? T | Extract<D, null>
  : never;

/** Valid values of all settings outside `[limits]`, by their names in the program. */
export type SettingValues = {
  readonly [Name in SettingName as CamelCase<Name>]: ValueOf<(typeof settingKeys)[Name]>;
};

const MiB = 1024 * 1024;

/** Every key of `[limits]` with its bounds; the unit is in the name. */
export const limitKeys: { readonly [L in keyof Limits]: SettingKey<number> } = {
  handshakeFrameBytes: {
    ...whole(256, 64 * 1024),
    about: 'largest frame before the handshake; a longer one is closed with 1003 by its header alone',
  },
  frameBytes: {
    ...whole(4096, MAX_FRAME_BYTES),
    about:
      'largest frame after the handshake, as in the real client; a longer one is closed with 1003 by its header alone',
  },
  handshakeMs: {
    ...whole(100, 600_000),
    about: 'time from the connect to a complete handshake; then closed with 1006',
  },
  openMs: {
    ...whole(100, 600_000),
    about: 'time that the core has to answer the handshake; then closed with 1006',
  },
  answerMs: {
    ...whole(100, 600_000),
    about:
      'time that the core has to answer a request; then ERROR 1001, and the core is asked again after a pause',
  },
  personMs: {
    ...whole(1000, 3_600_000),
    about: 'the same for a request that a person decides, without the pause',
  },
  partialFrameMs: {
    ...whole(100, 600_000),
    about: 'time from the first byte of a frame to its last; then closed with 1003',
  },
  partialBytes: {
    ...whole(64 * 1024, 1024 * MiB),
    about: 'bytes of incomplete frames of all peers together; a peer above its share is closed with 1006',
  },
  heldFrames: { ...whole(1, 4096), about: 'frames that wait until READY; with more the peer is paused' },
  heldBytes: { ...whole(1024, 16 * MiB), about: 'bytes that wait until READY; with more the peer is paused' },
  unreadBytes: {
    ...whole(64 * 1024, 64 * MiB),
    about:
      'bytes that a peer may leave unread, and one more answer of 3 MiB, behind the frame that it is reading; then it is dropped',
  },
  unreadTotalBytes: {
    ...whole(64 * 1024, 1024 * MiB),
    about: 'unread bytes of all peers together; a peer above its share is dropped',
  },
  waitingTotalBytes: {
    ...whole(64 * 1024, 1024 * MiB),
    about:
      'bytes of frames that wait behind unread answers, of all peers together; a peer above its share is dropped',
  },
  unreadMs: {
    ...whole(100, 600_000),
    about:
      'time in which a peer has to read something while its process leaves more than unread_bytes unread; then it is dropped',
  },
  messagesBurst: {
    ...whole(0, 1_000_000),
    about:
      'frames that a process may send at once; with more it is paused; 0 is no limit, or 240 where messages_per_second is set',
  },
  messagesPerSecond: {
    ...whole(0, 1_000_000),
    about:
      'frames that a process may send each second after that; 0 is no limit, or 120 where messages_burst is set',
  },
  bytesPerSecond: {
    ...whole(0, 1024 * MiB),
    about:
      'bytes that a process may send at once, and each second after that; with more it is paused; 0 is no limit',
  },
  shareOfCore: {
    ...share(0.01),
    about:
      'share of one processor that a process may use up over ten seconds; with more it is paused; 1 is no limit',
  },
  floodMs: {
    ...whole(1000, 3_600_000),
    about:
      'time for which a process may be above a rate of frames or bytes; then it is closed with 4002, and nothing else counts as a flood',
  },
  connectsBurst: {
    ...whole(1, 1_000_000),
    about:
      'connects of a process at once, where connects_per_second is set; further ones wait, in slots of its own share',
  },
  connectsPerSecond: {
    ...whole(0, 1_000_000),
    about: 'connects of a process each second after that; further ones wait; 0 is no limit',
  },
  connections: {
    ...whole(1, 65_535),
    about:
      'connections at a time, shared by process; one more is closed with 1006; fewer where the limit of open files does not leave 64 over',
  },
  silentConnections: {
    ...whole(1, 65_535),
    about:
      'connections without a handshake for 2 s; of more, the oldest of the process with most of them is dropped',
  },
  subscriptions: { ...whole(1, 65_535), about: 'subscriptions of a connection; one more gets ERROR 4000' },
  requestsInFlight: {
    ...whole(1, 4096),
    about: 'requests of a connection in flight; with more it is paused until an answer has left',
  },
  // The maximum is below 2.5 s, which the whole shutdown may take.
  drainMs: {
    ...whole(0, 2000),
    about: 'time that requests in flight have when the bridge stops; then they are ended',
  },
};

/** `frameBytes` as the file spells it: `frame_bytes`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `http_port` as the program spells it: `httpPort`. */
export function camelCase(name: string): string {
  return name.replace(/_[a-z]/g, (letter) => letter.charAt(1).toUpperCase());
}

/** The environment variable of a setting: `FOOTBRIDGE_HTTP_PORT`, `FOOTBRIDGE_LIMITS_FRAME_BYTES`. */
export function variableOf(key: string): string {
  return `FOOTBRIDGE_${key.replace('.', '_').toUpperCase()}`;
}

/** The command line option of a setting outside `[limits]`, without the dashes. */
export function flagOf(name: string): string {
  return name.replaceAll('_', '-');
}
