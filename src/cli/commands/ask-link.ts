import { ExitCode } from '../../daemon/exit-codes.ts';
import { defineCommand } from '../command.ts';
import { daemonClient, printJson } from '../daemon-client.ts';

/** `footbridge ask-link APP`. */
export const askLink = defineCommand({
  name: 'ask-link',
  summary: 'Ask an application to start linking its account (AUTHORIZE_REQUEST)',
  group: 'emulator',
  positionals: [
    { name: 'APP', help: 'id or exact name of the application', arity: 'one', completes: 'applications' },
  ],
  json: true,
  details: ['Reaches the sessions of the application that subscribed to AUTHORIZE_REQUEST.'],
  examples: [["footbridge ask-link 'Harbour Example'", 'As if you had clicked on it in the client']],
  async run({ positionals, json }, io) {
    const answer = (await daemonClient(io).call('link.ask', { app: positionals[0] })) as LinkAnswer;
    if (json) printJson(io, answer);
    else if (answer.linked) io.out('Already linked: nothing was sent.\n');
    else io.out(`Sent to ${answer.sessions} ${answer.sessions === 1 ? 'session' : 'sessions'}.\n`);
    return ExitCode.OK;
  },
});

interface LinkAnswer {
  readonly linked: boolean;
  readonly sessions: number;
}
