import { expect, it } from 'vitest';
import { emojiOf } from '../../../src/emulator/messages/emoji.ts';
import { botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { APP } from '../../helpers/platform.ts';

const MESSAGE = `/channels/${ids.general}/messages/600000000000000001`;
const REACTIONS = `${MESSAGE}/reactions`;
const WAVE = encodeURIComponent('🌊');
const OF_OTTER = { reactions: [{ message: '600000000000000001', emoji: '🌊', user: 'otter' }] };

it('are added, counted, listed and taken back', async () => {
  const { ask } = await botPlatform(OF_OTTER);
  expect((await ask(`PUT ${REACTIONS}/${WAVE}/@me`)).status).toBe(204);
  expect((await ask(`PUT ${REACTIONS}/${WAVE}/@me`)).status).toBe(204);
  await ask(`PUT ${REACTIONS}/gull:123456789012345678/@me`);
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
      emoji: { id: '123456789012345678', name: 'gull' },
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

it('are taken away all together, or those with one emoji', async () => {
  const { ask } = await botPlatform(OF_OTTER);
  await ask(`PUT ${REACTIONS}/a:1/@me`).then(({ status }) => expect(status).toBe(400));
  await ask(`PUT ${REACTIONS}/ab:1/@me`);
  await ask(`DELETE ${REACTIONS}/${WAVE}`);
  expect((await ask(`GET ${MESSAGE}`)).body.reactions).toMatchObject([{ emoji: { id: '1' } }]);
  await ask(`DELETE ${REACTIONS}`);
  expect((await ask(`GET ${MESSAGE}`)).body).not.toHaveProperty('reactions');
});

it('go with their message', async () => {
  const { ask, emulator } = await botPlatform(OF_OTTER);
  await ask(`DELETE ${MESSAGE}`);
  expect([...emulator.tables.reactions]).toEqual([]);
});

it('ask a right of the first of an emoji, and of nobody who joins in', async () => {
  const { ask, refused, only } = await botPlatform(OF_OTTER);
  await only('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY');
  expect((await refused(`PUT ${REACTIONS}/ab:1/@me`)).body.code).toBe(50013);
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
])('refuse %s', async (what, status, code) => {
  const { refused } = await botPlatform();
  expect(await refused(what)).toMatchObject({ status, body: { code } });
});

it('are of 20 emojis at most', async () => {
  const reactions = Array.from({ length: 20 }, (_, i) => ({
    message: '600000000000000001',
    emoji: `gull:${i + 1}`,
    user: 'otter',
  }));
  const { ask, refused } = await botPlatform({ reactions });
  expect((await refused(`PUT ${REACTIONS}/${WAVE}/@me`)).body.code).toBe(30010);
  expect((await ask(`PUT ${REACTIONS}/gull:1/@me`)).status).toBe(204);
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
])('know %j as %j', (text, emoji) => {
  expect(emojiOf(text)).toBe(emoji);
});
