import { constants } from 'node:os';
import { didYouMean } from '../../base/nearest.ts';
import { defineCommand } from '../command.ts';
import { loadSuite } from '../conformance-suite.ts';
import { usage } from '../parse.ts';

const SUBJECTS = ['server', 'client', 'core'];

/** `footbridge conformance server|client|core …`. The suites have a command line of their own. */
export const conformance = defineCommand({
  name: 'conformance',
  summary: 'Test any server or client of the protocol, or a program that attaches',
  group: 'develop',
  positionals: [
    {
      name: 'server|client|core',
      help: 'what to test; each shows its options with --help',
      arity: 'one',
      completes: SUBJECTS,
    },
  ],
  raw: true,
  examples: [
    ['footbridge conformance server --help', 'The options for a server'],
    ["footbridge conformance server --start 'my-server'", 'A server of your own'],
    ["footbridge conformance client --command 'my-client'", 'A client of your own'],
  ],
  async run({ positionals }, io) {
    const [subject = ''] = positionals;
    // The suite does not know "core", so unknown subjects are rejected here.
    if (!subject.startsWith('-') && !SUBJECTS.includes(subject)) {
      const problem = `${JSON.stringify(subject.slice(0, 60))} is none of ${SUBJECTS.join(', ')}.${didYouMean(subject, SUBJECTS)}`;
      throw usage(problem, { name: 'conformance' });
    }
    if (subject === 'core') {
      const { runCoreConformance } = await import('../conformance-core.ts');
      return runCoreConformance(positionals.slice(1), io);
    }
    const suite = await loadSuite();
    // The first signal ends the processes of the suite; a second signal ends this process.
    const interrupt = new AbortController();
    let interruptedWith: number | undefined;
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(name, () => {
        interruptedWith ??= 128 + constants.signals[name];
        interrupt.abort();
      });
    }
    const code = await suite.runConformance(positionals, {
      out: (text) => io.out(text),
      err: (text) => io.err(text),
      isTerminal: io.terminal.err,
      color: io.colour.out,
      env: io.env,
      signal: interrupt.signal,
    });
    return interruptedWith ?? code;
  },
});
