import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { find } from '../../../../src/emulator/messages/search/find.ts';
import { type Document, GuildIndex } from '../../../../src/emulator/messages/search/guild-index.ts';
import { MessageIndex } from '../../../../src/emulator/messages/search/message-index.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { justListening } from '../../../helpers/just-listening.ts';
import { APP, type PlatformAnswer } from '../../../helpers/platform.ts';
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

describe('a search', () => {
  const SEARCH = `/guilds/${ids.riverBank}/messages/search?content=kelp`;

  const kelpPlatform = async () => {
    const platform = await botPlatform({
      messages: [
        { ...said(1, 'kelp at dawn'), channel: ids.general },
        { ...said(2, 'kelp at noon'), channel: ids.general },
        { ...said(3, 'kelp at night'), channel: NEWS },
      ],
    });
    const { emulator } = platform;
    const status = await emulator.messageIndex.force(ids.riverBank, 'ready');
    if (status.state !== 'ready') throw new Error('no index');
    const inTurn = vi.spyOn(status.index, 'inTurn');
    const visit = vi.spyOn(GuildIndex.prototype, 'visit');
    const guild = (patch: object) => emulator.apply({ guilds: [{ id: ids.riverBank, ...patch }] });
    const change = {
      deleted: () => platform.ask(`DELETE /channels/${ids.general}/messages/${said(2, '').id}`),
      closed: () => guild({ channels: [{ id: NEWS, deny: [APP] }] }),
      nsfw: () => guild({ channels: [{ id: ids.general, nsfw: true }] }),
      kicked: () => guild({ members: [{ user: APP, remove: true }] }),
      gone: () => guild({ remove: true }),
      'with another index': () => emulator.messageIndex.force(ids.riverBank, 'not_indexed'),
    };
    const shown = ({ status: code, body }: Pick<PlatformAnswer, 'status' | 'body'>) => [
      code,
      body.code ?? body.messages.map(([message]: { content: string }[]) => message?.content),
    ];
    return { platform, index: status.index, inTurn, visit, change, shown };
  };

  /** A search that takes until it is ended. */
  const anotherSearch = (index: GuildIndex) => {
    const ends: (() => void)[] = [];
    const other = index.inTurn(() => new Promise<void>((resolve) => void ends.push(resolve)));
    return { other, endOther: () => ends.pop()?.() };
  };

  const CHANGES = [
    ['deleted', [200, ['kelp at night', 'kelp at dawn']]],
    ['closed', [200, ['kelp at noon', 'kelp at dawn']]],
    ['nsfw', [200, ['kelp at night']]],
    ['kicked', [403, 50001]],
    ['gone', [404, 10004]],
    ['with another index', [202, 110000]],
  ] as const;

  it.each(CHANGES)('shows what is there when its turn comes: %s', async (what, expected) => {
    const { platform, index, inTurn, change, shown } = await kelpPlatform();
    const { other, endOther } = anotherSearch(index);
    const answer = platform.ask(`GET ${SEARCH}`);
    await expect.poll(() => inTurn.mock.calls.length).toBe(2);
    await change[what]();
    endOther();
    await other;
    const { status, body } = await answer;
    expect(shown({ status, body })).toEqual(expected);
    if (status === 200) expect(body.total_results).toBe(body.messages.length);
  });

  it.each(CHANGES)('shows what is there when it ends: %s', async (what, expected) => {
    const { platform, index, visit, change, shown } = await kelpPlatform();
    const documents: Document[] = [];
    await index.visit((document) => void documents.push(document));
    visit.mockImplementationOnce(async (each) => {
      for (const document of documents) each(document);
      await change[what]();
    });
    expect(shown(await platform.ask(`GET ${SEARCH}`))).toEqual(expected);
  });

  it('does not take place when its caller has left before its turn', async () => {
    const { platform, index, inTurn, visit, shown } = await kelpPlatform();
    const { other, endOther } = anotherSearch(index);
    const { port } = new URL(platform.url);
    const leaving = connect(Number(port), '127.0.0.1');
    leaving.write(
      `GET /api/v10${SEARCH} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${platform.bot().authorization}\r\n\r\n`,
    );
    await expect.poll(() => inTurn.mock.calls.length).toBe(2);
    const abort = vi.spyOn(AbortController.prototype, 'abort');
    leaving.destroy();
    await expect.poll(() => abort.mock.calls.length).toBe(1);
    endOther();
    await other;
    expect(shown(await platform.ask(`GET ${SEARCH}`))).toEqual([
      200,
      ['kelp at night', 'kelp at noon', 'kelp at dawn'],
    ]);
    expect(visit).toHaveBeenCalledOnce();
  });
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
