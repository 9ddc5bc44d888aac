import { setTimeout as delay } from 'node:timers/promises';
import { isLocalError, systemCode } from '../../base/local-error.ts';
import { didYouMean } from '../../base/nearest.ts';
import { printableJson } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { daemonClient, printJson } from '../daemon-client.ts';
import { usage } from '../parse.ts';
import { formatted, listText, type PresenceList, TEMPLATE_FIELDS } from './entry.ts';

/** Wait of one call for a change (ms). */
const WAIT_MS = 20_000;
/** Pause before the next attempt while no bridge runs (ms). */
const AWAY_MS = 1000;

/** How the list is printed. */
export interface ListOptions {
  readonly json: boolean;
  readonly format: string | undefined;
}

/** Prints what each app shows, where it goes, and why. */
export async function printPresences(options: ListOptions, io: Io): Promise<ExitCode> {
  checkFormat(options.format);
  const list = (await daemonClient(io).call('presence.list')) as PresenceList;
  if (options.json) printJson(io, list);
  else io.out(textOf(list, options, io));
  return ExitCode.OK;
}

/**
 * Prints the list, and again after each change: with `--json` one object a line. It outlives restarts of the bridge: while
 * none runs, the list is empty and has `running: false`.
 */
export async function followPresences(options: ListOptions, io: Io): Promise<ExitCode> {
  checkFormat(options.format);
  const client = daemonClient({ env: io.env, err: () => {} });
  let last = '';
  let after: number | undefined;
  while (!io.outClosed.aborted) {
    const wait = after === undefined ? {} : { after, wait: WAIT_MS };
    const list = (await client
      .call('presence.list', wait, { timeoutMs: WAIT_MS + 10_000, slowness: 'expected' })
      .catch(unlessAway)) as PresenceList | undefined;
    after = list?.revision;
    const text = list === undefined ? awayText(options) : follow(list, options, io);
    // Equal lists are not repeated: a change may concern only what is not printed.
    if (text !== last) io.out(text);
    last = text;
    if (list === undefined) await delay(AWAY_MS);
  }
  return ExitCode.OK;
}

function follow(list: PresenceList, options: ListOptions, io: Io): string {
  if (!options.json) return textOf(list, options, io);
  const { revision: _, ...rest } = list;
  return `${printableJson({ running: true, ...rest })}\n`;
}

function awayText({ json, format }: ListOptions): string {
  if (json) return `${printableJson({ running: false, entries: [], unusedRules: [], problems: [] })}\n`;
  return format === undefined ? 'No bridge runs.\n' : '\n';
}

function textOf(list: PresenceList, { format }: ListOptions, io: Io): string {
  if (format === undefined) return listText(list, io);
  const lines = list.entries.map((view) => formatted(format, view));
  return `${lines.join('\n')}\n`;
}

/** Refuses a template with an unknown field. */
function checkFormat(format: string | undefined): void {
  for (const [, field = ''] of format?.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g) ?? []) {
    if (TEMPLATE_FIELDS.some((known) => known === field)) continue;
    const hint = didYouMean(field, TEMPLATE_FIELDS) || ` Known are ${TEMPLATE_FIELDS.join(', ')}.`;
    throw usage(`--format: there is no field "${field}".${hint}`, { name: 'presence' });
  }
}

/** Undefined for a bridge that is away or ends. */
function unlessAway(error: unknown): undefined {
  const isAway = isLocalError(error) && ['FOOTBRIDGE_NO_DAEMON', 'FOOTBRIDGE_CONTROL'].includes(error.code);
  if (!isAway && systemCode(error) !== 'ECONNRESET') throw error;
}
