import { existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectTo, WireClient } from '../../src/cli/call/wire-client.ts';
import { type StartEmulatorOptions, startEmulator } from '../../src/cli/testing.ts';
import { temporaryPlace } from './spawn.ts';

const APP = '300000000000000001';

async function started(options?: StartEmulatorOptions) {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
}

async function connected(endpoint: string) {
  const client = new WireClient(await connectTo(endpoint));
  onTestFinished(() => client.close());
  return { client, ready: await client.handshake(APP, 10_000) };
}

describe('startEmulator', () => {
  it('serves a private endpoint that its environment leads to', async () => {
    const emulator = await started();
    expect(emulator.env).toMatchObject({ XDG_RUNTIME_DIR: emulator.folder, FOOTBRIDGE_API: emulator.api });
    expect(dirname(emulator.endpoint)).toBe(emulator.folder);
    expect(statSync(emulator.folder).mode & 0o777).toBe(0o700);
    const { ready } = await connected(emulator.endpoint);
    expect(ready.data).toHaveProperty('user.id');
  });

  it('authorizes without asking, and answers with a token', async () => {
    const emulator = await started();
    const { client } = await connected(emulator.endpoint);
    const args = { client_id: APP, scopes: ['identify', 'rpc', 'rpc.voice.read'] };
    const { data } = await client.request({ cmd: 'AUTHORIZE', args }, 10_000);
    const response = await fetch(`${emulator.api}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: (data as { code: string }).code,
        client_id: APP,
        client_secret: 'any',
      }),
    });
    const { access_token } = (await response.json()) as { access_token: string };
    await client.request({ cmd: 'AUTHENTICATE', args: { access_token } }, 10_000);
    const before = await client.request({ cmd: 'GET_VOICE_SETTINGS', args: {} }, 10_000);
    expect(before.data).toMatchObject({ mute: false });
    await emulator.operations.call('voice.set', { key: 'mute', value: 'true' });
    const after = await client.request({ cmd: 'GET_VOICE_SETTINGS', args: {} }, 10_000);
    expect(after.data).toMatchObject({ mute: true });
  });

  it('lets a test approve by itself', async () => {
    const emulator = await started({ consent: 'ask' });
    const { client } = await connected(emulator.endpoint);
    const answer = client.request(
      { cmd: 'AUTHORIZE', args: { client_id: APP, scopes: ['identify'] } },
      10_000,
    );
    const list = async () => (await emulator.operations.call('requests.list')) as { id: string }[];
    await expect.poll(list).toHaveLength(1);
    const [request] = await list();
    await emulator.operations.call('requests.approve', { id: request?.id });
    expect((await answer).data).toHaveProperty('code');
  });

  it('denies when told to', async () => {
    const emulator = await started({ consent: 'deny' });
    const { client } = await connected(emulator.endpoint);
    const answer = await client.request(
      { cmd: 'AUTHORIZE', args: { client_id: APP, scopes: ['identify'] } },
      10_000,
    );
    expect(answer).toMatchObject({ evt: 'ERROR', data: { code: 5000 } });
  });

  it('reads a fixture', async () => {
    const path = join(temporaryPlace().folder, 'world.toml');
    writeFileSync(path, 'me = "7"\n[[users]]\nid = "7"\nusername = "seven"\n');
    const emulator = await started({ fixture: path });
    expect(await emulator.operations.call('summary')).toMatchObject({ user: { id: '7' }, guilds: [] });
  });

  it('runs beside others, and leaves nothing behind', async () => {
    const [one, two] = await Promise.all([startEmulator(), startEmulator()]);
    expect(one.endpoint).not.toBe(two.endpoint);
    await one.close();
    await one.close();
    expect(existsSync(one.folder)).toBe(false);
    await connected(two.endpoint);
    await two[Symbol.asyncDispose]();
    expect(existsSync(two.folder)).toBe(false);
  });

  it('refuses what cannot be done with a code', async () => {
    const emulator = await started();
    await expect(emulator.operations.call('no.such')).rejects.toMatchObject({
      code: 'FOOTBRIDGE_UNKNOWN_OPERATION',
    });
    await expect(emulator.operations.call('voice.set', { key: 1 })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_ARGUMENTS',
    });
    await expect(emulator.operations.call('voice.set', { key: 'volume', value: '1' })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_SETTING',
    });
    await expect(startEmulator({ fixture: '/nowhere.toml' })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_FIXTURE',
    });
  });
});
