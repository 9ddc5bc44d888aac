import { LocalError, systemCode } from '../src/base/local-error.ts';
import type { Command, Ran, Runner } from './manager.ts';

/**
 * Runs a program. A program that cannot be started gives a result without an exit code, with the reason in `stderr`.
 */
export async function attempt(run: Runner, command: Command): Promise<Ran> {
  try {
    return await run(command);
  } catch (error) {
    return { code: undefined, stdout: '', stderr: `${command[0]}: ${systemCode(error) ?? String(error)}` };
  }
}

/** Returns the error for a required program that failed; `what` names the program and its command. */
export function refusal(what: string, { code, stderr }: Ran): LocalError {
  const [line = ''] = stderr.trim().split(/\r?\n/, 1);
  const reason = line.replace(/\.$/, '').slice(0, 300) || 'no reason given';
  return new LocalError('FOOTBRIDGE_SERVICE', `"${what}" failed with ${code ?? 'no exit code'}: ${reason}.`);
}

/** Error for a start without an installation. */
export function notInstalled(): LocalError {
  return new LocalError('FOOTBRIDGE_NOT_INSTALLED', 'No service is installed. Run: footbridge install');
}
