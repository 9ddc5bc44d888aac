import { expect, it } from 'vitest';
import { botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';

const SLOW = { guilds: [{ id: ids.riverBank, channels: [{ id: ids.general, rate_limit_per_user: 30 }] }] };

it('slowmode delays a user for the time that the channel sets, but not a bot', async () => {
  const { emulator, ask, only } = await botPlatform(SLOW);
  await only('VIEW_CHANNEL', 'SEND_MESSAGES');
  emulator.clock.freeze();
  emulator.messages.send(ids.general, 'a', ids.otter);
  emulator.clock.advance(29_500);
  const before = emulator.exportState();
  expect(() => emulator.messages.send(ids.general, 'b', ids.otter)).toThrow('slow mode for another 1 s');
  expect(emulator.exportState()).toBe(before);
  emulator.messages.send(ids.general, 'b', ids.heron);
  emulator.clock.advance(500);
  emulator.messages.send(ids.general, 'b', ids.otter);
  for (const content of ['a', 'b']) {
    expect((await ask(`POST /channels/${ids.general}/messages`, { content })).status).toBe(200);
  }
});

it('slowmode exempts MANAGE_MESSAGES until 2026-02-23, and BYPASS_SLOWMODE from then on [N-5]', async () => {
  const { emulator, only } = await botPlatform(SLOW);
  emulator.clock.freeze();
  const twice = () => {
    emulator.clock.advance(60_000);
    emulator.messages.send(ids.general, 'a', ids.otter);
    emulator.messages.send(ids.general, 'b', ids.otter);
  };
  await only('VIEW_CHANNEL', 'SEND_MESSAGES', 'MANAGE_MESSAGES');
  emulator.clock.set(Date.parse('2026-02-22T12:00:00Z'));
  expect(twice).not.toThrow();
  emulator.clock.set(Date.parse('2026-02-23T00:00:00Z'));
  expect(twice).toThrow(/slow mode/);
  await only('VIEW_CHANNEL', 'SEND_MESSAGES', 'BYPASS_SLOWMODE');
  expect(twice).not.toThrow();
});
