import { expect, it, onTestFinished } from 'vitest';
import { emulatorCore } from '../../../src/core/emulator/emulator-core.ts';
import { anybodyMayAnswer } from '../../../src/emulator/api/waiting-request.ts';
import { createEmulator } from '../../../src/emulator/compose/create-emulator.ts';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import { createServer } from '../../../src/server/server.ts';
import { memoryTransport } from '../../../src/transport/memory.ts';
import { AppPeer, settled } from '../../helpers/app-peer.ts';
import { ids } from '../../helpers/emulator-world.ts';

const client_id = ids.harbourExample;

/** A bridge that asks for consent, with an endpoint for a sandbox whose apps may request `rpc`. */
async function setUp(sandbox = { text: 'Flatpak org.a' }) {
  const emulator = await createEmulator({ fixture: defaultFixture(), consent: { policy: 'ask' } });
  const [own, inside] = [memoryTransport(), memoryTransport()];
  const core = emulatorCore({ emulator, mayAnswer: anybodyMayAnswer, httpPort: 0 });
  const server = await createServer({ transports: [own], core });
  onTestFinished(() => server.close());
  await server.open(
    {
      ...inside,
      listen: (onConnection) =>
        inside.listen((connection) => onConnection({ ...connection, peer: { pid: 7, uid: 1 } })),
    },
    {
      name: 'box',
      rights: ['rpc', 'OPEN_OVERLAY_VOICE_SETTINGS'],
      remedy: () => 'say so',
      sandboxOf: () => ({ kind: 'known', sandbox: sandbox.text }),
    },
  );
  const appAt = async (transport: typeof own): Promise<AppPeer> => {
    const app = new AppPeer(transport.connect());
    await app.handshake(client_id);
    return app;
  };
  const run = async (operation: string, args: object = {}): Promise<unknown> =>
    server.core.admin[operation]?.run(args, { via: 'control' });
  return { own: () => appAt(own), inside: () => appAt(inside), run };
}

it('requests of an app in a sandbox name its endpoint and its sandbox', async () => {
  const { inside, run } = await setUp();
  const app = await inside();
  app.request('AUTHORIZE', { client_id, scopes: ['rpc'] });
  app.request('OPEN_OVERLAY_VOICE_SETTINGS', { pid: 100 });
  await settled();
  const entrance = 'endpoint "box", Flatpak org.a';
  expect(await run('requests.list')).toMatchObject([
    { kind: 'authorization', peer: { entrance, transport: `memory ${entrance}` } },
    { kind: 'command', entrance },
  ]);
});

it('a permission that was given for always at the own endpoint is not valid in a sandbox', async () => {
  const { own, inside, run } = await setUp();
  const authorize = async (app: AppPeer): Promise<unknown> => {
    app.request('AUTHORIZE', { client_id, scopes: ['rpc'] });
    await settled();
    return run('requests.list');
  };
  const [waiting] = (await authorize(await own())) as { readonly id: string }[];
  await run('requests.approve', { id: waiting?.id, always: true });
  expect(await authorize(await own())).toEqual([]);
  expect(await authorize(await inside())).toHaveLength(1);
});

it.each(['unverified', 'Flatpak org.b'])(
  'a permission that was given for always to a proven Flatpak is not valid for %s',
  async (other) => {
    const sandbox = { text: 'Flatpak org.a' };
    const { inside, run } = await setUp(sandbox);
    const authorize = async (): Promise<readonly { readonly id: string }[]> => {
      (await inside()).request('AUTHORIZE', { client_id, scopes: ['rpc'] });
      await settled();
      return (await run('requests.list')) as readonly { readonly id: string }[];
    };
    const [waiting] = await authorize();
    await run('requests.approve', { id: waiting?.id, always: true });
    expect(await authorize()).toEqual([]);
    sandbox.text = other;
    expect(await authorize()).toHaveLength(1);
  },
);
