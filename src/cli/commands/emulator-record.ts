import { defineCommand, textOption } from '../command.ts';

/** `footbridge emulator record FILE`. */
export const emulatorRecord = defineCommand({
  name: 'emulator record',
  summary: 'Record what users do and what bots answer as a scenario, until Ctrl-C',
  group: 'emulator',
  positionals: [{ name: 'FILE', help: 'where to write the scenario, which play reads', arity: 'one' }],
  options: { name: textOption('NAME', 'name of the scenario (default recorded)') },
  json: true,
  details: [
    'What is done in the console and with "footbridge emulator" becomes steps: messages, reactions, votes, commands, clicks, modals,',
    'voice, and time that is advanced. What bots answer becomes expectations. A FILE that is there already is replaced.',
  ],
  examples: [
    ['footbridge emulator record ticket.toml', 'Then use the bot in the console, and end with Ctrl-C'],
  ],
  async run({ values, positionals: [path = ''], json }, io) {
    const { recordScenario } = await import('../play/record-scenario.ts');
    return recordScenario(path, { ...values, json }, io);
  },
});
