import { consentPolicies, logLevels, type SettingName, settingKeys } from '../../daemon/config/keys.ts';
import type { ConsoleParts } from '../../daemon/console.ts';
import { defineCommand, flag, textOption } from '../command.ts';

/** An option that overrides a setting for this run; `note` names the default. */
const setting = (name: SettingName, value: string, note = '', facts = {}) =>
  textOption(value, `${settingKeys[name].about}${note}`, facts);

/** `footbridge run`. */
export const run = defineCommand({
  name: 'run',
  summary: 'Serve the endpoint until stopped',
  group: 'bridge',
  json: true,
  options: {
    config: textOption('FILE', 'configuration file of the bridge'),
    core: setting('core', 'NAME|FILE', ' (default emulator)', { completes: 'cores' }),
    upstream: setting('upstream', 'PATH|auto', ' (default auto)'),
    fallback: setting('fallback', 'NAME|FILE', ' (default none)', { completes: 'cores' }),
    'attach-port': setting('attach_port', 'N', ' (default 6480)'),
    'attach-origins': setting('attach_origins', 'LIST'),
    'bridge-port': setting('bridge_port', 'N', ' (default none)'),
    'bridge-secrets': setting('bridge_secrets', 'true|false', ' (default false)', {
      choices: ['true', 'false'],
    }),
    fixture: setting('fixture', 'FILE'),
    consent: setting('consent', 'ask|allow|deny', ' (default ask)', { choices: consentPolicies }),
    index: setting('index', 'N|auto', ' (default auto)'),
    'http-port': setting('http_port', 'N', ' (default auto)'),
    'gateway-connections': setting('gateway_connections', 'N', ' (default 2000)'),
    'ws-port': setting('ws_port', 'N|auto|off', ' (default auto)'),
    'data-dir': setting('data_dir', 'DIR'),
    force: flag('take the endpoint from a live program of yours that has it'),
    service: flag('a service manager runs it: SIGHUP reads configuration and fixture again'),
    'log-files': flag('keep the log in two files of 1 MiB in the log folder instead of on stderr'),
    'log-level': setting('log_level', 'LEVEL', ' (debug, info, warn, error or silent)', {
      choices: logLevels,
    }),
    notifications: setting('notifications', 'true|false', ' (default true)', { choices: ['true', 'false'] }),
    journal: setting('journal', 'true|false', ' (default true, with --service false)', {
      choices: ['true', 'false'],
    }),
  },
  details: [
    'With --json one line is printed on stdout once everything listens; all else goes to stderr.',
    'SIGTERM, SIGINT, SIGQUIT and SIGXCPU end it within 2.5 seconds, a second one at once. So does SIGHUP, unless a',
    'service manager started it (--service, or INVOCATION_ID or JOURNAL_STREAM without a terminal): then it reads the',
    'files again. Signals that mean nothing to it, such as SIGUSR1, SIGUSR2 and SIGALRM, change nothing.',
  ],
  examples: [
    ['footbridge run', 'The emulator answers every app, and asks you here before one may act for you'],
    ['footbridge run --core upstream', 'Behind it the chat client that serves the protocol itself'],
    [
      'footbridge run --consent allow --fixture world.toml --json',
      'In a script: one line of JSON says when it is ready, and where',
    ],
  ],
  async run({ values, json }, io) {
    const { runDaemon } = await import('../../daemon/run.ts');
    const reports: ConsoleParts = {
      doctor: async () => (await import('../doctor/doctor.ts')).examine(values, io),
      bugreport: async () => (await import('../bugreport/run-bugreport.ts')).bugreportOf(values, io),
    };
    return runDaemon({ flags: values, json, reports }, io);
  },
});
