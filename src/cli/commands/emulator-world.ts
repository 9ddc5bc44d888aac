import { resolve } from 'node:path';
import { columns } from '../../base/style.ts';
import { amount, printable } from '../../base/text.ts';
import type { Operations } from '../../control/generated.ts';
import { consentPolicies } from '../../daemon/config/keys.ts';
import { defineCommand, flag, textOption } from '../command.ts';
import { daemonClient, printResult } from '../daemon-client.ts';

type Facts = Operations['world.add']['result'];

/** Time limit of a new world: a large state takes long to read. */
const ADD_OPTIONS = { timeoutMs: 120_000 };

/** `footbridge emulator world add [NAME]`. */
export const emulatorWorldAdd = defineCommand({
  name: 'emulator world add',
  summary: 'Make a world: an emulator of its own behind the same port',
  group: 'emulator',
  positionals: [
    {
      name: 'NAME',
      help: 'small letters, digits and "-"; chosen by the bridge unless given',
      arity: 'optional',
    },
  ],
  options: {
    fixture: textOption('FILE', 'fixture file, or an exported state (default: the built-in fixture)'),
    consent: textOption(consentPolicies.join('|'), 'decision for AUTHORIZE (default: that of the bridge)', {
      choices: consentPolicies,
    }),
    strict: flag('fail for what a bot or an app does wrong; "emulator violations" lists it'),
    endpoint: flag('listen for apps at once'),
  },
  json: true,
  details: [
    'A world has its own users, messages, tokens, clock, faults and journal, and ends with the bridge. Every other command of the',
    'emulator reaches it with --world NAME, or with the variable FOOTBRIDGE_WORLD. The bridge itself reads the fixture.',
  ],
  examples: [
    ['footbridge emulator world add checkout', 'With the built-in fixture'],
    [
      'footbridge emulator world add --consent deny --json',
      'With a name of the bridge’s choice, for a script',
    ],
  ],
  async run({ positionals: [name], values: { fixture, consent, strict, endpoint }, json }, io) {
    const args = {
      ...(name === undefined ? {} : { name }),
      ...(fixture === undefined ? {} : { fixture: resolve(fixture) }),
      ...(consent === undefined ? {} : { consent }),
      ...(strict && { strict }),
      ...(endpoint && { endpoint }),
    };
    const facts = (await daemonClient(io).call('world.add', args, ADD_OPTIONS)) as Facts;
    return printResult(io, json, facts, () => addedText(facts));
  },
});

function addedText({ name, api, gateway, endpoint, bots }: Facts): string {
  const rows: [string, string][] = [
    ['world', name],
    ['api', api],
    ['gateway', gateway],
    ...(endpoint === null ? [] : [['endpoint', endpoint] as [string, string]]),
    ...bots.map((bot): [string, string] => [`bot token of ${bot.name}`, bot.token]),
  ];
  return columns(rows.map(([label, value]) => [label, printable(value)]));
}

/** `footbridge emulator world list`. */
export const emulatorWorldList = defineCommand({
  name: 'emulator world list',
  summary: 'List the worlds with their addresses, and who is connected',
  group: 'emulator',
  json: true,
  examples: [['footbridge emulator world list', 'In the order in which they were made']],
  async run({ json }, io) {
    const worlds = (await daemonClient(io).call('world.list')) as readonly Facts[];
    return printResult(io, json, worlds, () =>
      worlds.length === 0
        ? 'There are no worlds. Make one with: footbridge emulator world add\n'
        : columns(worlds.map((world) => [world.name, world.api, connectedText(world)])),
    );
  },
});

function connectedText({ connected: { apps, bots } }: Facts): string {
  return `${amount(apps, 'app')}, ${amount(bots, 'bot')}`;
}
