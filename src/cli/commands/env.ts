import { printableLines } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import { defineCommand, textOption } from '../command.ts';
import { printJson } from '../daemon-client.ts';
import { runWithBridge } from '../env/run-with-bridge.ts';
import { shells, shellText } from '../env/shell-text.ts';
import { runningVariables } from '../env/variables.ts';

/** `footbridge env`. */
export const env = defineCommand({
  name: 'env',
  summary: 'Print the variables with which programs find the running bridge',
  group: 'develop',
  options: {
    shell: textOption(shells.join('|'), 'syntax of the lines (default sh; powershell on Windows)', {
      choices: shells,
    }),
  },
  json: true,
  details: [
    'XDG_RUNTIME_DIR leads every client library to the folder of the endpoint. FOOTBRIDGE_ENDPOINT is the path of the',
    'endpoint: the client library, the SDK and the commands of Footbridge use that one alone. FOOTBRIDGE_API is the base',
    'address of the token endpoint, FOOTBRIDGE_WS the address of the WebSocket, FOOTBRIDGE_CONTROL the path of the',
    'control socket. What the bridge does not offer is left out. --json prints one object.',
  ],
  examples: [
    ['eval "$(footbridge env)"', 'Set them in this shell'],
    ['footbridge env --shell fish | source', 'The same in fish'],
    ['footbridge env --json', 'For a script'],
  ],
  async run({ values: { shell }, json }, io) {
    const variables = await runningVariables(io);
    if (json) printJson(io, variables);
    else {
      const text = shellText(shell ?? (process.platform === 'win32' ? 'powershell' : 'sh'), variables);
      io.out(io.terminal.out ? printableLines(text) : text);
    }
    return ExitCode.OK;
  },
});

/** `footbridge exec -- COMMAND…`. */
export const exec = defineCommand({
  name: 'exec',
  summary: 'Run a command that finds the running bridge',
  group: 'develop',
  positionals: [
    { name: 'COMMAND', help: 'the command and its arguments', arity: 'many', isCommandLine: true },
  ],
  details: [
    'The command gets the variables that "footbridge env" prints, and this terminal. Signals are passed on to it.',
    'The exit code is that of the command, or 128 plus its signal; 127 where it is not there, 126 where it cannot be',
    'run, and 69 where no bridge runs.',
  ],
  examples: [
    ['footbridge exec -- npm test', 'A test against the bridge that runs already'],
    [`footbridge exec -- sh -c 'echo "$FOOTBRIDGE_ENDPOINT"'`, 'With the variables in its arguments'],
  ],
  run: ({ positionals }, io) => runWithBridge(positionals, io),
});
