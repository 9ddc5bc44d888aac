import { ids } from './emulator-world.ts';

/** A message with a poll that is open until then (ISO 8601), as a fixture has it. */
export function openPoll(expiry: string) {
  const answers = ['High', 'Low'].map((text, place) => ({ id: place + 1, text }));
  return {
    id: '600000000000000099',
    channel: ids.general,
    author: 'otter',
    content: '',
    timestamp: '2026-01-01T00:00:00Z',
    poll: { question: 'Tide?', answers, expiry },
  };
}
