import type { WordList } from '../base/operator-command.ts';
import { coreNames } from '../daemon/module-path.ts';
import { voiceRules } from '../emulator/guilds/voice/rules.ts';
import { commands, events } from '../protocol/registry.ts';

/** Values of each static completion list. */
export function knownValues(): { readonly [list in WordList]: readonly string[] } {
  const [commandNames, eventNames] = [Object.keys(commands), Object.keys(events)];
  return {
    cores: coreNames,
    commands: commandNames,
    events: eventNames,
    names: [...new Set([...commandNames, ...eventNames, 'openapi'])],
    'voice-keys': Object.keys(voiceRules),
  };
}
