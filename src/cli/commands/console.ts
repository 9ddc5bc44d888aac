import { defineCommand, flag } from '../command.ts';

/** `footbridge console`. */
export const console = defineCommand({
  name: 'console',
  summary: 'Open the web console: traffic, waiting requests and the state of the emulator',
  group: 'bridge',
  options: {
    'no-open': flag('print the address, and start no browser'),
  },
  json: true,
  details: [
    'It serves a page on 127.0.0.1 until it is ended, for this user alone. The address that it prints opens the page once,',
    'within ten minutes, in one browser; Enter prints another one. With --json it prints {"url"} and goes on.',
    'An app cannot approve its own request there, nor can a browser or a console that it started.',
  ],
  examples: [
    ['footbridge console', 'Look at the bridge'],
    ['footbridge console --no-open --json', 'For a script: one line has the address'],
  ],
  async run({ values, json }, io) {
    const { runConsole } = await import('../console/run-console.ts');
    return runConsole({ json, open: values['no-open'] !== true }, io);
  },
});
