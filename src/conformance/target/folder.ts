import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../failure.ts';
import { describeSystemError } from '../system-error.ts';

/** Temporary home of a started server: the folder of its endpoint, and of every file that it may write. */
export interface PrivateFolder {
  /** Folder of the endpoints. */
  readonly run: string;
  readonly root: string;
  remove(): void;
}

function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'cf-'));
  } catch (error) {
    const variable = platform() === 'win32' ? 'TEMP' : 'TMPDIR';
    throw new UsageError(
      `${tmpdir()}: no temporary folder can be made there: ${describeSystemError(error)}. ` +
        `Set ${variable} to a folder that you may write to.`,
    );
  }
}

/**
 * Creates a private folder. Throws {@link UsageError}. Its name is short, because the path of a unix socket is limited
 * to about a hundred bytes.
 */
export function privateFolder(): PrivateFolder {
  const root = temporaryFolder();
  const run = join(root, 'run');
  mkdirSync(run, { mode: 0o700 });
  return { root, run, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/**
 * Environment of a server in `folder`: every variable that selects the folder of the endpoint or of a file points
 * there. Command lines can use `CONFORMANCE_FOLDER`.
 */
export function privateEnv(
  env: Readonly<Record<string, string | undefined>>,
  folder: PrivateFolder,
): Record<string, string | undefined> {
  const home = (name: string) => join(folder.root, name);
  return {
    ...env,
    XDG_RUNTIME_DIR: folder.run,
    TMPDIR: folder.run,
    TMP: folder.run,
    TEMP: folder.run,
    XDG_CONFIG_HOME: home('config'),
    XDG_DATA_HOME: home('data'),
    XDG_STATE_HOME: home('state'),
    XDG_CACHE_HOME: home('cache'),
    CONFORMANCE_FOLDER: folder.root,
    DISCORD_INSTANCE_ID: undefined,
    // Clients of Footbridge connect to the path in this variable instead of the folder.
    FOOTBRIDGE_ENDPOINT: undefined,
  };
}
