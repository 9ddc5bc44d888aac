import { columns } from '../../base/style.ts';
import { printable } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { ShownFault } from '../../daemon/faults.ts';
import { askDaemon, printJson } from '../ask-daemon.ts';
import { defineCommand } from '../command.ts';
import { usage } from '../parse.ts';
import { changeEmulator } from './emulator-change.ts';

/** `footbridge emulator fault add KIND`. */
export const emulatorFaultAdd = defineCommand({
  name: 'emulator fault add',
  summary: 'Make something go wrong on purpose, to see what your app does',
  group: 'emulator',
  positionals: [
    {
      name: 'KIND',
      help: 'delay=MS, drop, error=CODE, close=CODE, split, coalesce, slow=BYTES_PER_SECOND, status=429|5xx or reconnect',
      arity: 'one',
      completes: ['delay=', 'drop', 'error=', 'close=', 'split', 'coalesce', 'slow=', 'status=', 'reconnect'],
    },
  ],
  options: {
    command: {
      type: 'string',
      value: 'CMD',
      completes: 'commands',
      help: 'only this command; HANDSHAKE is READY, DISPATCH are events',
    },
    route: {
      type: 'string',
      value: "'METHOD /path'",
      help: 'requests over HTTP; {id} or * is any part, * all',
    },
    webhook: { type: 'boolean', help: 'what is posted to applications' },
    gateway: { type: 'boolean', help: 'what bots and games are told over the gateway' },
    application: { type: 'string', value: 'ID', help: 'only of this application', completes: 'applications' },
    count: { type: 'string', value: 'N', help: 'so often; for ever unless given' },
    probability: { type: 'string', value: 'P', help: 'each time with this chance, above 0 and at most 1' },
    seed: { type: 'string', value: 'N', help: 'of that chance: the same seed strikes the same requests' },
  },
  json: true,
  details: [
    'Without --command, --route, --webhook and --gateway it strikes every command of RPC. Faults end with the bridge.',
    'error and close answer in the place of the client; drop lets the request be served, and loses its answer.',
  ],
  examples: [
    ['footbridge emulator fault add delay=500 --command GET_GUILDS', 'A slow answer'],
    ["footbridge emulator fault add status=429 --route 'GET /users/@me' --count 1", 'A rate limit, once'],
    [
      'footbridge emulator fault add drop --probability 0.1 --seed 7',
      'Every tenth answer is lost, always the same ones',
    ],
  ],
  run({ positionals: [fault], values, json }, io) {
    const { command, route, webhook, gateway, application } = values;
    const args = {
      fault,
      ...(command === undefined ? {} : { command }),
      ...(route === undefined ? {} : { route }),
      ...(webhook === undefined ? {} : { webhook }),
      ...(gateway === undefined ? {} : { gateway }),
      ...(application === undefined ? {} : { application }),
      ...numberIn('count', values.count),
      ...numberIn('probability', values.probability),
      ...numberIn('seed', values.seed),
    };
    return changeEmulator(io, json, {
      operation: 'fault.add',
      args,
      say: (one: ShownFault) =>
        `${one.id}: ${one.fault} for ${one.where}. Ends with: emulator fault remove ${one.id}`,
    });
  },
});

function numberIn(name: string, text: string | undefined): Readonly<Record<string, number>> {
  if (text === undefined) return {};
  if (!/^\d{1,10}(?:\.\d{1,10})?$/.test(text)) {
    throw usage(`--${name}: ${JSON.stringify(text)} is not a number.`, { name: 'emulator fault add' });
  }
  return { [name]: Number(text) };
}

/** `footbridge emulator fault list`. */
export const emulatorFaultList = defineCommand({
  name: 'emulator fault list',
  summary: 'Show what goes wrong on purpose, and how often it has',
  group: 'emulator',
  json: true,
  examples: [['footbridge emulator fault list', 'One line each']],
  async run({ json }, io) {
    const faults = (await askDaemon(io).call('fault.list')) as readonly ShownFault[];
    if (json) printJson(io, faults);
    else if (faults.length === 0) io.out('Nothing goes wrong on purpose.\n');
    else io.out(columns([['ID', 'FAULT', 'WHERE', 'APPLICATION', 'STRUCK', 'LEFT'], ...faults.map(row)]));
    return ExitCode.OK;
  },
});

function row({ id, fault, where, application, struck, left, probability, seed }: ShownFault): string[] {
  const chance = probability === 1 ? '' : `, chance ${probability}, seed ${seed}`;
  return [id, `${fault}${chance}`, printable(where), application ?? '-', String(struck), String(left ?? '-')];
}

/** `footbridge emulator fault remove ID`. */
export const emulatorFaultRemove = defineCommand({
  name: 'emulator fault remove',
  summary: 'Let something go right again',
  group: 'emulator',
  positionals: [
    { name: 'ID', help: 'as "emulator fault list" shows it', arity: 'optional', completes: 'faults' },
  ],
  options: { all: { type: 'boolean', help: 'everything' } },
  json: true,
  examples: [
    ['footbridge emulator fault remove f1', 'This one'],
    ['footbridge emulator fault remove --all', 'All of them'],
  ],
  run({ positionals: [id], values: { all }, json }, io) {
    if ((id === undefined) === (all === undefined)) {
      throw usage('give the ID of a fault, or --all.', { name: 'emulator fault remove' });
    }
    return changeEmulator(io, json, {
      operation: 'fault.remove',
      args: id === undefined ? {} : { id },
      say: ({ removed }: { readonly removed: readonly string[] }) =>
        removed.length === 0 ? 'There was none.' : `Removed: ${removed.join(', ')}.`,
    });
  },
});
