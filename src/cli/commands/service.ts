import { defineCommand, flag, textOption } from '../command.ts';
import { runControl } from '../service/control.ts';
import { runInstall } from '../service/install.ts';
import { runLogs } from '../service/logs.ts';
import { runUninstall } from '../service/uninstall.ts';

/** `footbridge install`. */
export const install = defineCommand({
  name: 'install',
  summary: 'Run the bridge in the background, from every login on',
  group: 'service',
  json: true,
  options: {
    core: textOption(
      'NAME|FILE',
      'client core (default: the one in footbridge.toml, else upstream); attach, emulator, or a module',
      { completes: 'cores' },
    ),
    fallback: textOption('NAME|FILE', 'core that serves while the upstream is away', { completes: 'cores' }),
    'bridge-port': textOption('N', 'port for arRPC consumers of --core attach (default none)'),
    'no-start': flag('leave the start to the next login'),
    linger: flag('run it from boot on and after a logout too (systemd)'),
    socket: flag('let the manager hold the endpoint, so that no app is refused meanwhile (systemd)'),
    endpoints: flag(
      'also serve apps in Flatpaks and snaps, where some are installed; a terminal is asked without it',
    ),
    print: flag('print the files and commands, and touch nothing'),
    force: flag('replace files that were edited'),
  },
  details: [
    'Every other setting, and the core without an option, belongs in footbridge.toml (see config show): the service',
    'reads it at each start.',
    'A second install changes only what its options name: --core, --fallback, --bridge-port, --linger and --socket of the',
    'first one stay in force (uninstall removes them all; another --core removes --fallback and --bridge-port). A program in a temporary place (npx, a checkout) is',
    'copied first. The emulator as a login service takes every app away from the real chat client, and so has to be asked for.',
  ],
  examples: [
    ['footbridge install --print', 'See what it would do'],
    ['footbridge install', 'In front of the chat client, from every login on'],
    ['footbridge install --core emulator', 'The emulator instead of the real client'],
  ],
  async run({ values, json }, io) {
    return runInstall(values, json, io);
  },
});

/** `footbridge uninstall`. */
export const uninstall = defineCommand({
  name: 'uninstall',
  summary: 'Stop the background service and remove its installation',
  group: 'service',
  json: true,
  options: {
    purge: flag('also remove grants, tokens, paired clients and logs'),
    force: flag('also remove files that were edited'),
  },
  examples: [
    ['footbridge uninstall', 'Keep grants, tokens and logs'],
    ['footbridge uninstall --purge', 'Leave nothing behind but what you wrote yourself'],
  ],
  async run({ values, json }, io) {
    return runUninstall(values, json, io);
  },
});

/** `footbridge start`. */
export const start = defineCommand({
  name: 'start',
  summary: 'Start the background service',
  group: 'service',
  json: true,
  examples: [['footbridge start', 'After a stop, or an installation with --no-start']],
  async run({ json }, io) {
    return runControl('start', json, io);
  },
});

/** `footbridge stop`. */
export const stop = defineCommand({
  name: 'stop',
  summary: 'Stop the background service until the next login',
  group: 'service',
  json: true,
  examples: [['footbridge stop', 'Until the next login, or footbridge start']],
  async run({ json }, io) {
    return runControl('stop', json, io);
  },
});

/** `footbridge restart`. */
export const restart = defineCommand({
  name: 'restart',
  summary: 'Stop the background service and start it again',
  group: 'service',
  json: true,
  examples: [['footbridge restart', 'After a change that needs a new start']],
  async run({ json }, io) {
    return runControl('restart', json, io);
  },
});

/** `footbridge logs`. */
export const logs = defineCommand({
  name: 'logs',
  summary: 'Print the log of the background service',
  group: 'service',
  options: {
    follow: flag('go on as lines are added; with --json one a line', { short: 'f' }),
    lines: textOption('N', 'how many lines of the past (default 50)', { short: 'n' }),
  },
  examples: [
    ['footbridge logs --follow', 'What happens right now'],
    ['footbridge logs --lines 200 --json', 'More of the past, as a list of lines'],
  ],
  json: true,
  async run({ values, json }, io) {
    return runLogs(values, json, io);
  },
});
