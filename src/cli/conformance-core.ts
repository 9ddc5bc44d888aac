import { parseArgs } from 'node:util';
import { ExitCode } from '../daemon/exit-codes.ts';
import type { Io } from '../daemon/io.ts';
import { validateCore } from '../daemon/validate-core.ts';

const HELP = `Usage: footbridge conformance core --command COMMAND [--timeout MS]

Starts COMMAND in a shell with FOOTBRIDGE_ATTACH_URL and FOOTBRIDGE_ATTACH_CODE in its environment. It attaches there,
as a chat client in any language does, and stays; it is asked what apps ask, and its answers are held to their shapes.
Then the bridge restarts, and the program has to come back with the token that it got for the code.

  --command …   shell command that runs the program
  --timeout …   milliseconds that it may take to attach, and to come back (default 10000)

Exit codes: 0 it keeps the contract; 1 it breaks the rule that is named; 64 wrong options; 69 it did not attach.
`;

/** `footbridge conformance core …`: the contract of a client core, over the attach protocol. */
export async function runCoreConformance(argv: readonly string[], io: Io): Promise<number> {
  const wrong = (text: string): number => {
    io.err(`conformance: ${text}\n`);
    return ExitCode.USAGE;
  };
  let values: { command?: string; timeout?: string; help?: boolean };
  try {
    const options = {
      command: { type: 'string' },
      timeout: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    } as const;
    values = parseArgs({ args: [...argv], options }).values;
  } catch (error) {
    return wrong(error instanceof Error ? error.message : 'unknown option');
  }
  if (values.help) {
    io.out(HELP);
    return ExitCode.OK;
  }
  const { command, timeout = '10000' } = values;
  if (!command) return wrong('"core" needs --command');
  if (!/^\d{3,6}$/.test(timeout))
    return wrong(`--timeout: "${timeout}" is no number of milliseconds from 100`);
  return validateCore({ command, attachMs: Number(timeout), env: io.env, out: (text) => io.out(text) });
}
