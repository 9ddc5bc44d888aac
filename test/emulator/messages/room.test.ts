import { describe, expect, it } from 'vitest';
import { MAX_RECORDS } from '../../../src/emulator/kernel/limits.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { type UsedPlatform, usedPlatform } from '../../helpers/used-application.ts';

const POLL = '600000000000009001';
const NEWS = '9';

/** A platform that takes itself to have as many messages as it may; `kept` is one of them. */
async function fullPlatform(): Promise<UsedPlatform & { readonly kept: string }> {
  const platform = await usedPlatform();
  const { emulator } = platform;
  const kept = emulator.messages.send(ids.general, 'kept', ids.river).id;
  const expiry = new Date(emulator.clock.now() + 60_000).toISOString();
  await emulator.apply({
    guilds: [
      {
        id: ids.riverBank,
        channels: [{ id: NEWS, name: 'news', type: 5 }],
        automod_rules: [
          {
            id: '81',
            name: 'No storms',
            trigger_type: 1,
            keyword_filter: ['storm'],
            actions: [{ type: 1 }, { type: 2, channel: ids.general }],
          },
        ],
      },
    ],
    messages: [
      {
        id: POLL,
        channel: ids.general,
        author: 'otter',
        content: '',
        poll: { question: 'When?', answers: [{ id: 1, text: 'Now' }], expiry },
      },
    ],
  });
  Object.defineProperty(emulator.tables.messages, 'size', { get: () => MAX_RECORDS });
  return { ...platform, kept };
}

type Answer = Promise<{ readonly status: number; readonly body: { readonly message?: string } }>;

describe('a platform without room for another message', () => {
  it.each<[string, (platform: Awaited<ReturnType<typeof fullPlatform>>) => Answer]>([
    ['a message of a bot', ({ ask }) => ask(`POST /channels/${ids.general}/messages`, { content: 'x' })],
    ['the answer to an interaction', ({ use, answer }) => answer(use(), { type: 4, data: { content: 'x' } })],
    ['an answer that is put off', ({ use, answer }) => answer(use(), { type: 5 })],
    ['a pin', ({ ask, kept }) => ask(`PUT /channels/${ids.general}/messages/pins/${kept}`)],
    [
      'a thread at a message',
      ({ ask, kept }) => ask(`POST /channels/${ids.general}/messages/${kept}/threads`, { name: 'x' }),
    ],
    ['a thread', ({ ask }) => ask(`POST /channels/${ids.general}/threads`, { name: 'x', type: 11 })],
    [
      'a channel that is followed',
      ({ ask }) => ask(`POST /channels/${NEWS}/followers`, { webhook_channel_id: ids.general }),
    ],
  ])('refuses %s and leaves the state unchanged', async (_what, asks) => {
    const platform = await fullPlatform();
    const before = platform.emulator.exportState();
    const { status, body } = await asks(platform);
    expect([status, body.message]).toEqual([503, expect.stringContaining('Too many messages')]);
    expect(platform.emulator.exportState()).toBe(before);
  });

  it('refuses a message of a user', async () => {
    const { emulator } = await fullPlatform();
    expect(() => emulator.messages.send(ids.general, 'x', ids.river)).toThrow('Too many messages');
    expect(() => emulator.messages.sendTo(ids.otter, 'x', ids.river)).toThrow('Too many messages');
  });

  it('accepts an ephemeral answer to an interaction', async () => {
    const { use, answer } = await fullPlatform();
    expect((await answer(use(), { type: 4, data: { content: 'x', flags: 64 } })).status).toBe(204);
  });

  it('ends a poll without a result message', async () => {
    const { emulator } = await fullPlatform();
    const before = [...emulator.tables.messages].length;
    emulator.clock.advance(60_000);
    expect(emulator.tables.messages.get(POLL)?.poll?.finalized).toBe(true);
    expect([...emulator.tables.messages]).toHaveLength(before);
  });

  it('blocks a message by AutoMod without an alert', async () => {
    const platform = await fullPlatform();
    await platform.only('VIEW_CHANNEL', 'SEND_MESSAGES');
    const { emulator } = platform;
    const before = [...emulator.tables.messages].length;
    expect(() => emulator.messages.send(ids.general, 'a storm', ids.otter)).toThrow(/moderation/);
    expect([...emulator.tables.messages]).toHaveLength(before);
  });
});
