import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ReadyBridge, startEmulator } from '../../../src/testing/testing.ts';
import { footbridge, startFootbridge, temporaryPlace } from '../spawn.ts';

const APP = '300000000000000001';

/** Starts a server for a job, and reads its line. */
async function served(env: Readonly<Record<string, string>> = {}) {
  const place = temporaryPlace();
  const own = { ...place, env: { ...place.env, TMPDIR: place.folder, ...env } };
  const running = startFootbridge(own, ['emulate', '--ready']);
  const line = await running.stdoutWith('\n');
  return { place, running, line, ready: JSON.parse(line) as ReadyBridge };
}

describe('footbridge emulate --ready', () => {
  it('serves until a signal, at the addresses and with the tokens of its one line', async () => {
    const { place, running, line, ready } = await served();
    const { endpoint, api, ws, control, bots } = ready;
    expect(ready).toEqual({
      pid: running.child.pid,
      endpoint: expect.stringMatching(/discord-ipc-0$/),
      api: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api$/),
      gateway: api.replace('http:', 'ws:').replace('/api', '/gateway'),
      ws: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+$/),
      control: expect.stringMatching(/control\.sock$/),
      env: {
        XDG_RUNTIME_DIR: expect.stringContaining(place.folder),
        FOOTBRIDGE_ENDPOINT: endpoint,
        FOOTBRIDGE_API: api,
        FOOTBRIDGE_WS: ws,
        FOOTBRIDGE_CONTROL: control,
      },
      bots: expect.arrayContaining([
        { application: APP, name: 'Harbour Example', token: 'MzAwMDAwMDAwMDAwMDAwMDAx.emulator.bot' },
      ]),
    });
    const headers = { authorization: `Bot ${bots.find(({ application }) => application === APP)?.token}` };
    expect(await (await fetch(`${api}/v10/applications/@me`, { headers })).json()).toMatchObject({ id: APP });
    const user = { ...place, env: { ...place.env, ...ready.env } };
    expect(await footbridge(user, 'call', 'GET_GUILDS', '--scopes', 'rpc')).toMatchObject({ code: 0 });
    running.child.kill('SIGTERM');
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: line });
    expect(stderr).toContain('GET_GUILDS');
    for (const { token } of bots) expect(stderr).not.toContain(token);
    expect([
      existsSync(endpoint),
      readdirSync(place.folder).filter((name) => name.startsWith('footbridge-')),
    ]).toEqual([false, []]);
    // The variables lead to this bridge alone, and to none after its end.
    expect(await footbridge(user, 'status')).toMatchObject({ code: 4 });
  });

  it('prints the line before the output of a command, and ends with its code', async () => {
    const script = 'echo "$FOOTBRIDGE_API"; exit 3';
    const { code, stdout } = await footbridge(
      temporaryPlace(),
      'emulate',
      '--ready',
      '-q',
      '--',
      'sh',
      '-c',
      script,
    );
    const [line = '', ...output] = stdout.split('\n');
    expect({ code, output }).toEqual({ code: 3, output: [(JSON.parse(line) as ReadyBridge).api, ''] });
  });

  it('serves several jobs side by side, and never the bridge whose variables it is started with', async () => {
    const other = await startEmulator();
    onTestFinished(() => other.close());
    const [one, two] = await Promise.all([served(other.env), served(other.env)]);
    const places = [other, one.ready, two.ready];
    for (const key of ['endpoint', 'api', 'ws'] as const)
      expect(new Set(places.map((ready) => ready[key])).size).toBe(3);
    const patch = { users: [{ id: '71', username: 'seal' }] };
    await other.operations.call('emulator.apply', { patch });
    const { stdout } = await footbridge(
      { ...one.place, env: { ...one.place.env, ...one.ready.env } },
      'emulator',
      'users',
      '--json',
    );
    expect(stdout).toContain('otter');
    expect(stdout).not.toContain('seal');
    expect(other.journal({ kinds: ['connect', 'http'] })).toEqual([]);
  });
});

it('ready() of startEmulator has the same, with the token that a fixture gives a bot', async () => {
  const bot_token = 'MzAwMDAwMDAwMDAwMDAwMDAx.of.the-fixture';
  const emulator = await startEmulator({
    fixture: {
      me: 'ana',
      users: [{ id: '1', username: 'ana' }],
      applications: [{ id: APP, name: 'Tide', bot_token }],
    },
  });
  onTestFinished(() => emulator.close());
  const { endpoint, api, ws, env } = emulator;
  expect(await emulator.ready()).toEqual({
    pid: process.pid,
    endpoint,
    api,
    gateway: api.replace('http:', 'ws:').replace('/api', '/gateway'),
    ws,
    control: env['FOOTBRIDGE_CONTROL'],
    env,
    bots: [{ application: APP, name: 'Tide', token: bot_token }],
  });
});
