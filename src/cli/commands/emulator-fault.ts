import { columns } from '../../base/style.ts';
import { printable } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { FaultView } from '../../daemon/faults.ts';
import { defineCommand, flag } from '../command.ts';
import { daemonClient, printJson } from '../daemon-client.ts';
import { usage } from '../parse.ts';
import { changeEmulator } from './emulator-change.ts';

/** `footbridge emulator fault list`. */
export const emulatorFaultList = defineCommand({
  name: 'emulator fault list',
  summary: 'List the injected faults, and how often each has struck',
  group: 'emulator',
  json: true,
  examples: [['footbridge emulator fault list', 'One line each']],
  async run({ json }, io) {
    const faults = (await daemonClient(io).call('fault.list')) as readonly FaultView[];
    if (json) printJson(io, faults);
    else if (faults.length === 0) io.out('There is no fault.\n');
    else io.out(columns([['ID', 'FAULT', 'WHERE', 'APPLICATION', 'STRUCK', 'LEFT'], ...faults.map(row)]));
    return ExitCode.OK;
  },
});

function row({ id, fault, where, application, struck, left, probability, seed }: FaultView): string[] {
  const chance = probability === 1 ? '' : `, chance ${probability}, seed ${seed}`;
  return [id, `${fault}${chance}`, printable(where), application ?? '-', String(struck), String(left ?? '-')];
}

/** `footbridge emulator fault remove ID`. */
export const emulatorFaultRemove = defineCommand({
  name: 'emulator fault remove',
  summary: 'Remove a fault',
  group: 'emulator',
  positionals: [
    { name: 'ID', help: 'as "emulator fault list" shows it', arity: 'optional', completes: 'faults' },
  ],
  options: { all: flag('everything') },
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
      describe: ({ removed }: { readonly removed: readonly string[] }) =>
        removed.length === 0 ? 'There was none.' : `Removed: ${removed.join(', ')}.`,
    });
  },
});
