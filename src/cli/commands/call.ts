import { callEndpoint } from '../call/call.ts';
import { defineCommand } from '../command.ts';

/** The first application of the built-in fixture; the emulator takes any other id as well. */
const DEFAULT_CLIENT_ID = '300000000000000001';

/** `footbridge call CMD`. */
export const call = defineCommand({
  name: 'call',
  summary: 'Send one request to an endpoint and print the answer',
  group: 'develop',
  positionals: [
    { name: 'CMD', help: 'command of the protocol, such as GET_GUILDS', arity: 'one', completes: 'commands' },
    { name: 'JSON|-|@FILE', help: 'its arguments (default {}), - for stdin', arity: 'optional' },
  ],
  options: {
    'client-id': {
      type: 'string',
      value: 'ID',
      completes: 'applications',
      help: `application to be (default ${DEFAULT_CLIENT_ID})`,
    },
    endpoint: { type: 'string', value: 'PATH', help: 'socket or pipe (default: the first that answers)' },
    'any-owner': { type: 'boolean', help: 'take a socket of another user too, who is then sent everything' },
    evt: { type: 'string', value: 'NAME', completes: 'events', help: 'event of SUBSCRIBE and UNSUBSCRIBE' },
    'token-file': {
      type: 'string',
      value: 'FILE',
      help: 'authenticate with the token in this file, - for stdin',
    },
    timeout: {
      type: 'string',
      value: 'S',
      help: 'seconds until the answer, with all that comes before it (default 10; AUTHORIZE 130)',
    },
    follow: { type: 'boolean', help: 'go on printing events, one JSON value a line' },
  },
  json: true,
  details: [
    'The answer is JSON with or without --json. An ERROR goes to stderr, with exit code 1, and so does the end of the',
    'connection while --follow prints.',
  ],
  examples: [
    [
      `footbridge call SET_ACTIVITY '{"pid":1,"activity":{"state":"hello"}}'`,
      'Whatever app that is; needs no authorization',
    ],
    [
      `footbridge call AUTHORIZE '{"client_id":"300000000000000001","scopes":["rpc","identify"]}' --timeout 60`,
      'Ask for consent, and wait a minute for it',
    ],
  ],
  async run({ values, positionals: [cmd = '', args] }, io) {
    const options = {
      cmd,
      args,
      evt: values.evt,
      clientId: values['client-id'] ?? DEFAULT_CLIENT_ID,
      endpoint: values.endpoint,
      anyOwner: values['any-owner'] === true,
      tokenFile: values['token-file'],
      timeout: values.timeout,
      follow: values.follow === true,
    };
    return callEndpoint(options, io);
  },
});
