import { describe, expect, it } from 'vitest';
import { authorOf, carriedBy, gameMessage, timesOf } from '../../../src/emulator/messages/presenting.ts';
import type { Message } from '../../../src/emulator/messages/records.ts';
import { botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { rpcFeed } from '../../helpers/rpc-feed.ts';

const message = (more: Partial<Message>): Message => ({
  id: '9',
  channel: ids.general,
  author: ids.otter,
  content: 'x',
  timestamp: '2030-01-01T12:00:00.000Z',
  edited_timestamp: null,
  tts: false,
  pinned: false,
  ...more,
});

describe('a message', () => {
  it.each<[string, object, object]>([
    [
      'with an embed',
      { embeds: [{ type: 'rich', title: 'Tide' }] },
      { content: 'x', embeds: [{ type: 'rich', title: 'Tide' }], author: { id: ids.otter, bot: false } },
    ],
    ['whose embeds are suppressed', { embeds: [{ type: 'rich', title: 'Tide' }], flags: 4 }, { embeds: [] }],
    [
      'of a webhook',
      { author: null, webhook: { id: '900', name: 'Tide table', avatar: null } },
      { author: { id: '900', username: 'Tide table', discriminator: '0000', bot: true } },
    ],
  ])('%s is the same over HTTP and over RPC', async (_, more, expected) => {
    const { ask, emulator } = await botPlatform();
    const { sent } = rpcFeed(emulator, (event) => event === 'MESSAGE_CREATE');
    await emulator.apply({ messages: [message(more)] });
    const data = sent()[0]?.data as { readonly message: Record<string, unknown> } | undefined;
    const rpc = data?.message ?? {};
    expect(rpc).toMatchObject(expected);
    const { body } = await ask(`GET /channels/${ids.general}/messages/9`);
    for (const key of ['id', 'embeds', 'attachments', 'mention_roles', 'type']) {
      expect(body[key]).toEqual(rpc[key]);
    }
    const { id, username, discriminator, avatar } = rpc['author'] as Record<string, unknown>;
    expect(body.author).toMatchObject({ id, username, discriminator, avatar });
  });

  it('has no author when its author was removed', () => {
    expect(authorOf({ users: new Map() } as never, message({}))).toBeUndefined();
  });

  it('has the same payload for a game from every source, with timestamps of the platform', () => {
    const edited = message({ edited_timestamp: '2030-01-01T12:00:01.000Z', metadata: { round: '3' } });
    expect({ ...gameMessage(edited), ...timesOf(edited) }).toEqual({
      id: '9',
      type: 0,
      content: 'x',
      flags: 0,
      metadata: { round: '3' },
      timestamp: '2030-01-01T12:00:00.000000+00:00',
      edited_timestamp: '2030-01-01T12:00:01.000000+00:00',
    });
    expect(gameMessage(message({}))).not.toHaveProperty('metadata');
    expect(carriedBy(message({}), [], () => '')).toEqual({ attachments: [], embeds: [] });
  });
});
