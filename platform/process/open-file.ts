import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Environment, OsName } from '../endpoint/endpoints.ts';
import { systemProgram } from './system-program.ts';

/**
 * Opens a file in the program that the user has chosen for it, as a click on the file does, without a shell and without
 * waiting for the program. Resolves with the reason when the program could not be started, and with undefined when it
 * runs. The package `open` is not used, because it takes the first suitable program in PATH without checking the
 * permissions of its folder.
 */
export function openFile(os: OsName, path: string, env: Environment): Promise<string | undefined> {
  const [name, program, ...args] = openerOf(os, env);
  if (program === undefined)
    return Promise.resolve(`${name} is in no folder of PATH that only you and root can write to`);
  return new Promise((resolve) => {
    const opener = spawn(program, [...args, path], { detached: true, stdio: 'ignore', env });
    opener.once('error', (error) => resolve(`${name}: ${error.message}`));
    opener.once('spawn', () => {
      opener.unref();
      resolve(undefined);
    });
  });
}

/** Returns the name of the opener, its path and its first arguments. */
function openerOf(os: OsName, env: Environment): readonly [string, string | undefined, ...string[]] {
  if (os === 'win32') {
    const system = join(env['SystemRoot'] ?? 'C:\\Windows', 'System32');
    return ['rundll32.exe', join(system, 'rundll32.exe'), 'url.dll,FileProtocolHandler'];
  }
  const name = os === 'darwin' ? 'open' : 'xdg-open';
  return [name, systemProgram(name, env)];
}
