import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../src/client/index.ts';
import { startDaemon } from '../../helpers/daemon.ts';
import { ScriptedClient } from '../../helpers/scripted-client.ts';
import { footbridgeCommand, type Place, startFootbridge, temporaryPlace } from '../spawn.ts';

const APP = '300000000000000001';

/** A forward to `auto`, over a second process. */
const overCommand = `exec:${footbridgeCommand('forward', '--from', 'stdio:', '--to', 'auto')
  .map((word) => `'${word}'`)
  .join(' ')}`;

async function forward(place: Place, from: string, to: string, ...more: readonly string[]) {
  const running = startFootbridge(place, ['forward', '--from', from, '--to', to, ...more]);
  await running.stderrWith('Forwarding');
}

const connecting = (path: string) => connect({ clientId: APP, paths: [path], reconnect: false });

it.each([
  ['auto', 'auto'],
  ['a command and auto', overCommand],
])(
  'a bridge that would stand behind itself over a forward to %s says so, and has no session for it',
  async (_what, to) => {
    const daemon = await startDaemon({ args: ['--core', 'upstream', '--ws-port', 'off'] });
    onTestFinished(async () => void (await daemon.stop()));
    const place: Place = { folder: daemon.folder, env: daemon.env };
    const circle = join(daemon.folder, 'discord-ipc-1');
    await forward(place, circle, to);
    await expect(connecting(daemon.endpoint)).rejects.toThrow('No chat client is running');
    const { sessions } = (await daemon.json('status')) as { sessions: unknown[] };
    expect(sessions).toEqual([]);
    const { stdout } = await daemon.cli(['status']);
    expect(stdout).toMatch(
      new RegExp(`^to do +${circle} leads back to this bridge[^\\n]+--upstream PATH\\.$`, 'm'),
    );
    const client = await new ScriptedClient(join(daemon.folder, 'discord-ipc-2')).start();
    onTestFinished(() => client.stop());
    await (await connecting(daemon.endpoint)).close();
  },
);

it('a forward to a chat client that has gone does not find itself', async () => {
  const place = temporaryPlace();
  const folder = place.env['XDG_RUNTIME_DIR'] as string;
  const client = await new ScriptedClient(join(folder, 'discord-ipc-1')).start();
  const own = join(folder, 'discord-ipc-0');
  await forward(place, own, 'auto', '--rights', 'full');
  await (await connecting(own)).close();
  await client.stop();
  await expect(connecting(own)).rejects.toThrow('No bridge or chat client listens here');
});
