import type { TestEmulator } from '../../src/testing/testing.ts';
import { GatewayConnection, type GatewayPayload } from './gateway-connection.ts';

/** An interaction as the gateway tells of it. */
export interface ToldInteraction {
  readonly id: string;
  readonly token: string;
  readonly type: number;
  // A test knows what it did.
  // biome-ignore lint/suspicious/noExplicitAny: each has another shape
  readonly data: any;
}

/**
 * The bot of an application at the gateway, which answers every interaction with a callback that `answer` makes, and with nothing
 * where it makes none. Resolves once it is ready; ends with the emulator.
 */
export async function gatewayBot(
  { api }: Pick<TestEmulator, 'api'>,
  application: string,
  answer: (interaction: ToldInteraction) => object | undefined,
): Promise<void> {
  const connection = new GatewayConnection(api);
  connection.socket.on('message', (data: Buffer) => {
    const { t, d } = JSON.parse(data.toString('utf8')) as GatewayPayload;
    const callback = t === 'INTERACTION_CREATE' ? answer(d) : undefined;
    if (callback === undefined) return;
    void fetch(`${api}/v10/interactions/${d.id}/${d.token}/callback`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(callback),
    });
  });
  await connection.identify(botToken(application));
}

/** Token of an application's bot in an emulator. */
export function botToken(application: string): string {
  return `${Buffer.from(application).toString('base64url')}.emulator.bot`;
}

/** Registers commands of an application and adds its bot to a guild with an administrator's rights. */
export async function addBot(
  { operations, api }: Pick<TestEmulator, 'operations' | 'api'>,
  application: string,
  guild: string,
  commands: readonly object[],
): Promise<void> {
  await operations.call('emulator.apply', {
    patch: {
      applications: [{ id: application, bot_user: application }],
      users: [{ id: application, username: 'harbour', bot: true }],
      guilds: [{ id: guild, members: [{ user: application }] }],
    },
  });
  const { status } = await fetch(`${api}/v10/applications/${application}/commands`, {
    method: 'PUT',
    headers: { authorization: `Bot ${botToken(application)}`, 'content-type': 'application/json' },
    body: JSON.stringify(commands),
  });
  if (status !== 200) throw new Error(`the commands are refused: ${status}`);
}
