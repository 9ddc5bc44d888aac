import { printable } from '../../base/text.ts';
import { withCallableCommands } from '../../daemon/called-as.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { type CliPositional, defineCommand, textOption } from '../command.ts';
import { daemonClient, printJson, printResult } from '../daemon-client.ts';
import { readArguments } from '../interact/arguments.ts';
import { failureOf, interactionLine, interactionText } from '../interact/interaction-text.ts';
import type { InteractionView } from '../interact/views.ts';
import { usage } from '../parse.ts';

const AS = textOption('USER', 'who does it; the logged-in user unless given', { completes: 'users' });
const WAIT = textOption(
  'SECONDS',
  'how long to wait for an answer that the application puts off, at most 900',
);
const MESSAGE: CliPositional = { name: 'MESSAGE', help: 'id of the message', arity: 'one' };

const ANSWER = [
  'Prints what the application answers first, for which it has 3 seconds, and what can be used of it next. What the client would not',
  'offer is refused, and nothing is sent to the application.',
];

/** What the commands for a message have in common. */
const PLAYED = { options: { as: AS, wait: WAIT }, json: true, details: ANSWER } as const;

/** `footbridge emulator use APP COMMAND [WORD…]`. */
export const emulatorUse = defineCommand({
  name: 'emulator use',
  summary: 'Use a command of an application, as a person does',
  group: 'emulator',
  positionals: [
    { name: 'APP', help: 'id or name', arity: 'one', completes: 'applications' },
    {
      name: 'COMMAND',
      help: '/NAME, or the name of a command for users or messages',
      arity: 'one',
      completes: 'slash-commands',
    },
    { name: 'WORD', help: 'names of subcommands, then NAME=VALUE; NAME=@PATH for a file', arity: 'any' },
  ],
  options: {
    as: AS,
    channel: textOption('CHANNEL', 'id or name, @USER in private; the first that both see unless given', {
      completes: 'text-channels',
    }),
    target: textOption('USER|MESSAGE', 'target of a command for users or messages'),
    autocomplete: textOption('NAME', 'only request the choices for this option'),
    wait: WAIT,
  },
  json: true,
  details: ANSWER,
  examples: [
    ['footbridge emulator use 300000000000000001 /tide', 'A command without options'],
    [
      "footbridge emulator use 'Harbour Example' /berth book boat=Otter nights=2",
      'A subcommand with options',
    ],
    ['footbridge emulator use 300000000000000001 /tide --as heron --channel general', 'As somebody else'],
    ["footbridge emulator use 300000000000000001 'Greet' --target otter", 'A command for users'],
    [
      'footbridge emulator use 300000000000000001 /berth find boat=Ot --autocomplete boat --json',
      'What is offered meanwhile',
    ],
  ],
  run({ positionals: [app, typed = '', ...rest], values, json }, io) {
    const { as: user, channel, target, autocomplete: option, wait } = values;
    const { leading: subcommands, values: options, files } = readArguments('emulator use', rest);
    const command = [typed, ...subcommands].join(' ');
    const used = { app, command, options, user, channel };
    if (option === undefined) {
      return interact(
        io,
        json,
        'interaction.use',
        { ...used, files, target, wait: seconds('use', wait) },
        user,
      );
    }
    if (target !== undefined || wait !== undefined) {
      const name = target === undefined ? '--wait' : '--target';
      throw usage(`${name} is not for --autocomplete.`, { name: 'emulator use' });
    }
    return interact(io, json, 'interaction.autocomplete', { ...used, option }, user);
  },
});

/** `footbridge emulator click MESSAGE BUTTON`. */
export const emulatorClick = defineCommand({
  name: 'emulator click',
  summary: 'Click a button of a message, as a person does',
  group: 'emulator',
  positionals: [MESSAGE, { name: 'BUTTON', help: 'its custom id or label', arity: 'one' }],
  ...PLAYED,
  examples: [['footbridge emulator click 1461234567890123456 accept', 'By its custom id']],
  run({ positionals: [message, button], values: { as: user, wait }, json }, io) {
    const args = { message, button, user, wait: seconds('click', wait) };
    return interact(io, json, 'interaction.click', args, user);
  },
});

