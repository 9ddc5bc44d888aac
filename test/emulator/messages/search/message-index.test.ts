import { afterEach, expect, it, vi } from 'vitest';
import { GuildIndex } from '../../../../src/emulator/messages/search/guild-index.ts';
import { MessageIndex } from '../../../../src/emulator/messages/search/message-index.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { justListening } from '../../../helpers/just-listening.ts';
import { smallWorld } from '../../../helpers/small-world.ts';

afterEach(() => void vi.restoreAllMocks());

const said = (id: number, content: string) => ({
  id: String(620_000_000_000_000_000n + BigInt(id)),
  channel: ids.general,
  author: ids.otter,
  content,
  timestamp: '2030-01-01T12:00:00.000Z',
  edited_timestamp: null,
  tts: false,
  pinned: false,
});

it('an index with too many words is dropped, and rebuilt once there are fewer', async () => {
  const world = smallWorld();
  const index = new MessageIndex(world, 1000);
  world.subscribeRows((transaction) => index.follow(transaction), justListening);
  const words = (from: number) => Array.from({ length: 300 }, (_, at) => `w${from + at}`).join(' ');
  await index.force(ids.riverBank, 'ready');
  const states = [1, 2, 3, 4].map((at) => {
    world.transaction(({ messages }) => messages.insert(said(at, words(at * 1000))));
    return index.status(ids.riverBank).state;
  });
  expect(states).toEqual(['ready', 'ready', 'ready', 'too_large']);
  expect(index.statusForSearch(ids.riverBank).state).toBe('too_large');
  world.transaction(({ messages }) => {
    for (const at of [1, 2]) messages.remove(said(at, '').id);
  });
  expect((await index.force(ids.riverBank, 'ready')).state).toBe('ready');
});

it('an index returns all the room that it borrowed', () => {
  let lent = 0;
  const room = {
    borrow: (bytes: number) => {
      lent += bytes;
      return true;
    },
    giveBack: (bytes: number) => {
      lent -= bytes;
    },
  };
  const index = new GuildIndex(room);
  for (let at = 0; at < 100; at += 1) index.put(said(at, `one two ${at} ${'long'.repeat(10)}${at}`) as never);
  const { bytes } = index;
  expect(lent).toBe(bytes);
  index.put(said(1, '') as never);
  for (let at = 0; at < 100; at += 2) index.drop(said(at, '').id);
  expect(lent).toBe(index.bytes);
  expect(lent).toBeLessThan(bytes);
  index.close();
  expect(lent).toBe(0);
});

it('an index that missed a change is rebuilt, and other followers continue', async () => {
  const { ask, emulator, lines } = await botPlatform();
  await emulator.messageIndex.force(ids.riverBank, 'ready');
  vi.spyOn(GuildIndex.prototype, 'put').mockImplementationOnce(() => {
    throw new RangeError('Map maximum size exceeded');
  });
  const written = await ask(`POST /channels/${ids.general}/messages`, { content: 'zander' });
  expect(written.status).toBe(200);
  const search = `/guilds/${ids.riverBank}/messages/search?content=zander`;
  expect((await ask(`GET ${search}`)).status).toBe(202);
  await emulator.messageIndex.force(ids.riverBank, 'ready');
  expect((await ask(`GET ${search}`)).body.total_results).toBe(1);
  expect(lines.filter((line) => line.includes('could not follow'))).toEqual([
    'the search index could not follow a change of the state (RangeError), and went on from the state as it is',
  ]);
});

it('an index that could not be built is built on the next request', async () => {
  const { emulator } = await botPlatform();
  vi.spyOn(GuildIndex.prototype, 'put').mockImplementationOnce(() => {
    throw new RangeError('Map maximum size exceeded');
  });
  expect((await emulator.messageIndex.force(ids.riverBank, 'ready')).state).toBe('not_indexed');
  expect((await emulator.messageIndex.force(ids.riverBank, 'ready')).state).toBe('ready');
});
