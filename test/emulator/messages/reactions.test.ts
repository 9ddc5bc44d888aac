import { expect, it } from 'vitest';
import { emojiOf } from '../../../src/emulator/guilds/emoji/emoji-text.ts';
import { botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { APP } from '../../helpers/platform.ts';

const MESSAGE = `/channels/${ids.general}/messages/600000000000000001`;
const REACTIONS = `${MESSAGE}/reactions`;
const WAVE = encodeURIComponent('🌊');
/** Of River Bank: `gull`, `crab` for a role of others, `gone` of no use. Of the harbour: `buoy`. */
const GULL = '9000000000000000001';
const CRAB = '9000000000000000002';
const GONE = '9000000000000000003';
const BUOY = '9000000000000000004';
const WITH_EMOJIS = {
  guilds: [
    {
      id: ids.riverBank,
      roles: [{ id: '9100000000000000001', name: 'Crew' }],
      emojis: [
        { id: GULL, name: 'gull' },
        { id: CRAB, name: 'crab', roles: ['9100000000000000001'] },
        { id: GONE, name: 'gone', available: false },
      ],
    },
    { id: ids.harbour, emojis: [{ id: BUOY, name: 'buoy' }] },
  ],
};
const OF_OTTER = { reactions: [{ message: '600000000000000001', emoji: '🌊', user: 'otter' }] };

it('reactions are added, counted, listed and removed', async () => {
  const { ask } = await botPlatform({ ...OF_OTTER, ...WITH_EMOJIS });
  expect((await ask(`PUT ${REACTIONS}/${WAVE}/@me`)).status).toBe(204);
  expect((await ask(`PUT ${REACTIONS}/${WAVE}/@me`)).status).toBe(204);
  await ask(`PUT ${REACTIONS}/gull:${GULL}/@me`);
  expect((await ask(`GET ${MESSAGE}`)).body.reactions).toEqual([
    {
      emoji: { id: null, name: '🌊' },
      count: 2,
      count_details: { burst: 0, normal: 2 },
      burst_colors: [],
      me_burst: false,
      me: true,
    },
    {
      emoji: { id: GULL, name: 'gull' },
      count: 1,
      count_details: { burst: 0, normal: 1 },
      burst_colors: [],
      me_burst: false,
      me: true,
    },
  ]);
  const page = async (query: string) =>
    (await ask(`GET ${REACTIONS}/${WAVE}${query}`)).body.map(({ id }: { id: string }) => id);
  expect(await page('')).toEqual([ids.otter, APP]);
  expect(await page('?limit=1')).toEqual([ids.otter]);
  expect(await page(`?after=${ids.otter}`)).toEqual([APP]);
  expect(await page('?type=1')).toEqual([]);
  await ask(`DELETE ${REACTIONS}/${WAVE}/@me`);
  expect(await page('')).toEqual([ids.otter]);
  await ask(`DELETE ${REACTIONS}/${WAVE}/${ids.otter}`);
  expect(await page('')).toEqual([]);
});

it('reactions are removed all at once, or for one emoji', async () => {
  const { ask } = await botPlatform({ ...OF_OTTER, ...WITH_EMOJIS });
  await ask(`PUT ${REACTIONS}/a:1/@me`).then(({ status }) => expect(status).toBe(400));
  await ask(`PUT ${REACTIONS}/gull:${GULL}/@me`);
  await ask(`DELETE ${REACTIONS}/${WAVE}`);
  expect((await ask(`GET ${MESSAGE}`)).body.reactions).toMatchObject([{ emoji: { id: GULL } }]);
  await ask(`DELETE ${REACTIONS}`);
  expect((await ask(`GET ${MESSAGE}`)).body).not.toHaveProperty('reactions');
});

it('reactions are removed with their message', async () => {
  const { ask, emulator } = await botPlatform(OF_OTTER);
  await ask(`DELETE ${MESSAGE}`);
  expect([...emulator.tables.reactions]).toEqual([]);
});

it('the first reaction with an emoji requires ADD_REACTIONS, and further ones do not', async () => {
  const { ask, refused, only } = await botPlatform(OF_OTTER);
  await only('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY');
  expect((await refused(`PUT ${REACTIONS}/${encodeURIComponent('⛵')}/@me`)).body.code).toBe(50013);
  expect((await ask(`PUT ${REACTIONS}/${WAVE}/@me`)).status).toBe(204);
  for (const path of [`${WAVE}/${ids.otter}`, WAVE, '']) {
    expect((await refused(`DELETE ${REACTIONS}/${path}`.replace(/\/$/, ''))).body.code).toBe(50013);
  }
});

it.each([
  [`PUT ${REACTIONS}/x/@me`, 400, 10014],
  [`PUT ${REACTIONS}/%20/@me`, 400, 10014],
  [`PUT /channels/${ids.general}/messages/1/reactions/${WAVE}/@me`, 404, 10008],
  [`DELETE ${REACTIONS}/${WAVE}/1`, 404, 10013],
  [`GET ${REACTIONS}/${WAVE}?limit=101`, 400, 50035],
])('the reaction routes refuse %s', async (what, status, code) => {
  const { refused } = await botPlatform();
  expect(await refused(what)).toMatchObject({ status, body: { code } });
});

it('reactions to a message have at most 20 emojis', async () => {
  const reactions = Array.from({ length: 20 }, (_, i) => ({
    message: '600000000000000001',
    emoji: `gull:${i + 1}`,
    user: 'otter',
  }));
  const { ask, refused } = await botPlatform({ reactions });
  expect((await refused(`PUT ${REACTIONS}/${WAVE}/@me`)).body.code).toBe(30010);
  expect((await ask(`PUT ${REACTIONS}/gull:1/@me`)).status).toBe(204);
});

it('reactions with a guild emoji have its own name, and are identified by its id', async () => {
  const { ask } = await botPlatform({ ...OF_OTTER, ...WITH_EMOJIS });
  expect((await ask(`PUT ${REACTIONS}/seagull:${GULL}/@me`)).status).toBe(204);
  const shown = async () =>
    (await ask(`GET ${MESSAGE}`)).body.reactions.map(({ emoji }: { emoji: object }) => emoji);
  expect(await shown()).toEqual([
    { id: null, name: '🌊' },
    { id: GULL, name: 'gull' },
  ]);
  expect((await ask(`GET ${REACTIONS}/other:${GULL}`)).body).toMatchObject([{ id: APP }]);
  await ask(`DELETE ${REACTIONS}/other:${GULL}/@me`);
  expect(await shown()).toEqual([{ id: null, name: '🌊' }]);
});

it.each([
  ['one that nobody has made', 'ab:1'],
  ['one for roles of others', `crab:${CRAB}`],
  ['one that cannot be used', `gone:${GONE}`],
  ['one of a guild that the bot is not in', `buoy:${BUOY}`],
])('reactions cannot start with %s, but can be added to existing ones', async (_, emoji) => {
  const { ask, refused } = await botPlatform(WITH_EMOJIS);
  expect(await refused(`PUT ${REACTIONS}/${emoji}/@me`)).toMatchObject({
    status: 400,
    body: { code: 10014 },
  });
  const others = await botPlatform({
    ...WITH_EMOJIS,
    reactions: [{ message: '600000000000000001', emoji, user: 'otter' }],
  });
  expect((await others.ask(`PUT ${REACTIONS}/${emoji}/@me`)).status).toBe(204);
  expect((await ask(`GET ${MESSAGE}`)).body).not.toHaveProperty('reactions');
});

it('reactions with an emoji of another guild require a permission, but application emojis do not', async () => {
  const { ask, refused, only, emulator } = await botPlatform(WITH_EMOJIS);
  await emulator.apply({
    guilds: [{ id: ids.harbour, members: [{ user: APP }] }],
    application_emojis: [
      { id: '9000000000000000005', application: APP, name: 'mine' },
      { id: '9000000000000000006', application: ids.lighthouse, name: 'theirs' },
    ],
  });
  await only('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY', 'ADD_REACTIONS');
  expect((await refused(`PUT ${REACTIONS}/buoy:${BUOY}/@me`)).body.code).toBe(10014);
  expect((await refused(`PUT ${REACTIONS}/theirs:9000000000000000006/@me`)).body.code).toBe(10014);
  expect((await ask(`PUT ${REACTIONS}/mine:9000000000000000005/@me`)).status).toBe(204);
  await only('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY', 'ADD_REACTIONS', 'USE_EXTERNAL_EMOJIS');
  expect((await ask(`PUT ${REACTIONS}/buoy:${BUOY}/@me`)).status).toBe(204);
});

it.each([
  ['🌊', '🌊'],
  ['👨‍👩‍👧', '👨‍👩‍👧'],
  ['🇳🇿', '🇳🇿'],
  ['1️⃣', '1️⃣'],
  ['gull:12', 'gull:12'],
  ['a:gull:12', 'gull:12'],
  ['<:gull:12>', 'gull:12'],
  ['1', undefined],
  ['x', undefined],
  ['', undefined],
  ['🌊'.repeat(40), undefined],
  ['../x', undefined],
])('emojiOf reads %j as %j', (text, emoji) => {
  expect(emojiOf(text)).toBe(emoji);
});
