import { lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isTrustedOwner } from '../../platform/endpoint/endpoints.ts';
import { ownPackageEntry, ownPackageFolders } from '../../platform/native/own-packages.ts';
import { LocalError, systemCode } from '../base/local-error.ts';
import type { ConformanceIo } from '../conformance/run.ts';

/** The suite's package: the npm package of the bridge leaves it out, because few need it and it weighs a fifth. */
const PACKAGE = '@footbridge/conformance';

/** The conformance suite, wherever it comes from. */
export interface ConformanceSuite {
  /** Runs one command line; resolves with the exit code. */
  runConformance(argv: readonly string[], io: ConformanceIo): Promise<number>;
}

/**
 * Loads the suite that lies beside the program, or else the package out of our own folders, or out of the project in which
 * the program was started: whoever installs it there means it. Throws `LocalError` FOOTBRIDGE_NO_SUITE when there is none.
 */
export async function loadSuite(folder = process.cwd()): Promise<ConformanceSuite> {
  const beside = await present(() => import('../conformance/run.ts'));
  if (beside !== undefined) return beside;
  for (const folders of [ownPackageFolders(), projectFolders(folder)]) {
    const entry = ownPackageEntry(PACKAGE, folders);
    if (entry === undefined) continue;
    const suite = (await import(pathToFileURL(entry).href)) as Partial<ConformanceSuite>;
    if (typeof suite.runConformance === 'function') return suite as ConformanceSuite;
  }
  throw new LocalError(
    'FOOTBRIDGE_NO_SUITE',
    `The conformance suite is a package of its own, and it is not installed here: ${PACKAGE}. ` +
      'Make it with "npm run pack:conformance" in a checkout, and install dist/footbridge-conformance.tgz here.',
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

/**
 * The `node_modules` of the nearest folder above that has one, as a project has whose sub-folder we are started in. None
 * where that folder is not this user's or root's: anybody may make one in `/tmp`.
 */
function projectFolders(folder: string): readonly string[] {
  const uid = process.getuid?.();
  for (let above = resolve(folder); ; above = dirname(above)) {
    const packages = join(above, 'node_modules');
    const status = lstatSync(packages, { throwIfNoEntry: false });
    if (status !== undefined) {
      const isOurs = uid === undefined || isTrustedOwner(status.uid, uid);
      return isOurs && status.isDirectory() ? [packages] : [];
    }
    if (above === dirname(above)) return [];
  }
}
