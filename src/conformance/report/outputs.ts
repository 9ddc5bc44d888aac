import type { Options } from '../options.ts';
import type { Result } from '../verdict.ts';
import { htmlReport } from './html.ts';
import { jsonReport, junitReport, type RunFacts } from './machine.ts';
import { type OutputFile, openOutput } from './output-file.ts';

const REPORTS = { json: jsonReport, junit: junitReport, html: htmlReport } as const;

/** Targets of the reports and of the new baseline. */
export interface Outputs {
  readonly reports: readonly {
    readonly format: keyof typeof REPORTS;
    readonly write: (text: string) => void;
  }[];
  readonly baseline: OutputFile | undefined;
}

/** Opens every output file before the run. Throws {@link UsageError}. */
export function openOutputs(
  { reports, writeBaseline: baseline }: Options,
  out: (text: string) => void,
): Outputs {
  return {
    baseline: baseline === undefined ? undefined : openOutput(baseline, '--write-baseline'),
    reports: reports.map(({ format, file }) => ({
      format,
      write: file === undefined ? out : openOutput(file, '--report').write,
    })),
  };
}

/** Writes each report in its format. */
export function writeReports({ reports }: Outputs, facts: RunFacts, results: readonly Result[]): void {
  for (const { format, write } of reports) write(REPORTS[format](facts, results));
}
