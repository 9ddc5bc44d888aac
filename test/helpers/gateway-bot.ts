import { WebSocket } from 'ws';
import type { TestEmulator } from '../../src/testing/testing.ts';

const HELLO = 10;

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
  const token = `${Buffer.from(application).toString('base64url')}.emulator.bot`;
  const socket = new WebSocket(`${api.replace('http', 'ws').replace('/api', '')}/gateway?v=10&encoding=json`);
  socket.on('error', () => {});
  const properties = { os: 'linux', browser: 'test', device: 'test' };
  await new Promise<void>((resolve, reject) => {
    socket.on('close', (code) => reject(new Error(`the gateway closed with ${code}`)));
    socket.on('message', (data: Buffer) => {
      const { op, t, d } = JSON.parse(data.toString('utf8')) as { op: number; t: string; d: ToldInteraction };
      if (op === HELLO) socket.send(JSON.stringify({ op: 2, d: { token, intents: 0, properties } }));
      if (t === 'READY') resolve();
      const callback = t === 'INTERACTION_CREATE' ? answer(d) : undefined;
      if (callback === undefined) return;
      void fetch(`${api}/v10/interactions/${d.id}/${d.token}/callback`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(callback),
      });
    });
  });
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
  const token = `${Buffer.from(application).toString('base64url')}.emulator.bot`;
  const { status } = await fetch(`${api}/v10/applications/${application}/commands`, {
    method: 'PUT',
    headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(commands),
  });
  if (status !== 200) throw new Error(`the commands are refused: ${status}`);
}
