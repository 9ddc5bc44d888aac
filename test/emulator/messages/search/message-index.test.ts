import { afterEach, expect, it, vi } from 'vitest';
import { find } from '../../../../src/emulator/messages/search/find.ts';
import { GuildIndex } from '../../../../src/emulator/messages/search/guild-index.ts';
import { MessageIndex } from '../../../../src/emulator/messages/search/message-index.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { justListening } from '../../../helpers/just-listening.ts';
import { APP } from '../../../helpers/platform.ts';
import { smallWorld } from '../../../helpers/small-world.ts';

const NEWS = '500000000000000003';

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

it('a search takes several turns of the event loop, and another waits for it', async () => {
  const index = new GuildIndex({ borrow: () => true, giveBack() {} });
  for (let at = 0; at < 5000; at += 1) index.put(said(at, at % 2 === 0 ? 'tide' : 'ebb') as never);
  const search = (content: string) =>
    index.inTurn(() => find(index, { channels: [{ id: ids.general }], filters: [], query: { content } }));
  const ended: string[] = [];
  const searches = ['tide', 'ebb'].map((word) => search(word).finally(() => void ended.push(word)));
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toEqual([]);
  // What is removed or added behind its place counts as it is then.
  index.drop(said(4998, '').id);
  index.put(said(5001, 'tide, again') as never);
  const [tides, ebbs] = await Promise.all(searches);
  expect(ended).toEqual(['tide', 'ebb']);
  expect([tides?.total, ebbs?.total]).toEqual([2500, 2500]);
  expect(tides?.page.map(({ content }) => content).slice(0, 2)).toEqual(['tide, again', 'tide']);
});

it('a search that fails does not end those behind it', async () => {
  const index = new GuildIndex({ borrow: () => true, giveBack() {} });
  await expect(index.inTurn(() => Promise.reject(new Error('torn')))).rejects.toThrow('torn');
  expect(await index.inTurn(() => Promise.resolve(1))).toBe(1);
});

it('a reply has no message that was deleted, and of no channel that was closed to the bot, while the search ran', async () => {
  const platform = await botPlatform({
    messages: [
      { ...said(1, 'kelp at dawn'), channel: ids.general },
      { ...said(2, 'kelp at noon'), channel: ids.general },
      { ...said(3, 'kelp at night'), channel: NEWS },
    ],
  });
  const { emulator } = platform;
  const search = `GET /guilds/${ids.riverBank}/messages/search?content=kelp`;
  const contents = async () => {
    const { body } = await platform.ask(search);
    return body.messages?.map(([message]: { content: string }[]) => message?.content);
  };
  await expect.poll(contents, { timeout: 20_000 }).toHaveLength(3);
  vi.spyOn(GuildIndex.prototype, 'inTurn').mockImplementation(async (run) => {
    const found = await run();
    await platform.ask(`DELETE /channels/${ids.general}/messages/${said(2, '').id}`);
    await emulator.apply({ guilds: [{ id: ids.riverBank, channels: [{ id: NEWS, deny: [APP] }] }] });
    return found;
  });
  expect(await contents()).toEqual(['kelp at dawn']);
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
