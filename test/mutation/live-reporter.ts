import { relative } from 'node:path';
import { type MutantResult, type MutantTestPlan, PlanKind } from '@stryker-mutator/api/core';
import { commonTokens, tokens } from '@stryker-mutator/api/plugin';
import type { MutationTestingPlanReadyEvent, Reporter } from '@stryker-mutator/api/report';
import { type SampleOptions, sampleOf } from './sample.ts';
import { describeMutant, NOT_SAMPLED } from './summary.ts';

/** How many results there are between two lines about the progress. */
const STEP = 50;

/** As much of Stryker's options as the reporter reads. */
interface ReporterOptions {
  readonly sample?: SampleOptions;
}

/** Prints each survivor when it is found, so that a long run need not be waited for. Takes a sample of the planned mutants. */
export class LiveReporter implements Reporter {
  static inject = tokens(commonTokens.options);
  readonly #options: ReporterOptions;
  #total = 0;
  #tested = 0;

  constructor(options: object) {
    this.#options = options;
  }

  onMutationTestingPlanReady({ mutantPlans }: MutationTestingPlanReadyEvent): void {
    const { sample } = this.#options;
    // Stryker carries out the list that it announces here, and offers no other place that knows all mutants and their coverage.
    if (sample) leaveOut(mutantPlans as MutantTestPlan[], sample);
    this.#total = mutantPlans.filter(({ plan }) => plan === PlanKind.Run).length;
  }

  onMutantTested({ fileName, status, location, replacement }: MutantResult): void {
    if (status === 'Ignored') return;
    this.#tested += 1;
    const { line, column } = location.start;
    const mutant = { file: relative(process.cwd(), fileName), status, line, column, source: '', replacement };
    if (status === 'Survived' || status === 'NoCoverage')
      process.stdout.write(`survived: ${describeMutant(mutant)}\n`);
    if (this.#tested % STEP === 0) process.stdout.write(`${this.#tested} of ${this.#total} mutants\n`);
  }
}

/** Turns the plans outside of the sample into results that say so. */
function leaveOut(plans: MutantTestPlan[], options: SampleOptions): void {
  const planned = plans.filter(({ plan }) => plan === PlanKind.Run);
  const sampled = new Set(sampleOf(planned, keyOf, options));
  for (const [at, { plan, mutant }] of plans.entries()) {
    const left = plan === PlanKind.Run && !sampled.has(plans[at] as MutantTestPlan);
    if (left)
      plans[at] = {
        plan: PlanKind.EarlyResult,
        mutant: { ...mutant, status: 'Ignored', statusReason: NOT_SAMPLED },
      };
  }
}

function keyOf({ mutant }: MutantTestPlan): string {
  const { line, column } = mutant.location.start;
  const place = [line, column].map((number) => String(number).padStart(5, '0')).join(':');
  return `${relative(process.cwd(), mutant.fileName)}:${place}:${mutant.mutatorName}:${mutant.replacement}`;
}
