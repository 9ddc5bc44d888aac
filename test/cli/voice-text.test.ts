import { expect, it } from 'vitest';
import { type VoiceLine, voiceFormats } from '../../src/cli/voice/voice-text.ts';

it.each(['json', 'waybar'] as const)('%s of voice has no character that a terminal obeys', (format) => {
  const name = 'A\u009b2J\u202e\u001b[2J';
  const line: VoiceLine = {
    class: 'open',
    state: {
      muted: false,
      mutedBy: [],
      deafened: false,
      deafenedBy: [],
      mode: 'voice-activity',
      talking: false,
      input: 100,
      output: 100,
      channel: { id: '1', name, guild: null },
      users: [],
      version: 1,
      begun: 1,
    },
  };
  const text = voiceFormats[format](line);
  expect(text).toMatch(/^[\x20-\x7e\u00b7]+$/);
  const { channel, text: shown } = JSON.parse(text) as { channel?: { name: string }; text?: string };
  expect(channel?.name ?? shown).toBe(name);
});
