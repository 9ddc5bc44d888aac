import { parseArgs } from 'node:util';
import { didYouMean } from '../base/nearest.ts';
import { parseUrl } from '../base/url.ts';
import { UsageError } from './failure.ts';
import { readTextFile } from './read-file.ts';
import { sources } from './requirements.ts';
import type { Settings } from './settings.ts';
import { PROFILES, type Profile } from './tables.ts';
import { clientTimeouts, defaultTimeouts } from './timeouts.ts';
import { Tracer } from './trace/trace.ts';

/** Every option with its help, in the form of `util.parseArgs`. */
const conformanceOptions = {
  endpoint: { type: 'string', help: 'PATH, PIPE or ws:// address of a server that runs' },
  start: { type: 'string', help: 'shell command that starts the server, in private folders' },
  command: { type: 'string', help: 'shell command that runs the client under test' },
  transport: { type: 'string', help: 'of a started server: ipc (default) or websocket' },
  prepare: { type: 'string', help: 'shell command to run once a started server listens' },
  profile: { type: 'string', help: 'what the server claims: presence, voice or full (default)' },
  'client-id': { type: 'string', help: 'application the suite pretends to be' },
  'other-client-id': { type: 'string', help: 'a second application' },
  'client-secret-file': { type: 'string', help: 'file with the secret, for the token exchange' },
  'token-endpoint': { type: 'string', help: 'address for the token exchange' },
  'approve-command': { type: 'string', help: 'shell command that approves a waiting AUTHORIZE' },
  origin: { type: 'string', help: 'Origin header of WebSocket connections' },
  vectors: { type: 'string', multiple: true, help: 'file with further conversations to run' },
  case: { type: 'string', multiple: true, help: 'run only this case, or this section' },
  list: { type: 'boolean', help: 'list the cases, one a line' },
  strict: { type: 'boolean', help: 'a broken SHOULD fails' },
  trace: { type: 'boolean', help: 'show all bytes of each failure, and of each --case' },
  'fail-fast': { type: 'boolean', help: 'end the run at the first failure that is not in the baseline' },
  report: { type: 'string', multiple: true, help: 'junit, json or html on standard output, or junit=FILE' },
  baseline: { type: 'string', help: 'file of known failures' },
  'write-baseline': { type: 'string', help: 'write the failures of this run to a file' },
  timeout: { type: 'string', help: 'milliseconds to wait for an answer (default 2000)' },
  help: { type: 'boolean', short: 'h', help: 'show this' },
} as const;

/** Target of a machine-readable report; without a file it replaces the table on standard output. */
interface ReportTarget {
  readonly format: 'junit' | 'json' | 'html';
  readonly file: string | undefined;
}

/** Validated options. */
export interface Options {
  readonly suite: 'server' | 'client';
  readonly endpoint: string | undefined;
  readonly start: string | undefined;
  readonly command: string | undefined;
  readonly cases: readonly string[];
  readonly vectors: readonly string[];
  readonly list: boolean;
  readonly strict: boolean;
  readonly failFast: boolean;
  readonly reports: readonly ReportTarget[];
  readonly baseline: string | undefined;
  readonly writeBaseline: string | undefined;
  readonly settings: Settings;
}

const CLIENT_ID = '1045800378228281345';
const OTHER_CLIENT_ID = '1045800378228281346';

/** The help text. */
export function helpText(): string {
  const rows = Object.entries(conformanceOptions).map(([name, { type, help }]) => {
    return `  --${`${name}${type === 'string' ? ' …' : ''}`.padEnd(24)}${help}`;
  });
  return [
    'Usage: conformance server (--endpoint PATH|PIPE|ws://… | --start COMMAND) [options]',
    '       conformance client --command COMMAND [options]',
    '',
    ...rows,
    '',
    'Exit codes: 0 every case passed, or matched the baseline; 1 a case failed, or the baseline is out of date;',
    '64 wrong options, baseline or vectors; 69 the target cannot be reached or started.',
    '',
    'Behind a failure stand its level, the requirement and where that comes from:',
    ...Object.entries(sources).map(([tag, title]) => `  ${tag.padEnd(6)}${title}`),
    '',
  ].join('\n');
}

