import { expect, it } from 'vitest';
import { INTENTS } from '../../../../src/emulator/api/dispatch.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient, tokenOf } from '../../../helpers/gateway-client.ts';
import { APP } from '../../../helpers/platform.ts';

const CHANNEL = '900000000000000101';

it('a bot that joins a guild receives GUILD_CREATE once, and then its messages [W-2]', async () => {
  const platform = await botPlatform({}, ['guild_members']);
  const client = new GatewayClient(platform.url);
  const intents = INTENTS.GUILDS | INTENTS.GUILD_MEMBERS | INTENTS.GUILD_EXPRESSIONS | INTENTS.GUILD_MESSAGES;
  await client.identify(tokenOf(platform), { intents });
  await client.rest();
  await platform.emulator.apply({
    guilds: [
      {
        id: ids.harbour,
        roles: [{ id: '900000000000000103', name: 'crew' }],
        channels: [{ id: CHANNEL, name: 'quay', type: 0 }],
        members: [{ user: APP }, { user: ids.otter }],
      },
    ],
    messages: [{ id: '900000000000000102', channel: CHANNEL, author: ids.otter, content: 'hi' }],
  });
  const told = (await client.rest()).filter(({ op }) => op === 0);
  expect(told.map(({ t }) => t)).toEqual(['GUILD_CREATE', 'MESSAGE_CREATE']);
  expect(told[0]?.d).toMatchObject({
    channels: expect.arrayContaining([expect.objectContaining({ name: 'quay' })]),
  });
});
