import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Environment, OsName } from '../endpoint/endpoints.ts';
import { systemProgram } from './system-program.ts';

/** Variable that names the browser, where it is in no usual place. */
const CHROMIUM_VARIABLE = 'FOOTBRIDGE_CHROMIUM';

/** Program of a browser of the Chromium family, or the reason why there is none, with the remedy. */
export type ChromiumProgram =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing'; readonly reason: string };

/** Names in PATH, the preferred first. */
const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
  'chromium-headless-shell',
];

/** Applications of macOS, and programs below the folders of programs of Windows. */
const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
const WINDOWS_PROGRAMS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];
const WINDOWS_FOLDERS = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'];

/** Finds a browser: the one that FOOTBRIDGE_CHROMIUM names, or the first in the usual places. */
export function findChromium(os: OsName, env: Environment): ChromiumProgram {
  const named = env[CHROMIUM_VARIABLE];
  if (named !== undefined && named !== '') {
    if (isAbsolute(named) && isRunnable(named)) return { kind: 'found', path: named };
    const reason = `${CHROMIUM_VARIABLE}: ${JSON.stringify(named)} is no program. Give the absolute path of a Chromium, Chrome or Edge.`;
    return { kind: 'missing', reason };
  }
  const path = placesOf(os, env).find((one) => one !== undefined);
  if (path !== undefined) return { kind: 'found', path };
  const reason =
    'no Chromium, Chrome or Edge is installed here, and none is downloaded. Install one ' +
    `(Debian: apt install chromium), or name its program in ${CHROMIUM_VARIABLE}.`;
  return { kind: 'missing', reason };
}

function placesOf(os: OsName, env: Environment): readonly (string | undefined)[] {
  switch (os) {
    case 'linux':
      return NAMES.map((name) => systemProgram(name, env));
    case 'darwin':
      return MAC_APPS.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`).filter(isRunnable);
    case 'win32':
      return WINDOWS_FOLDERS.flatMap((variable) => env[variable] ?? [])
        .flatMap((folder) => WINDOWS_PROGRAMS.map((program) => join(folder, program)))
        .filter(isRunnable);
  }
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
