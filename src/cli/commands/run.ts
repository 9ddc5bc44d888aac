import { defineCommand } from '../command.ts';

/** `footbridge run`. */
export const run = defineCommand({
  name: 'run',
  summary: 'Serve the endpoint until stopped',
  group: 'bridge',
  json: true,
  options: {
    config: { type: 'string', value: 'FILE', help: 'read this configuration file' },
    core: {
      type: 'string',
      value: 'NAME|FILE',
      completes: 'cores',
      help: 'client core that answers the apps: emulator (default), upstream, attach, or a module',
    },
    upstream: {
      type: 'string',
      value: 'PATH|auto',
      help: 'endpoint of the chat client for --core upstream (default auto: one above ours)',
    },
    fallback: {
      type: 'string',
      value: 'NAME|FILE',
      completes: 'cores',
      help: 'core that serves while the upstream is away',
    },
    'attach-port': {
      type: 'string',
      value: 'N',
      help: 'port where clients of --core attach connect (default 6480)',
    },
    'attach-origins': {
      type: 'string',
      value: 'LIST',
      help: 'more origins that may attach, with blanks between',
    },
    'bridge-port': {
      type: 'string',
      value: 'N',
      help: 'port for arRPC consumers of --core attach (default none)',
    },
    'bridge-secrets': {
      type: 'string',
      value: 'true|false',
      choices: ['true', 'false'],
      help: 'pass join secrets on over that port (default false)',
    },
    fixture: {
      type: 'string',
      value: 'FILE',
      help: 'users, guilds … of the emulator: TOML, or what emulator export wrote',
    },
    consent: {
      type: 'string',
      value: 'ask|allow|deny',
      choices: ['ask', 'allow', 'deny'],
      help: 'what happens when an app asks for authorization (default ask)',
    },
    index: {
      type: 'string',
      value: 'N|auto',
      help: 'endpoint index 0 to 9 (default auto: the first free one)',
    },
    'http-port': {
      type: 'string',
      value: 'N',
      help: 'port of the token endpoint (default auto: 6481, or any free one where that is taken)',
    },
    'gateway-connections': {
      type: 'string',
      value: 'N',
      help: 'bots and games at the gateway of the emulator at a time (default 2000)',
    },
    'ws-port': {
      type: 'string',
      value: 'N|auto|off',
      help: 'port for WebSocket and HTTP apps (default auto: the first free one of 6463 to 6472)',
    },
    'data-dir': { type: 'string', value: 'DIR', help: 'folder for grants and tokens' },
    force: { type: 'boolean', help: 'take the endpoint from a live program of yours that has it' },
    service: {
      type: 'boolean',
      help: 'a service manager runs it: SIGHUP reads configuration and fixture again',
    },
    'log-files': {
      type: 'boolean',
      help: 'keep the log in two files of 1 MiB in the log folder instead of on stderr',
    },
    'log-level': {
      type: 'string',
      value: 'LEVEL',
      choices: ['debug', 'info', 'warn', 'error', 'silent'],
      help: 'debug, info, warn, error or silent',
    },
    notifications: {
      type: 'string',
      value: 'true|false',
      choices: ['true', 'false'],
      help: 'show a desktop notification for each waiting request (default true)',
    },
    journal: {
      type: 'string',
      value: 'true|false',
      choices: ['true', 'false'],
      help: 'record traffic for "footbridge watch" (default true, with --service false)',
    },
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
    const { runDaemon } = await import('../bridge-parts.ts');
    const doctor = async (): Promise<unknown> => {
      const { examine } = await import('../doctor/doctor.ts');
      return examine(values, io);
    };
    return runDaemon({ flags: values, json, doctor }, io);
  },
});
