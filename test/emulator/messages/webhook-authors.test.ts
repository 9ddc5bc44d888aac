import { expect, it } from 'vitest';
import { rpcMessage } from '../../../src/core/emulator/guild/message.ts';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import { botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { patch } from '../../helpers/patched.ts';

const MESSAGES = `/channels/${ids.general}/messages`;
const SAID = {
  id: '900000000000000001',
  channel: ids.general,
  webhook: { id: '900', name: 'Tide table', avatar: 'a'.repeat(32) },
  content: 'High water',
};
const AUTHOR = {
  id: '900',
  username: 'Tide table',
  discriminator: '0000',
  avatar: 'a'.repeat(32),
  bot: true,
};

it('a webhook message has a bot without an account as its author, over HTTP and RPC', async () => {
  const { ask, emulator } = await botPlatform({ messages: [SAID] });
  const { body } = await ask(`GET ${MESSAGES}/${SAID.id}`);
  expect(body).toMatchObject({
    webhook_id: '900',
    author: { ...AUTHOR, global_name: null },
    content: 'High water',
  });
  const message = emulator.messages.of(ids.general).at(-1);
  expect(message && rpcMessage(emulator, message)).toMatchObject({
    author: AUTHOR,
    bot: true,
    blocked: false,
    nick: 'Tide table',
  });
});

it('a webhook message is found by the id of the webhook and by the author type webhook', async () => {
  const { ask } = await botPlatform({ messages: [SAID] });
  const search = async (query: string) => {
    const { body } = await ask(`GET /guilds/${ids.riverBank}/messages/search?${query}`);
    return body.messages.flat().map(({ id }: { id: string }) => id);
  };
  await expect.poll(async () => (await ask(`GET /guilds/${ids.riverBank}/messages/search`)).status).toBe(200);
  expect(await search('author_id=900')).toEqual([SAID.id]);
  expect(await search('author_type=webhook')).toEqual([SAID.id]);
  expect(await search('author_type=-webhook')).not.toContain(SAID.id);
});

it('a webhook message survives an export and an import of the state', async () => {
  const { emulator } = await botPlatform({ messages: [SAID] });
  const exported = emulator.exportState();
  emulator.importState(exported, 'x.jsonl');
  expect(emulator.exportState()).toBe(exported);
  expect(emulator.tables.messages.get(SAID.id)).toMatchObject({ author: null, webhook: { id: '900' } });
});

it('a message with both a user and a webhook as author is refused, and so is one without an author', async () => {
  const wrong = /author: must be there, unless a webhook wrote it/;
  expect(() => patch(defaultFixture(), { messages: [{ ...SAID, author: 'river' }] })).toThrow(wrong);
  const { emulator } = await botPlatform({ messages: [SAID] });
  const exported = emulator.exportState();
  const ofNobody = exported.replace(/"webhook":\{[^}]*\},/, '');
  expect(ofNobody).not.toBe(exported);
  expect(() => emulator.importState(ofNobody, 'x.jsonl')).toThrow(wrong);
  expect(emulator.exportState()).toBe(exported);
});
