import { appOptions, readAppFlags } from '../app/connection.ts';
import { within } from '../app/time-limit.ts';
import { callEndpoint } from '../call/call.ts';
import { defineCommand, flag, textOption } from '../command.ts';
import { usage } from '../parse.ts';
import { readTokenFlags, tokenOptions } from '../token/flags.ts';

const needsScopes = ['api', 'client-secret-file'] as const;

/** `footbridge call CMD`. */
export const call = defineCommand({
  name: 'call',
  summary: 'Send requests to an endpoint and print the answers',
  group: 'develop',
  positionals: [
    {
      name: 'CMD|-',
      help: 'command such as GET_GUILDS; - for one request a line of stdin',
      arity: 'one',
      completes: 'commands',
    },
    { name: 'JSON|-|@FILE', help: 'its arguments (default {}), - for stdin', arity: 'optional' },
  ],
  options: {
    ...appOptions,
    evt: textOption('NAME', 'event of SUBSCRIBE and UNSUBSCRIBE', { completes: 'events' }),
    ...tokenOptions,
    'token-file': textOption(
      'FILE',
      'authenticate with the token, or the token response, in this file, - for stdin',
    ),
    follow: flag('go on printing events, one JSON value a line'),
  },
  json: true,
  details: [
    'The answer is JSON with or without --json. An ERROR goes to stderr, with exit code 1, and so does the end of the',
    'connection while --follow prints.',
    '',
    '--scopes authorizes first: it asks the user, exchanges the code, and stores the token until it expires, for this',
    'endpoint, application and scopes. "footbridge token --forget" removes stored tokens.',
    '',
    'With - each line of stdin is a request such as {"cmd":"SUBSCRIBE","evt":"VOICE_SETTINGS_UPDATE","args":{}}, sent over',
    'one connection when the one before is answered. Each answer is a line, {"cmd","data"} or {"cmd","error"}; the exit',
    'code is 1 when one was refused or the connection ended, and 64 at a line that is no request, where it stops.',
    '--timeout is for each line then.',
  ],
  examples: [
    [
      `footbridge call SET_ACTIVITY '{"pid":1,"activity":{"state":"hello"}}'`,
      'What any app may do without being authorized',
    ],
    ['footbridge call GET_GUILDS --scopes rpc', 'Authorized first: you are asked, once'],
    [
      'footbridge call SUBSCRIBE --evt VOICE_SETTINGS_UPDATE --scopes rpc --follow',
      'Print each change of your voice settings',
    ],
    [`echo '{"cmd":"GET_GUILDS"}' | footbridge call - --scopes rpc`, 'A request a line, over one connection'],
  ],
  async run({ values, positionals: [cmd = '', args] }, io) {
    const app = readAppFlags('call', values);
    const { scopes, 'token-file': tokenFile } = values;
    const alone = needsScopes.find((name) => scopes === undefined && values[name] !== undefined);
    if (alone !== undefined) throw usage(`--${alone} is of use only with --scopes.`, { name: 'call' });
    if (scopes !== undefined && tokenFile !== undefined)
      throw usage('Give --scopes or --token-file, not both.', { name: 'call' });
    if ([cmd, args].includes('-') && values['client-secret-file'] === '-')
      throw usage('Only one of requests, JSON and --client-secret-file can be read from stdin.', {
        name: 'call',
      });
    return within(app.limit, async () => {
      const authorize = scopes === undefined ? undefined : await readTokenFlags(app, values, io);
      const follow = values.follow === true;
      return callEndpoint({ app, cmd, args, evt: values.evt, tokenFile, authorize, follow }, io);
    });
  },
});
