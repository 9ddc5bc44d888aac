import { expect, it } from 'vitest';
import { ClientStatus } from '../../src/sdk/index.ts';
import { ANA, heldService, userOf } from './held-service.ts';
import { plays, service, until } from './played-game.ts';

const BEN = 9n;
const mine = { id: '77', channel_id: '8', content: 'first', author: userOf(ANA) };

it('the recipient of a message is known when the gateway sends the message before the answer', async () => {
  const { client, play, asked } = await heldService();
  const peer = await play(ANA);
  const sent = client.SendUserMessage(BEN, mine.content);
  const request = await asked(`POST /users/${BEN}/messages`);
  peer.tell('MESSAGE_CREATE', mine);
  await until(() => client.GetMessageHandle(77n) !== undefined);
  request.answer(mine);
  await sent;
  const { summaries } = await client.GetUserMessageSummaries();
  expect([
    client.GetMessageHandle(77n)?.RecipientId(),
    client.GetChannelHandle(8n)?.Recipients(),
    summaries.map((one) => one.UserId()),
  ]).toEqual([BEN, [BEN], [BEN]]);
});

it('the recipient of a message is known in a later session, against the offline service', async () => {
  const { api } = await service();
  const [{ client }, ben] = [await plays(api, 'ana'), await plays(api, 'ben')];
  await client.SendUserMessage(ben.id, 'before');
  await client.Disconnect();
  client.Connect();
  await until(() => client.GetStatus() === ClientStatus.Ready);
  const { messageId } = await client.SendUserMessage(ben.id, 'after');
  expect(client.GetMessageHandle(messageId)?.RecipientId()).toBe(ben.id);
  expect((await client.GetUserMessageSummaries()).summaries.map((one) => one.UserId())).toEqual([ben.id]);
});

it('messages that are read late do not revert an edit of the player without a gateway', async () => {
  const { client, use, asked } = await heldService();
  await use(ANA);
  const read = client.GetUserMessagesWithLimit(BEN, 10);
  const request = await asked(`GET /users/${BEN}/messages?limit=10`);
  const edited = client.EditUserMessage(BEN, 77n, 'edited');
  (await asked(`PATCH /users/${BEN}/messages/77`)).answer({ ...mine, content: 'edited' });
  await edited;
  request.answer([mine]);
  await read;
  expect(client.GetMessageHandle(77n)?.Content()).toBe('edited');
});
