import { afterEach, expect, it, vi } from 'vitest';
import { dispatches } from '../../../../src/emulator/compose/dispatches.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayConnection } from '../../../helpers/gateway-connection.ts';

afterEach(() => void vi.restoreAllMocks());

/** A bot at the gateway with these intents, and how its connection ended; `message` writes one that it should be sent. */
async function botAtGateway(intents = (1 << 0) | (1 << 9)) {
  const found = messageCreate();
  const { derive } = found;
  let isFailing = false;
  // The gateway takes what it derives with as the first connection comes.
  vi.spyOn(found, 'derive').mockImplementation((...given) => {
    if (isFailing) throw new RangeError('canary');
    return derive(...given);
  });
  const platform = await botPlatform();
  const connection = new GatewayConnection(platform.url);
  await connection.identify(platform.bot().authorization.replace('Bot ', ''), { intents });
  const message = async (content: string) =>
    (await platform.ask(`POST /channels/${ids.general}/messages`, { content })).status;
  const failToDerive = (): void => {
    isFailing = true;
  };
  return { ...platform, connection, message, failToDerive };
}

const messageCreate = () => {
  const found = dispatches.find(({ event }) => event === 'MESSAGE_CREATE');
  if (found?.derive === undefined) throw new Error('MESSAGE_CREATE is derived from nothing');
  return found as typeof found & { derive: NonNullable<typeof found.derive> };
};

it('a session is closed with 4000 when an event for it could not be derived', async () => {
  const { connection, message, lines, failToDerive } = await botAtGateway();
  failToDerive();
  expect(await message('a')).toBe(200);
  expect((await connection.closed).code).toBe(4000);
  expect(lines).toContain('the gateway could not send MESSAGE_CREATE: RangeError');
  expect(lines.join('\n')).not.toContain('canary');
});

it('a session whose intents exclude the event that could not be derived stays', async () => {
  const { connection, message, emulator, lines, failToDerive } = await botAtGateway(1 << 0);
  failToDerive();
  expect(await message('a')).toBe(200);
  expect(lines).toContain('the gateway could not send MESSAGE_CREATE: RangeError');
  await emulator.apply({ guilds: [{ id: ids.riverBank, name: 'Sea Bank' }] });
  await vi.waitFor(() => expect(connection.received.map(({ t }) => t)).toContain('GUILD_UPDATE'));
});

it('every session is closed with 4000 when the gateway could not follow a commit', async () => {
  const { connection, message, lines } = await botAtGateway(1 << 0);
  const { tables } = messageCreate();
  vi.spyOn(tables as unknown as Iterable<unknown>, Symbol.iterator).mockImplementationOnce(() => {
    throw new RangeError('canary');
  });
  expect(await message('a')).toBe(200);
  expect((await connection.closed).code).toBe(4000);
  expect(lines).toContain(
    'the gateway could not follow a change of the state (RangeError), and went on from the state as it is',
  );
});
