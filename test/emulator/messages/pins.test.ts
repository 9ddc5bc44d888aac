import { expect, it } from 'vitest';
import { botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';

const CHANNEL = `/channels/${ids.general}`;
const PINS = `${CHANNEL}/messages/pins`;
const HIGH = '600000000000000001';
const BOAT = '600000000000000002';

it('messages are pinned, paged by pin time, announced in the channel and unpinned [P-14]', async () => {
  const { ask, emulator } = await botPlatform();
  emulator.clock.freeze();
  for (const id of [HIGH, BOAT]) {
    expect((await ask(`PUT ${PINS}/${id}`)).status).toBe(204);
    emulator.clock.advance(1000);
  }
  const { body } = await ask(`GET ${PINS}`);
  expect(body).toMatchObject({
    items: [{ message: { id: BOAT, pinned: true } }, { message: { id: HIGH } }],
    has_more: false,
  });
  expect((await ask(`GET ${PINS}?limit=1`)).body).toMatchObject({
    items: [{ message: { id: BOAT } }],
    has_more: true,
  });
  const before = encodeURIComponent(body.items[0].pinned_at);
  expect((await ask(`GET ${PINS}?before=${before}`)).body.items).toMatchObject([{ message: { id: HIGH } }]);
  expect((await ask(`GET ${CHANNEL}/messages?limit=1`)).body).toMatchObject([
    { type: 6, content: '', message_reference: { message_id: BOAT } },
  ]);
  expect((await ask(`DELETE ${PINS}/${BOAT}`)).status).toBe(204);
  expect((await ask(`DELETE ${PINS}/${BOAT}`)).status).toBe(204);
  expect((await ask(`GET ${PINS}`)).body.items).toHaveLength(1);
  expect(emulator.tables.messages.get(BOAT)).not.toHaveProperty('pinned_at');
});

it('pins are available on the older routes, too [P-14]', async () => {
  const { ask } = await botPlatform();
  expect((await ask(`PUT ${CHANNEL}/pins/${HIGH}`)).status).toBe(204);
  expect((await ask(`GET ${CHANNEL}/pins`)).body).toMatchObject([{ id: HIGH, pinned: true }]);
  expect((await ask(`DELETE ${CHANNEL}/pins/${HIGH}`)).status).toBe(204);
  expect((await ask(`GET ${CHANNEL}/pins`)).body).toEqual([]);
});

it('pins are limited to 250 in a channel', async () => {
  const messages = Array.from({ length: 250 }, (_, i) => ({
    id: String(700_000_000_000_000_000n + BigInt(i)),
    channel: ids.general,
    author: 'otter',
    content: 'x',
    pinned: true,
  }));
  const { refused, ask } = await botPlatform({ messages });
  expect(await refused(`PUT ${PINS}/${HIGH}`)).toMatchObject({ status: 400, body: { code: 30003 } });
  expect((await ask(`GET ${PINS}`)).body.items).toHaveLength(50);
  expect((await ask(`PUT ${PINS}/${messages[0]?.id}`)).status).toBe(204);
});

it('pins require MANAGE_MESSAGES until 2026-02-23, and PIN_MESSAGES from then on [N-4]', async () => {
  const { ask, refused, only, emulator } = await botPlatform();
  await only('VIEW_CHANNEL', 'MANAGE_MESSAGES');
  emulator.clock.set(Date.parse('2026-02-22T23:59:00Z'));
  expect((await ask(`PUT ${PINS}/${HIGH}`)).status).toBe(204);
  emulator.clock.set(Date.parse('2026-02-23T00:00:00Z'));
  expect((await refused(`PUT ${PINS}/${BOAT}`)).body.code).toBe(50013);
  expect((await refused(`DELETE ${PINS}/${HIGH}`)).body.code).toBe(50013);
  await only('VIEW_CHANNEL', 'PIN_MESSAGES');
  expect((await ask(`DELETE ${PINS}/${HIGH}`)).status).toBe(204);
});

it('pins are an empty list without READ_MESSAGE_HISTORY', async () => {
  const { ask, only } = await botPlatform({ messages: [{ id: HIGH, pinned: true }] });
  await only('VIEW_CHANNEL');
  expect((await ask(`GET ${PINS}`)).body).toEqual({ items: [], has_more: false });
});

it.each([
  [`PUT ${PINS}/1`, 404, 10008],
  [`DELETE ${PINS}/x`, 400, 50035],
  [`GET ${PINS}?limit=51`, 400, 50035],
  [`GET ${PINS}?before=yesterday`, 400, 50035],
])('the pin routes refuse %s', async (what, status, code) => {
  const { refused } = await botPlatform();
  expect(await refused(what)).toMatchObject({ status, body: { code } });
});

it('a message of an announcement channel is published once', async () => {
  const { ask, refused } = await botPlatform();
  const news = '/channels/500000000000000003/messages';
  const { body } = await ask(`POST ${news}`, { content: 'x' });
  expect((await ask(`POST ${news}/${body.id}/crosspost`)).body).toMatchObject({ id: body.id, flags: 1 });
  expect(await refused(`POST ${news}/${body.id}/crosspost`)).toMatchObject({
    status: 400,
    body: { code: 40033 },
  });
  expect((await refused(`POST ${CHANNEL}/messages/${HIGH}/crosspost`)).body.code).toBe(50024);
});

it('a bot sends a typing indicator where it may send messages', async () => {
  const { ask, refused, only } = await botPlatform();
  expect((await ask(`POST ${CHANNEL}/typing`)).status).toBe(204);
  expect((await refused(`POST /channels/${ids.lounge}/typing`)).body.code).toBe(50008);
  await only('VIEW_CHANNEL');
  expect((await refused(`POST ${CHANNEL}/typing`)).body.code).toBe(50013);
});
