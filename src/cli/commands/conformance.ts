import { defineCommand } from '../command.ts';

/** `footbridge conformance server|client …`: the suite has a command line of its own, also when run alone. */
export const conformance = defineCommand({
  name: 'conformance',
  summary: 'Judge any server or client of the protocol',
  positionals: [{ name: 'server|client …', help: 'what to judge; --help shows the options', arity: 'many' }],
  raw: true,
  async run({ positionals }, io) {
    const { runConformance } = await import('../../conformance/run.ts');
    return runConformance(positionals, {
      out: (text) => io.out(text),
      err: (text) => io.err(text),
      isTerminal: io.terminal.err,
      color: io.colour.out,
      env: io.env,
    });
  },
});
