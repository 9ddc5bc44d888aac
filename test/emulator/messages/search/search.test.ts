import { describe, expect, it } from 'vitest';
import { isClose } from '../../../../src/emulator/messages/search/words.ts';
import { type BotPlatform, botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';

const SEARCH = `/guilds/${ids.riverBank}/messages/search`;
const HIGH = '600000000000000001';
const BOAT = '600000000000000002';
const KEYS = '600000000000000003';
const TUG = '600000000000000011';
const LINK = '600000000000000012';
const NSFW = '600000000000000013';
const PRIVATE = '600000000000000014';

const MADE = {
  guilds: [
    {
      id: ids.riverBank,
      channels: [
        { id: '500000000000000008', name: 'late', type: 'text', nsfw: true },
        { id: '500000000000000009', name: 'closed', type: 'text', deny: [APP] },
      ],
    },
  ],
  messages: [
    {
      id: TUG,
      channel: ids.general,
      author: APP,
      content: '@everyone The tug is here',
      pinned: true,
      type: 19,
      about: { kind: 'reply', channel: ids.general, message: HIGH },
      embeds: [{ type: 'article', title: 'x', provider: { name: 'Harbour' } }],
    },
    {
      id: LINK,
      channel: '500000000000000003',
      author: ids.otter,
      content: 'water at https://tide.example/high',
    },
    { id: NSFW, channel: '500000000000000008', author: ids.otter, content: 'water' },
    { id: PRIVATE, channel: '500000000000000009', author: ids.otter, content: 'water' },
  ],
  attachments: [
    {
      id: '8',
      message: LINK,
      filename: 'chart.PNG',
      content_type: 'image/png',
      size: 1,
      digest: 'ab'.repeat(32),
    },
  ],
  reactions: [{ message: HIGH, emoji: '🌊', user: ids.otter }],
};

/** Asks until the messages are indexed. */
async function found(platform: BotPlatform, query: string) {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await platform.ask(`GET ${SEARCH}${query}`);
    if (answer.status !== 202) return answer;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('it is never indexed');
}

const idsIn = (body: { readonly messages: readonly (readonly [{ readonly id: string }])[] }) =>
  body.messages.map(([{ id }]) => id);

it('a search returns 202 until all messages are indexed [R-4]', async () => {
  const platform = await botPlatform(MADE);
  expect(await platform.refused(`GET ${SEARCH}?content=water`)).toMatchObject({
    status: 202,
    body: {
      code: 110000,
      message: 'Index not yet available. Try again later',
      documents_indexed: 0,
      retry_after: 1,
    },
  });
  const { status, body } = await found(platform, '?content=water');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    doing_deep_historical_index: false,
    total_results: 2,
    documents_indexed: 7,
    threads: [],
    members: [],
  });
});

