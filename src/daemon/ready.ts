import type { SkippedEndpoint } from '../../platform/endpoint/claim.ts';
import type { Style } from '../base/style.ts';
import { columns } from '../base/style.ts';
import { printable } from '../base/text.ts';
import type { Endpoint } from '../transport/transport.ts';
import { inFrontRemedy } from './in-front.ts';
import type { Daemon } from './start.ts';
import { version } from './version.ts';

/** Output of `run --json` once every listener is up. */
export interface ReadyReport {
  readonly ready: true;
  readonly version: string;
  readonly pid: number;
  readonly endpoints: readonly Endpoint[];
  /** Base URL of the core's HTTP API. */
  readonly api: string | null;
  /** Path of the control socket. */
  readonly control: string;
  readonly user: { readonly id: string } | null;
  readonly guilds: readonly string[];
  readonly channels: { readonly text: readonly string[]; readonly voice: readonly string[] };
}

interface Summary {
  readonly user: { readonly id: string; readonly username?: string };
  readonly guilds: readonly string[];
  readonly channels: ReadyReport['channels'];
}

/** Builds the report of `run --json`. A core without a `summary` operation leaves the account out. */
export async function readyReport(daemon: Daemon): Promise<ReadyReport> {
  const { core, endpoints } = daemon.server;
  const summary = Object.hasOwn(core.admin, 'summary')
    ? ((await daemon.call('summary', {}, { via: 'terminal' })) as Summary)
    : undefined;
  return {
    ready: true,
    version: version(),
    pid: process.pid,
    endpoints,
    api: core.api ?? null,
    control: daemon.control.path,
    user: summary === undefined ? null : { id: summary.user.id },
    guilds: summary?.guilds ?? [],
    channels: summary?.channels ?? { text: [], voice: [] },
  };
}

/** Consent policy, command name and other details for the report to the user. */
export interface ReadyStyle {
  readonly consent: string;
  readonly style: Style;
  /** Text that the user types before the name of a command. */
  readonly called: string;
}

/** The same report as text for the user: the address, a way to try the bridge, and a way to stop it. */
export function readyText(
  daemon: Daemon,
  report: ReadyReport,
  { consent, style, called }: ReadyStyle,
): string {
  const rows = [
    ...report.endpoints.map(({ path }) => ['  apps connect to', printable(path)]),
    ...(report.api === null ? [] : [['  tokens come from', report.api]]),
    ...(daemon.onRequest === undefined ? [] : [['  apps that ask', consentText(consent, called)]]),
    ...daemon.server.core.describe().map(([label, text]) => [`  ${label}`, printable(text)]),
    ['  try it', `${called} call SET_ACTIVITY '{"pid":1,"activity":{"state":"hello"}}'`],
    ['  look', `${called} status`],
    ['  stop', 'Ctrl-C'],
  ];
  const name = style.strong(style.good('Footbridge'));
  return `${name} ${report.version} is ready, on the core "${daemon.server.core.name}".\n${columns(rows)}`;
}

function consentText(consent: string, called: string): string {
  if (consent === 'ask') return `wait for you: ${called} requests`;
  return consent === 'allow' ? 'are allowed without asking' : 'are refused without asking';
}

/**
 * One line that warns when another program holds an index below this bridge's: apps usually stop at the first endpoint
 * that answers.
 */
export function skippedText(
  skipped: readonly SkippedEndpoint[],
  endpoints: readonly Endpoint[],
  core: string,
): string | undefined {
  const [first] = skipped;
  if (first === undefined) return undefined;
  const remedy = inFrontRemedy(first.path, core);
  if (core === 'upstream') {
    return `The bridge is not in front: ${first.path} is not ours (${first.why}), and most apps go there. To do: ${remedy}.`;
  }
  const ours = endpoints.find(({ kind }) => kind === 'ipc')?.path ?? 'another path';
  return `${first.path} is not ours: ${first.why}. The bridge is at ${ours}. To do: ${remedy}.`;
}
