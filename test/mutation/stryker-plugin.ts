import type { Ignorer } from '@stryker-mutator/api/ignore';
import { declareClassPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { absentKeyReason, docTextReason, recordSchemaReason, type SourcePath } from './doc-texts.ts';
import { LiveReporter } from './live-reporter.ts';
import { MutantRunner } from './mutant-runner.ts';

const ignorer: Ignorer = {
  shouldIgnore: (path) => {
    const place = path as unknown as SourcePath;
    return docTextReason(place) ?? recordSchemaReason(place) ?? absentKeyReason(place);
  },
};

/** What Stryker loads by its option `plugins`. */
export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'one-worker', MutantRunner),
  declareClassPlugin(PluginKind.Reporter, 'live', LiveReporter),
  declareValuePlugin(PluginKind.Ignore, 'doc-texts', ignorer),
];

/** The options of `run.ts` that Stryker itself does not have. */
export const strykerValidationSchema = { properties: { sample: { type: 'object' } } };
