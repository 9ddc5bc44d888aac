import { type Style, styleFor } from '../../base/style.ts';
import type { BridgeFacts } from '../../daemon/bridge-facts.ts';
import { withCallableCommands } from '../../daemon/called-as.ts';
import type { Flags } from '../../daemon/config/settings.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { printJson } from '../daemon-client.ts';
import type { CheckResult, Verdict } from './check.ts';
import { allChecks } from './checks.ts';
import { runChecks } from './run-checks.ts';
import { gatherScene } from './scene.ts';

/** Options of a call of `footbridge doctor`. */
export interface DoctorOptions {
  readonly flags: Flags;
  readonly fix: boolean;
  readonly strict: boolean;
  readonly json: boolean;
}

/** Runs `footbridge doctor`. Returns 2 when a check failed, 1 with `--strict` and a warning, else 0. */
export async function runDoctor({ flags, fix, strict, json }: DoctorOptions, io: Io): Promise<number> {
  const checks = await runChecks(allChecks, await gatherScene(flags, io), fix);
  if (json) printJson(io, { checks });
  else io.out(withCallableCommands(reportText(checks, styleFor(io.colour.out)), io.env));
  return exitCode(checks, strict);
}

/**
 * Report of `footbridge doctor --json` as a value; with `facts` about the bridge that has them. A failed check does not
 * reject the promise.
 */
export async function examine(
  flags: Flags,
  io: Io,
  facts?: BridgeFacts,
): Promise<{ readonly checks: readonly CheckResult[] }> {
  return { checks: await runChecks(allChecks, await gatherScene(flags, io, facts), false) };
}

export function exitCode(checks: readonly CheckResult[], strict: boolean): number {
  const has = (verdict: Verdict): boolean => checks.some((check) => check.verdict === verdict);
  if (has('failed')) return ExitCode.FINDINGS;
  return strict && has('warning') ? ExitCode.FAILED : ExitCode.OK;
}

const LABELS: { readonly [V in Verdict]: string } = {
  ok: 'ok',
  warning: 'warning',
  failed: 'FAILED',
  'not applicable': '-',
};
const LABEL_WIDTH = Math.max(...Object.values(LABELS).map(({ length }) => length));

/** Report for the user: one paragraph per check with its advice, then a summary. */
export function reportText(checks: readonly CheckResult[], style: Style): string {
  const width = Math.max(...checks.map(({ id }) => id.length));
  const indent = ' '.repeat(LABEL_WIDTH + width + 4);
  const paragraphs = checks.map(({ id, verdict, evidence, fix, fixed = [] }) => {
    const label = painted(verdict, LABELS[verdict].padEnd(LABEL_WIDTH), style);
    const lines = [
      ...evidence,
      ...fixed.map((line) => style.good(`mended: ${line}`)),
      // Each alternative is a line of its own, so that a user can copy it.
      ...(fix === null ? [] : fix.split('\n').map((line) => style.strong(`to do: ${line}`))),
    ];
    return `${label}  ${id.padEnd(width)}  ${lines.join(`\n${indent}`)}\n`;
  });
  return `${paragraphs.join('')}\n${summary(checks)}\n`;
}

function painted(verdict: Verdict, text: string, style: Style): string {
  switch (verdict) {
    case 'ok':
      return style.good(text);
    case 'warning':
      return style.warn(text);
    case 'failed':
      return style.bad(text);
    case 'not applicable':
      return style.faint(text);
  }
}

function summary(checks: readonly CheckResult[]): string {
  const found = checks.filter(({ verdict }) => verdict === 'failed' || verdict === 'warning');
  const count = (verdict: Verdict): number => checks.filter((check) => check.verdict === verdict).length;
  const [failed, warnings] = [count('failed'), count('warning')];
  if (failed === 0 && warnings === 0) return 'Nothing is wrong.';
  return [
    `${failed} failed, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}: ${found.map(({ id }) => id).join(', ')}.`,
    `footbridge doctor --explain ${found[0]?.id} says what that means.`,
  ].join('\n');
}
