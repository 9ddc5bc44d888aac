import { spawn } from 'node:child_process';
import type { OsName } from './endpoints.ts';

/** What opens a file as a click on it does. None of them is a shell. */
const OPENERS: { readonly [O in OsName]: readonly [string, ...string[]] } = {
  linux: ['xdg-open'],
  darwin: ['open'],
  win32: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens a file in the program that the user has chosen for it, without waiting for that. Resolves with why it could not be
 * started, and with undefined once it runs.
 */
export function openFile(
  os: OsName,
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const [program, ...args] = OPENERS[os];
  return new Promise((resolve) => {
    const opener = spawn(program, [...args, path], { detached: true, stdio: 'ignore', env });
    opener.once('error', (error) => resolve(`${program}: ${error.message}`));
    opener.once('spawn', () => {
      opener.unref();
      resolve(undefined);
    });
  });
}