describe('the search index of a guild can be held [R-4]', () => {
  const started = async () => {
    const platform = await botPlatform(MADE);
    const ask = () => platform.ask(`GET ${SEARCH}?content=water`);
    return {
      ...platform,
      ask,
      force: platform.emulator.messageIndex.force.bind(platform.emulator.messageIndex),
    };
  };

  it('as indexing with a number of documents, until it is released as ready', async () => {
    const { ask, force } = await started();
    await force(ids.riverBank, 'indexing', 3);
    for (let times = 0; times < 20; times += 1) {
      expect(await ask()).toMatchObject({ status: 202, body: { code: 110000, documents_indexed: 3 } });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await force(ids.riverBank, 'indexing', 5);
    expect((await ask()).body.documents_indexed).toBe(5);
    expect(await force(ids.riverBank, 'ready')).toMatchObject({ state: 'ready', documents: 7 });
    expect(await ask()).toMatchObject({ status: 200, body: { total_results: 2 } });
    await force(ids.riverBank, 'indexing', 1);
    expect(await ask()).toMatchObject({ status: 202, body: { documents_indexed: 1 } });
  });

  it('as not indexed, until the first search starts the indexing', async () => {
    const { ask, force } = await started();
    await force(ids.riverBank, 'ready');
    expect(await force(ids.riverBank, 'not_indexed')).toMatchObject({ state: 'not_indexed' });
    expect(await ask()).toMatchObject({ status: 202, body: { documents_indexed: 0 } });
    expect((await force(ids.riverBank, 'ready')).state).toBe('ready');
    expect((await ask()).status).toBe(200);
  });

  it('by a fixture or a patch, until a reset', async () => {
    const { ask, emulator } = await started();
    await emulator.messageIndex.force(ids.riverBank, 'ready');
    await emulator.apply({ search_holds: [{ guild: ids.riverBank, documents: 2 }] });
    expect(await ask()).toMatchObject({ status: 202, body: { documents_indexed: 2 } });
    emulator.reset();
    expect((await ask()).status).toBe(200);
    await expect(emulator.messageIndex.force('9', 'ready')).rejects.toThrow('guild: there is no guild 9');
  });
});

it('the search index follows channels that are deleted or moved to another guild [P-12]', async () => {
  const platform = await botPlatform(MADE);
  const force = () => platform.emulator.messageIndex.force(ids.riverBank, 'ready');
  await force();
  await platform.emulator.apply({
    guilds: [{ id: ids.riverBank, channels: [{ id: '500000000000000003', remove: true }] }],
  });
  expect(await force()).toMatchObject({ documents: 6 });
  await platform.emulator.apply({
    guilds: [
      { id: ids.riverBank, channels: [{ id: ids.general, remove: true }] },
      { id: ids.harbour, channels: [{ id: ids.general, name: 'moved', type: 'text' }] },
    ],
  });
  expect(await force()).toMatchObject({ documents: 2 });
});

describe('a search finds messages [P-12]', () => {
  it.each([
    ['', [LINK, TUG, KEYS, BOAT, HIGH]],
    ['?content=water', [LINK, HIGH]],
    ['?content=WATER%20high', [HIGH]],
    ['?content=water%20high&slop=0', []],
    ['?content=water&sort_order=asc', [HIGH, LINK]],
    ['?content=nothing', []],
    ['?limit=2', [LINK, TUG]],
    ['?limit=2&offset=4', [HIGH]],
    [`?min_id=${KEYS}`, [LINK, TUG]],
    [`?max_id=${KEYS}`, [BOAT, HIGH]],
    [`?channel_id=500000000000000003`, [LINK]],
    [`?channel_id=500000000000000003&channel_id=${ids.general}&limit=2`, [LINK, TUG]],
    [`?author_id=${ids.otter}`, [LINK]],
    ['?author_type=bot', [TUG]],
    ['?author_type=-bot', [LINK, KEYS, BOAT, HIGH]],
    [`?mentions=${ids.otter}`, [KEYS]],
    ['?mention_everyone=true', [TUG]],
    [`?replied_to_user_id=${ids.heron}`, [TUG]],
    [`?replied_to_message_id=${HIGH}`, [TUG]],
    ['?pinned=true', [TUG]],
    ['?pinned=false&limit=1', [LINK]],
    ['?has=link', [LINK]],
    ['?has=image', [LINK]],
    ['?has=embed&has=file', [LINK, TUG]],
    ['?has=-link&limit=1', [TUG]],
    ['?embed_type=article', [TUG]],
    ['?embed_provider=Harbour', [TUG]],
    ['?link_hostname=tide.example', [LINK]],
    ['?attachment_filename=chart', [LINK]],
    ['?attachment_extension=png', [LINK]],
    ['?content=water&include_nsfw=true', [NSFW, LINK, HIGH]],
  ])('by %j', async (query, expected) => {
    const platform = await botPlatform(MADE);
    const { body } = await found(platform, query);
    expect(idsIn(body)).toEqual(expected);
  });

  it('by relevance', async () => {
    const platform = await botPlatform(MADE);
    platform.emulator.messages.send(ids.general, 'water water water', ids.otter);
    platform.emulator.messages.send(
      ids.general,
      `water ${Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ')}`,
      ids.otter,
    );
    const { body } = await found(platform, '?content=water&sort_by=relevance');
    expect(body.messages[0][0].content).toBe('water water water');
    expect(body.messages.at(-1)[0].content).toMatch(/word39/);
  });

  it('by relevance, and equally relevant ones from the newest on', async () => {
    const platform = await botPlatform(MADE);
    const say = (text: string) => platform.emulator.messages.send(ids.general, text, ids.otter).id;
    const plain = Array.from({ length: 30 }, () => say('reed'));
    const best = say('reed reed');
    const short = [...plain].reverse();
    const long = [say('reed in the wind'), say('reed in the rain')];
    const page = async (query: string) =>
      idsIn((await found(platform, `?content=reed&sort_by=relevance${query}`)).body);
    expect(await page('&limit=4')).toEqual([best, ...short.slice(0, 3)]);
    expect(await page('&limit=3&offset=29')).toEqual([short[28], short[29], long[1]]);
    expect(await page('&limit=3&sort_order=asc')).toEqual([...long, plain[0]]);
    expect(await page('&limit=3&offset=31&sort_order=asc')).toEqual([plain[29], best]);
  });

  it('in their current form after a write, an edit and a deletion, and without reactions', async () => {
    const platform = await botPlatform(MADE);
    expect((await found(platform, `?content=high`)).body.messages[0]).toBeDefined();
    const message = platform.emulator.messages.send(ids.general, 'a walrus', ids.otter);
    expect(idsIn((await found(platform, '?content=walrus')).body)).toEqual([message.id]);
    platform.emulator.messages.edit(message.id, 'a seal');
    expect(idsIn((await found(platform, '?content=walrus')).body)).toEqual([]);
    expect(idsIn((await found(platform, '?content=seal')).body)).toEqual([message.id]);
    platform.emulator.messages.remove(message.id);
    expect(idsIn((await found(platform, '?content=seal')).body)).toEqual([]);
    const [[high]] = (await found(platform, `?max_id=${BOAT}`)).body.messages;
    expect(high).not.toHaveProperty('reactions');
  });
});

describe('a search is refused', () => {
  it.each([
    ['?limit=26', 400, 50035],
    ['?offset=9976', 400, 50035],
    ['?slop=101', 400, 50035],
    [`?content=${'x'.repeat(1025)}`, 400, 50035],
    ['?has=gold', 400, 50035],
    ['?sort_by=length', 400, 50035],
    ['?author_id=x', 400, 50035],
    ['?channel_id=500000000000000009', 403, 50001],
  ])('for %s', async (query, status, code) => {
    const platform = await botPlatform(MADE);
    expect(await found(platform, query)).toMatchObject({ status, body: { code } });
  });

  it('without the privileged intent or in another guild, and is empty without the permission', async () => {
    const blind = await botPlatform(MADE, []);
    expect((await blind.refused(`GET ${SEARCH}`)).body.code).toBe(50001);
    const platform = await botPlatform(MADE);
    expect((await platform.refused(`GET /guilds/${ids.harbour}/messages/search`)).body.code).toBe(50001);
    await platform.only('VIEW_CHANNEL');
    expect((await found(platform, '')).body).toMatchObject({ total_results: 0, messages: [] });
  });
});

it.each([
  [[1, 2], [1, 2], 0, true],
  [[2, 1], [1, 2], 0, true],
  [[1, 9, 2], [1, 2], 0, false],
  [[1, 9, 2], [1, 2], 1, true],
  [[1, 9, 9, 9, 2, 1], [1, 2], 0, true],
])('isClose counts the words between: %j, %j, %i', (said, words, slop, expected) => {
  expect(isClose(said, words, slop)).toBe(expected);
});
