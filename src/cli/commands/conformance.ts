import { defineCommand } from '../command.ts';

/** `footbridge conformance server|client|core …`: the suites have a command line of their own. */
export const conformance = defineCommand({
  name: 'conformance',
  summary: 'Judge any server or client of the protocol, or a program that attaches',
  positionals: [
    { name: 'server|client|core …', help: 'what to judge; --help shows the options', arity: 'many' },
  ],
  raw: true,
  async run({ positionals }, io) {
    if (positionals[0] === 'core') {
      return (await import('../conformance-core.ts')).runCoreConformance(positionals.slice(1), io);
    }
    const { loadSuite } = await import('../conformance-suite.ts');
    const suite = await loadSuite();
    return suite.runConformance(positionals, {
      out: (text) => io.out(text),
      err: (text) => io.err(text),
      isTerminal: io.terminal.err,
      color: io.colour.out,
      env: io.env,
    });
  },
});
