import { relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import type { MutationTestingPlanReadyEvent, Reporter } from '@stryker-mutator/api/report';
import { describeMutant } from './summary.ts';

/** How many results there are between two lines about the progress. */
const STEP = 50;

/** Prints each survivor when it is found, so that a long run need not be waited for. */
export class LiveReporter implements Reporter {
  #total = 0;
  #tested = 0;

  onMutationTestingPlanReady({ mutantPlans }: MutationTestingPlanReadyEvent): void {
    this.#total = mutantPlans.length;
  }

  onMutantTested({ fileName, status, location, replacement }: MutantResult): void {
    this.#tested += 1;
    const { line, column } = location.start;
    const mutant = { file: relative(process.cwd(), fileName), status, line, column, source: '', replacement };
    if (status === 'Survived' || status === 'NoCoverage')
      process.stdout.write(`survived: ${describeMutant(mutant)}\n`);
    if (this.#tested % STEP === 0) process.stdout.write(`${this.#tested} of ${this.#total} mutants\n`);
  }
}
