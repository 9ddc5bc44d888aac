import { lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isTrustedOwner } from '../../platform/endpoint/endpoints.ts';
import { ownPackageEntry, ownPackageFolders } from '../../platform/native/own-packages.ts';
import { LocalError, systemCode } from '../base/local-error.ts';
import type { ConformanceIo } from '../conformance/run.ts';

/**
 * Package of the conformance suite. The bridge's own npm package leaves the suite out: few users need it, and it would
 * be a fifth of the package's size.
 */
const PACKAGE = '@footbridge/conformance';

/** Conformance suite, from the program itself or from an installed package. */
export interface ConformanceSuite {
  /** Runs one command line; resolves with the exit code. */
  runConformance(argv: readonly string[], io: ConformanceIo): Promise<number>;
}

/**
 * Loads the suite from the folder of the program, else from our own package folders, else from the project in which the
 * program was started. Throws `LocalError` FOOTBRIDGE_NO_SUITE when no folder contains the suite.
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

/** Imported module, or undefined when its file does not exist. */
async function present<T>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load();
  } catch (error) {
    if (systemCode(error) === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/**
 * List with the nearest `node_modules` at or above the folder. The list is empty where that folder belongs neither to
 * this user nor to root: in `/tmp` any user may create one.
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
