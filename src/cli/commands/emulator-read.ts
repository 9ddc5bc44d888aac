import type { ControlClient } from '../../control/client.ts';
import type { Operations } from '../../control/generated.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import { defineCommand, textOption } from '../command.ts';
import { daemonClient, printJson } from '../daemon-client.ts';
import { usage } from '../parse.ts';

/** Maximum number of messages that are read, and the usual number. */
const MAX_READ = 100;
const USUAL_READ = 50;

/** `footbridge emulator read CHANNEL`. */
export const emulatorRead = defineCommand({
  name: 'emulator read',
  summary: 'The last messages of a text channel, or of the private one with a user, as a user sees them',
  group: 'emulator',
  positionals: [
    {
      name: 'CHANNEL',
      help: 'id or name of a text channel, or @USER',
      arity: 'one',
      completes: 'text-channels',
    },
  ],
  options: {
    limit: textOption('N', `how many, at most ${MAX_READ} (default ${USUAL_READ})`),
    as: textOption('USER', 'who reads; the logged-in user unless given', { completes: 'users' }),
  },
  json: true,
  details: [
    'Each message begins with its author, time and id; then come its text, files, embeds, components, poll and reactions. With --json: the',
    'messages of the channel in the form of a fixture, whoever may see them.',
  ],
  examples: [
    ['footbridge emulator read general', 'What was written there'],
    ['footbridge emulator read @heron --limit 5', 'In the private channel with a user'],
    ['footbridge emulator read general --as heron', 'As another user sees it'],
    ['footbridge emulator read general --json', 'For a script'],
  ],
  async run({ positionals: [channel = ''], values: { limit: typed, as: user }, json }, io) {
    const client = daemonClient(io);
    const limit = limitOf(typed);
    const args = { channel, ...(limit === undefined ? {} : { limit }) };
    if (json) {
      if (user !== undefined) throw usage('--as is not for --json.', { name: 'emulator read' });
      printJson(io, await client.call('channel.read', args));
      return ExitCode.OK;
    }
    io.out(await textOf(client, args, user));
    return ExitCode.OK;
  },
});

type View = Operations['channel.view']['result'];

async function textOf(
  client: ControlClient,
  args: { readonly channel: string },
  user: string | undefined,
): Promise<string> {
  const { messages, ...names } = await viewOf(client, args, user);
  if (messages.length === 0) return 'There is no message.\n';
  const { messageLines } = await import('../../message-text/lines.ts');
  const { now } = (await client.call('clock.now')) as Operations['clock.now']['result'];
  return messages.map((drawn) => `${messageLines(drawn, names, Date.parse(now)).join('\n')}\n`).join('\n');
}

/** A private channel that nobody has opened yet is empty, and no failure. */
async function viewOf(
  client: ControlClient,
  args: { readonly channel: string },
  user: string | undefined,
): Promise<Pick<View, 'messages' | 'users' | 'roles' | 'channels'>> {
  try {
    return (await client.call('channel.view', { ...args, ...(user === undefined ? {} : { user }) })) as View;
  } catch (error) {
    const written = (await client.call('channel.read', args)) as readonly unknown[];
    if (!args.channel.startsWith('@') || written.length > 0) throw error;
    return { messages: [], users: {}, roles: {}, channels: {} };
  }
}

/** Throws `LocalError` FOOTBRIDGE_USAGE. */
function limitOf(typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined;
  if (/^\d{1,10}$/.test(typed)) return Number(typed);
  throw usage(`--limit: ${JSON.stringify(typed.slice(0, 60))} is no whole number.`, {
    name: 'emulator read',
  });
}
