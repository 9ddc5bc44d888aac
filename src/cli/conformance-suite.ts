import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LocalError, systemCode } from '../../platform/local-error.ts';
import type { ConformanceIo } from '../conformance/run.ts';

/** The suite's package: the npm package of the bridge leaves it out, because few need it and it weighs a fifth. */
const PACKAGE = '@footbridge/conformance';

/** The conformance suite, wherever it comes from. */
export interface ConformanceSuite {
  /** Runs one command line; resolves with the exit code. */
  runConformance(argv: readonly string[], io: ConformanceIo): Promise<number>;
}

/**
 * Loads the suite that lies beside the program, or else the package as the program sees it, or as the folder does in
 * which it was started: whoever installs it there means it. Throws `LocalError` FOOTBRIDGE_NO_SUITE when there is none.
 */
export async function loadSuite(folder = process.cwd()): Promise<ConformanceSuite> {
  const beside = await present(() => import('../conformance/run.ts'));
  if (beside !== undefined) return beside;
  for (const from of [import.meta.url, join(folder, 'package.json')]) {
    const entry = entrySeenFrom(from);
    if (entry === undefined) continue;
    const suite = (await import(pathToFileURL(entry).href)) as Partial<ConformanceSuite>;
    if (typeof suite.runConformance === 'function') return suite as ConformanceSuite;
  }
  throw new LocalError(
    'FOOTBRIDGE_NO_SUITE',
    `The conformance suite is a package of its own, and it is not installed: run "npm install ${PACKAGE}" here, ` +
      `or "npx ${PACKAGE}" instead of this command.`,
  );
}

/** What is loaded, unless the file itself is not there. */
async function present<T>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load();
  } catch (error) {
    if (systemCode(error) === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function entrySeenFrom(from: string): string | undefined {
  try {
    return createRequire(from).resolve(PACKAGE);
  } catch {
    return undefined;
  }
}
