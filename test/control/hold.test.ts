import { mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { currentOs } from '../../platform/operating-system.ts';
import { controlClient } from '../../src/control/client.ts';
import { listenControl } from '../../src/control/listen.ts';
import { controlServer } from '../../src/control/server.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { fakeOperations, status } from './fixtures.ts';

const os = await currentOs();
const uid = process.getuid?.() ?? 0;

async function setUp() {
  const runtime = temporaryFolder();
  const path = join(runtime, `footbridge-${uid}`, 'control.sock');
  mkdirSync(dirname(path), { mode: 0o700 });
  const fake = fakeOperations();
  const server = controlServer({
    status: () => Promise.resolve(status),
    ...fake,
    mayAllow: () => undefined,
    identify: () => ({ via: 'control' }),
  });
  const control = await listenControl(server, path, os);
  onTestFinished(() => control.close());
  const client = controlClient({ folder: { os: 'linux', uid }, env: { XDG_RUNTIME_DIR: runtime } });
  return { ...fake, path, control, client };
}

it('a held result lives until the client ends the connection', async () => {
  const { client, calls } = await setUp();
  const held = await client.hold('thing.held', { word: 'hi' });
  expect(held.result).toEqual({ word: 'hi', isHeld: true });
  expect(await client.call('thing.echo', { word: 'there' })).toEqual({ word: 'there' });
  expect(calls).toHaveLength(1);
  held.end();
  await held.ended;
  await expect.poll(() => calls.at(-1)?.args).toBe('end of hi');
});

it('the client is notified when the bridge ends', async () => {
  const { client, control, calls } = await setUp();
  const held = await client.hold('thing.held', { word: 'hi' });
  await control.close();
  await held.ended;
  await expect.poll(() => calls.at(-1)?.args).toBe('end of hi');
});

it('a refusal of the operation, of its arguments and of another operation reaches the client', async () => {
  const { client } = await setUp();
  await expect(client.hold('thing.held', { word: 'no' })).rejects.toThrow('There is no such word');
  await expect(client.hold('thing.held')).rejects.toThrow('thing.held: word');
  await expect(client.hold('thing.echo', { word: 'hi' })).rejects.toThrow('result that is held');
  await expect(client.hold('nobody')).rejects.toThrow('result that is held');
});

it('the route takes POST only, and a call without it is not held', async () => {
  const { client, path } = await setUp();
  const code = await new Promise((resolve) => {
    const headers = { host: 'footbridge' };
    request({ socketPath: path, path: '/v1/operations/thing.held/hold', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).end();
  });
  expect(code).toBe(405);
  expect(await client.call('thing.held', { word: 'hi' })).toEqual({ word: 'hi', isHeld: false });
});