/** Parses the arguments. Throws {@link UsageError}; returns `help` for `--help`. */
export function readOptions(
  argv: readonly string[],
  env: Settings['env'],
  signal?: AbortSignal,
): Options | 'help' {
  const { values, positionals } = parse(argv);
  if (values.help === true) return 'help';
  const [suite, ...rest] = positionals;
  if (suite !== 'server' && suite !== 'client') {
    throw new UsageError('the first argument must be "server" or "client"; --help shows both');
  }
  if (rest.length > 0) {
    const option = suite === 'server' ? '--start' : '--command';
    throw new UsageError(
      `unknown argument "${rest[0]}"; the command to test is one argument: ${option} '${rest.join(' ')}'`,
    );
  }
  const isListing = values.list === true;
  if (suite === 'server' && !isListing && (values.endpoint === undefined) === (values.start === undefined)) {
    throw new UsageError('"server" needs either --endpoint or --start');
  }
  if (suite === 'client' && !isListing && values.command === undefined) {
    throw new UsageError('"client" needs --command');
  }
  return {
    suite,
    endpoint: readEndpoint(values.endpoint),
    start: values.start,
    command: values.command,
    cases: values.case ?? [],
    vectors: values.vectors ?? [],
    list: isListing,
    strict: values.strict === true,
    failFast: values['fail-fast'] === true,
    reports: (values.report ?? []).map(readReport),
    baseline: values.baseline,
    writeBaseline: values['write-baseline'],
    settings: {
      profile: readProfile(values.profile),
      clientId: values['client-id'] ?? CLIENT_ID,
      otherClientId: values['other-client-id'] ?? OTHER_CLIENT_ID,
      origin: values.origin ?? 'https://discord.com',
      transport: readTransport(values.transport),
      prepareCommand: values.prepare,
      approveCommand: values['approve-command'],
      tokenEndpoint: readAddress(values['token-endpoint']),
      clientSecret: readSecret(values['client-secret-file']),
      timeouts: {
        ...(suite === 'client' ? clientTimeouts : defaultTimeouts),
        answerMs: readMilliseconds(values.timeout) ?? defaultTimeouts.answerMs,
      },
      tracer: values.trace === true ? new Tracer() : undefined,
      signal,
      env,
    },
  };
}

function parse(argv: readonly string[]) {
  const parsed = parseOrFail(argv);
  const names = new Set<string>();
  for (const token of parsed.tokens) {
    if (token.kind !== 'option') continue;
    const { name, value } = token;
    if (value === '') throw new UsageError(`--${name}: must not be empty`);
    const isMany = 'multiple' in (conformanceOptions[name as keyof typeof conformanceOptions] ?? {});
    if (names.has(name) && !isMany) throw new UsageError(`--${name}: is set more than once`);
    names.add(name);
  }
  return parsed;
}

function parseOrFail(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: conformanceOptions,
      allowPositionals: true,
      strict: true,
      tokens: true,
    });
  } catch (error) {
    throw new UsageError(misuse(error instanceof Error ? error.message : ''));
  }
}

/** Explains a misused option. Replaces Node's own texts, which explain escaping with `--`. */
function misuse(text: string): string {
  const [, name = ''] = /(--?[\w-]+)/.exec(text) ?? [];
  if (text.startsWith('Unknown option')) {
    const known = Object.keys(conformanceOptions).map((option) => `--${option}`);
    const meant = didYouMean(name, known);
    return `there is no option ${name}${meant === '' ? ';' : `.${meant}`} --help shows all`;
  }
  if (text.includes('does not take')) return `${name}: takes no value`;
  return name === '' ? text : `${name}: needs a value; --help shows which`;
}

function readEndpoint(value: string | undefined): string | undefined {
  if (value === undefined || !/^[a-z][\w+.-]*:\/\//i.test(value)) return value;
  if (/^ws:/i.test(value) && parseUrl(value)) return value;
  throw new UsageError(`--endpoint: "${value}" is no ws:// address, nor the path of a socket or pipe`);
}

function readProfile(value: string | undefined): Profile {
  if (value === undefined) return 'full';
  const profile = PROFILES.find((one) => one === value);
  if (profile === undefined) throw new UsageError(`--profile: "${value}" is none of ${PROFILES.join(', ')}`);
  return profile;
}

function readTransport(value: string | undefined): Settings['transport'] {
  if (value === undefined || value === 'ipc' || value === 'websocket') return value ?? 'ipc';
  throw new UsageError(`--transport: "${value}" is neither ipc nor websocket`);
}

function readReport(value: string): ReportTarget {
  const at = value.indexOf('=');
  const [format, file] = at < 0 ? [value, undefined] : [value.slice(0, at), value.slice(at + 1)];
  const known = (['junit', 'json', 'html'] as const).find((one) => one === format);
  if (known === undefined) throw new UsageError(`--report: "${format}" is none of junit, json, html`);
  if (file === '') throw new UsageError(`--report: "${value}" names no file`);
  return { format: known, file };
}

function readAddress(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (/^https?:\/\//.test(value) && parseUrl(value)) return value.replace(/\/+$/, '');
  throw new UsageError('--token-endpoint: must be an address that begins with http:// or https://');
}

function readSecret(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  return readTextFile(file, '--client-secret-file').trim();
}

function readMilliseconds(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const ms = Number(value);
  if (Number.isInteger(ms) && ms >= 50 && ms <= 60_000) return ms;
  throw new UsageError(`--timeout: "${value}" is no number of milliseconds from 50 to 60000`);
}
