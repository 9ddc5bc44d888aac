import { describe, expect, it } from 'vitest';
import { botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';

const MESSAGES = `/channels/${ids.general}/messages`;
const sticker = (id: string, more: object = {}) => ({ id, name: `s${id}`, format: 'png', ...more });

/** With stickers of River Bank, of another guild, and of a pack. */
const withStickers = () =>
  botPlatform({
    guilds: [
      { id: ids.riverBank, stickers: [sticker('801'), sticker('802', { available: false })] },
      { id: ids.harbour, stickers: [sticker('803')] },
    ],
    sticker_packs: [
      {
        id: '700',
        sku: '701',
        name: 'Tides',
        stickers: [sticker('702', { name: 'Wave', format: 'lottie' })],
      },
    ],
  });

it('stickers of a guild and of a pack are sent with a message, and stay after they are deleted', async () => {
  const { ask, emulator } = await withStickers();
  const { status, body } = await ask(`POST ${MESSAGES}`, { sticker_ids: ['801', '702'] });
  expect(status).toBe(200);
  const items = [
    { id: '801', name: 's801', format_type: 1 },
    { id: '702', name: 'Wave', format_type: 3 },
  ];
  expect(body).toMatchObject({ content: '', sticker_items: items });
  await emulator.apply({ guilds: [{ id: ids.riverBank, stickers: [{ id: '801', remove: true }] }] });
  expect((await ask(`GET ${MESSAGES}/${body.id}`)).body.sticker_items).toEqual(items);
  const forward = { message_reference: { type: 1, message_id: body.id } };
  const { body: passed } = await ask(`POST ${MESSAGES}`, forward);
  expect(passed.message_snapshots[0].message.sticker_items).toEqual(items);
  const search = `GET /guilds/${ids.riverBank}/messages/search?has=sticker`;
  await expect.poll(async () => (await ask(search)).status).toBe(200);
  expect((await ask(search)).body.messages.flat()).toMatchObject([{ id: body.id }]);
});

it('stickers of another guild require a permission of their own', async () => {
  const { ask, refused, only } = await withStickers();
  expect((await ask(`POST ${MESSAGES}`, { sticker_ids: ['803'] })).body.sticker_items).toHaveLength(1);
  await only('VIEW_CHANNEL', 'SEND_MESSAGES');
  const answer = await refused(`POST ${MESSAGES}`, { sticker_ids: ['803'] });
  expect(answer).toMatchObject({ status: 403, body: { code: 50013 } });
  expect((await ask(`POST ${MESSAGES}`, { sticker_ids: ['801'] })).status).toBe(200);
});

describe('a refused message with stickers leaves the state unchanged:', () => {
  it.each([
    ['one that is not there', { sticker_ids: ['1'] }, 50081],
    ['one that cannot be used', { sticker_ids: ['802'] }, 50081],
    ['four', { sticker_ids: ['801', '702', '803', '1'] }, 50035],
    ['what is no id', { sticker_ids: ['x'] }, 50035],
    ['none, and nothing else', { sticker_ids: [] }, 50006],
    [
      'some beside components of version 2',
      { sticker_ids: ['801'], flags: 1 << 15, components: [{ type: 10, content: 'x' }] },
      50035,
    ],
  ])('%s', async (_, json, code) => {
    const { refused } = await withStickers();
    expect(await refused(`POST ${MESSAGES}`, json)).toMatchObject({ status: 400, body: { code } });
  });
});
