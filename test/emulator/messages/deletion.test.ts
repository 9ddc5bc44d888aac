import { describe, expect, it } from 'vitest';
import { botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';

const GENERAL = `/channels/${ids.general}`;
const HIGH = '600000000000000001';

describe('the first message of a thread', () => {
  it('is neither deleted, alone or with others, nor edited or pinned', async () => {
    const { ask, refused, emulator } = await botPlatform();
    const thread = `/channels/${(await ask(`POST ${GENERAL}/messages/${HIGH}/threads`, { name: 'Tide' })).body.id}`;
    const [{ id, type }] = (await ask(`GET ${thread}/messages`)).body;
    expect(type).toBe(21);
    const other = (await ask(`POST ${thread}/messages`, { content: 'x' })).body.id;
    for (const [what, json] of [
      [`DELETE ${thread}/messages/${id}`],
      [`POST ${thread}/messages/bulk-delete`, { messages: [other, id] }],
      [`PATCH ${thread}/messages/${id}`, { content: 'x' }],
      [`PUT ${thread}/messages/pins/${id}`],
    ] as const) {
      const { status, body } = await refused(what, json);
      expect([what, status, body.code]).toEqual([what, 403, 50021]);
    }
    expect(() => emulator.messages.remove(id)).toThrow('system message');
    expect((await ask(`DELETE ${thread}/messages/${other}`)).status).toBe(204);
  });
});

it('a bulk deletion that names a message twice is refused', async () => {
  const { ask, refused } = await botPlatform();
  const { id } = (await ask(`POST ${GENERAL}/messages`, { content: 'x' })).body;
  const { status, body } = await refused(`POST ${GENERAL}/messages/bulk-delete`, { messages: [id, id] });
  expect([status, body.code]).toEqual([400, 50035]);
  expect(body.errors.messages._errors[0].code).toBe('SET_TYPE_ALREADY_CONTAINS_VALUE');
});

describe('the last message of a channel', () => {
  it.each<[string, (id: string, other: string) => readonly [string, object?]]>([
    ['by itself', (id) => [`DELETE ${GENERAL}/messages/${id}`]],
    ['with others', (id, other) => [`POST ${GENERAL}/messages/bulk-delete`, { messages: [other, id] }]],
  ])('is still named after its deletion %s, until there is a newer one', async (_, deletion) => {
    const { ask, emulator } = await botPlatform();
    const say = async () => (await ask(`POST ${GENERAL}/messages`, { content: 'x' })).body.id;
    const last = async () => (await ask(`GET ${GENERAL}`)).body.last_message_id;
    const [first, second] = [await say(), await say()];
    await ask(...deletion(second, first));
    expect(await last()).toBe(second);
    const third = await say();
    expect(await last()).toBe(third);
    await ask(`DELETE ${GENERAL}/messages/${HIGH}`);
    expect(await last()).toBe(third);
    emulator.importState(emulator.exportState(), 'state.json');
    expect(await last()).toBe(third);
  });

  it('is still named in a private channel', async () => {
    const { ask } = await botPlatform();
    const { id } = (await ask('POST /users/@me/channels', { recipient_id: ids.otter })).body;
    const message = (await ask(`POST /channels/${id}/messages`, { content: 'x' })).body.id;
    await ask(`DELETE /channels/${id}/messages/${message}`);
    expect((await ask(`GET /channels/${id}`)).body.last_message_id).toBe(message);
  });

  it('is still named in a thread, whose sent messages include those that were deleted', async () => {
    const { ask } = await botPlatform();
    const { id } = (await ask(`POST ${GENERAL}/threads`, { name: 'a', type: 11 })).body;
    const say = async () => (await ask(`POST /channels/${id}/messages`, { content: 'x' })).body.id;
    const [first, second] = [await say(), await say()];
    for (const message of [second, first]) await ask(`DELETE /channels/${id}/messages/${message}`);
    expect((await ask(`GET /channels/${id}`)).body).toMatchObject({
      last_message_id: second,
      message_count: 0,
      total_message_sent: 2,
    });
  });
});