/** `footbridge emulator choose MESSAGE SELECT VALUE…`. */
export const emulatorChoose = defineCommand({
  name: 'emulator choose',
  summary: 'Choose from a select of a message, as a person does',
  group: 'emulator',
  positionals: [
    MESSAGE,
    { name: 'SELECT', help: 'its custom id', arity: 'one' },
    {
      name: 'VALUE',
      help: 'value or label; id or name of a user, role or channel; none chooses nothing',
      arity: 'many',
    },
  ],
  ...PLAYED,
  examples: [['footbridge emulator choose 1461234567890123456 level low', 'One of its options']],
  run({ positionals: [message, select, ...chosen], values: { as: user, wait }, json }, io) {
    const args = { message, select, values: chosen, user, wait: seconds('choose', wait) };
    return interact(io, json, 'interaction.choose', args, user);
  },
});

/** `footbridge emulator submit INTERACTION [NAME=VALUE…]`. */
export const emulatorSubmit = defineCommand({
  name: 'emulator submit',
  summary: 'Fill in the modal that an application opened, and submit it',
  group: 'emulator',
  positionals: [
    { name: 'INTERACTION', help: 'id of the one that opened it', arity: 'one' },
    {
      name: 'NAME=VALUE',
      help: 'by the custom ids of its fields, again for several; NAME=@PATH for a file',
      arity: 'any',
    },
  ],
  ...PLAYED,
  details: ['A field that is not set keeps its value.', ...ANSWER],
  examples: [
    [
      'footbridge emulator submit 1461234567890123456 boat=Otter berths=a berths=b',
      'With two chosen in one field',
    ],
  ],
  run({ positionals: [id, ...rest], values: { as: user, wait }, json }, io) {
    const { leading: extra, values: fields, files } = readArguments('emulator submit', rest);
    const [first] = extra;
    if (first !== undefined) {
      throw usage(`${JSON.stringify(first.slice(0, 60))} is no NAME=VALUE.`, { name: 'emulator submit' });
    }
    const args = { id, fields, files, user, wait: seconds('submit', wait) };
    return interact(io, json, 'interaction.submit', args, user);
  },
});

/** `footbridge emulator interactions [ID]`. */
export const emulatorInteractions = defineCommand({
  name: 'emulator interactions',
  summary: 'List the interactions of users with applications, and their results',
  group: 'emulator',
  positionals: [{ name: 'ID', help: 'only this one, with its answer', arity: 'optional' }],
  json: true,
  examples: [
    ['footbridge emulator interactions', 'One line each, the newest 50'],
    ['footbridge emulator interactions 1461234567890123456', 'Whether an answer that was put off is there'],
  ],
  async run({ positionals: [id], json }, io) {
    const client = daemonClient(io);
    if (id !== undefined) {
      const one = (await client.call('interaction.show', { id })) as InteractionView;
      return printResult(io, json, one, () => withCallableCommands(interactionText(one, undefined), io.env));
    }
    const all = (await client.call('interaction.list')) as readonly InteractionView[];
    if (json) printJson(io, all);
    else if (all.length === 0) io.out('No user has used an application yet.\n');
    else io.out(all.map((one) => `${interactionLine(one)}\n`).join(''));
    return ExitCode.OK;
  },
});

/** Time for the bridge besides the requested wait: the 3 seconds of an interaction, and its own work (ms). */
const OVERHEAD_MS = 15_000;
const MAX_WAIT_SECONDS = 900;

/** Throws `LocalError` FOOTBRIDGE_USAGE. */
function seconds(command: string, wait: string | undefined): number | undefined {
  if (wait === undefined) return undefined;
  const number = /^\d{1,3}(\.\d{1,3})?$/.test(wait) ? Number(wait) : Number.NaN;
  if (number <= MAX_WAIT_SECONDS) return number;
  const problem = `--wait: ${printable(JSON.stringify(wait.slice(0, 60)))} is no number of seconds up to ${MAX_WAIT_SECONDS}.`;
  throw usage(problem, { name: `emulator ${command}` });
}

async function interact(
  io: Io,
  json: boolean,
  operation: string,
  args: Readonly<Record<string, unknown>>,
  as: string | undefined,
): Promise<ExitCode> {
  const wait = typeof args['wait'] === 'number' ? args['wait'] : 0;
  const view = (await daemonClient(io).call(operation, args, {
    timeoutMs: OVERHEAD_MS + wait * 1000,
    slowness: 'expected',
  })) as InteractionView;
  const failure = failureOf(view);
  if (failure !== undefined) throw failure;
  return printResult(io, json, view, () => withCallableCommands(interactionText(view, as), io.env));
}
