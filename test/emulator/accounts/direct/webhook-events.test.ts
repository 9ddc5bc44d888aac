import { expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { players } from '../../../helpers/players.ts';

/** A platform whose game is told of events; what it was told, without attempts. */
async function toldPlatform() {
  const platform = await players({
    event_webhooks: [{ application: ids.harbourExample, url: 'http://127.0.0.1:9/' }],
  });
  const told = () =>
    platform.emulator.webhooks
      .deliveries()
      .map(({ body }) => JSON.parse(body).event)
      .filter(({ type }: { type: string }) => type.startsWith('GAME_'));
  return { platform, emulator: platform.emulator, told };
}

it('a game receives events of the messages of users who let it read them [V-13]', async () => {
  const { platform, emulator, told } = await toldPlatform();
  const river = await platform.person(ids.river);
  await platform.person(ids.otter);
  const { body } = await river.ask(`POST /users/${ids.otter}/messages`, {
    json: { content: 'ready?', metadata: { round: '3' } },
  });
  const path = `/users/${ids.otter}/messages/${body.id}`;
  await river.ask(`PATCH ${path}`, { json: { content: 'ready!' } });
  await platform.call(
    `PUT /partner-sdk/dms/${ids.otter}/${ids.river}/messages/${body.id}/moderation-metadata`,
    { headers: platform.bot(), json: { verdict: 'fine' } },
  );
  await river.ask(`DELETE ${path}`);
  expect(told().map(({ type }: { type: string }) => type)).toEqual([
    'GAME_DIRECT_MESSAGE_CREATE',
    'GAME_DIRECT_MESSAGE_UPDATE',
    'GAME_DIRECT_MESSAGE_DELETE',
  ]);
  expect(told()[0].data).toMatchObject({
    id: body.id,
    type: 0,
    content: 'ready?',
    author: { id: ids.river },
    flags: 0,
    application_id: ids.harbourExample,
    metadata: { round: '3' },
    channel: { id: body.channel_id, type: 1 },
  });
  expect(told()[0].data.channel.recipients).toHaveLength(2);
  // What is said on the platform while somebody plays is told, too.
  emulator.messages.sendTo(ids.heron, 'later', ids.otter);
  expect(told().at(-1)).toMatchObject({ type: 'GAME_DIRECT_MESSAGE_CREATE', data: { content: 'later' } });
});

it('a game receives no events without that permission, nor of messages to bots or in guilds [V-13]', async () => {
  const { platform, emulator, told } = await toldPlatform();
  await platform.person(ids.river, ['identify']);
  await platform.person(ids.otter, ['sdk.social_layer'], ids.lighthouse);
  await emulator.apply({ users: [{ id: '77', username: 'dinghy', bot: true }] });
  emulator.messages.sendTo(ids.otter, 'psst', ids.river);
  await platform.person(ids.river);
  emulator.messages.sendTo('77', 'help', ids.river);
  emulator.messages.send(ids.general, 'hello', ids.river);
  expect(told()).toEqual([]);
});
