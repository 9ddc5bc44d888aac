import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createRuntime, type Daemon, type Runtime, startDaemon } from '../helpers/daemon.ts';
import { type Library, libraries, type RunningApp, startApp } from './start-app.ts';

const CLIENT_ID = '300000000000000001';
const INVALID_CLIENT_ID = 4000;
const TOKEN_REVOKED = 4003;

interface Grant {
  readonly id: string;
  readonly clientId: string;
}

function newRuntime(): Runtime {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  return runtime;
}

async function start(runtime: Runtime): Promise<Daemon> {
  const daemon = await startDaemon({ runtime });
  onTestFinished(async () => void (await daemon.stop()));
  return daemon;
}

function newApp(library: Library, { env }: Daemon): RunningApp {
  const app = startApp(library, env, { errorListener: false });
  onTestFinished(async () => void (await app.end()));
  return app;
}

async function logIn(app: RunningApp, { ready }: Daemon, token?: string): Promise<string> {
  expect(await app.connect(CLIENT_ID)).toBe('river');
  const login = { clientId: CLIENT_ID, scopes: ['rpc', 'identify'], api: ready.api };
  const loggedIn = await app.login(token === undefined ? login : { ...login, token });
  expect(loggedIn).toMatchObject({ application: 'Harbour Example', user: 'river' });
  return loggedIn.token;
}

describe.each(Object.keys(libraries) as Library[])('an app made with %s', (library) => {
  let daemon: Daemon;
  beforeAll(async () => {
    daemon = await startDaemon();
  });
  afterAll(async () => {
    await daemon?.stop();
  });

  it('sets its presence and clears it, and its presence is removed when it disconnects', async () => {
    const activities = async () =>
      ((await daemon.json('emulator', 'show')) as { readonly activities: readonly unknown[] }).activities;
    const app = newApp(library, daemon);
    await app.connect(CLIENT_ID);

    await app.setActivity('On the bridge');
    expect(await activities()).toMatchObject([
      { clientId: CLIENT_ID, activity: { details: 'On the bridge', buttons: ['Look'], flags: 1 } },
    ]);
    expect(await app.clearActivity()).toBeNull();
    expect(await activities()).toMatchObject([{ clientId: CLIENT_ID, activity: null }]);
    await app.setActivity('Leaving');
    await app.destroy();
    await expect.poll(activities).toEqual([]);
  });

  it('is closed with 4003 when its grant is revoked, and its token is refused afterwards', async () => {
    const app = newApp(library, daemon);
    const token = await logIn(app, daemon);
    const [grant] = (await daemon.json('grants')) as readonly Grant[];
    expect(grant).toMatchObject({ clientId: CLIENT_ID });

    expect((await daemon.cli(['revoke', grant?.id ?? ''])).code).toBe(0);
    expect(await app.closed()).toEqual({ code: TOKEN_REVOKED, message: 'Token revoked' });
    expect(await daemon.json('grants')).toEqual([]);

    const second = newApp(library, daemon);
    await second.connect(CLIENT_ID);
    const login = { clientId: CLIENT_ID, scopes: ['rpc'], api: daemon.ready.api, token };
    await expect(second.login(login)).rejects.toMatchObject({ code: 4009 });
  });

  it('is closed with Invalid Client ID when its client id is not a snowflake', async () => {
    const app = newApp(library, daemon);
    await expect(app.connect('not-a-snowflake')).rejects.toThrow();
    expect(await app.closed()).toEqual({ code: INVALID_CLIENT_ID, message: 'Invalid Client ID' });
  });

  it.each([
    ['is stopped', 'stop'],
    ['is killed', 'kill'],
  ] as const)('authenticates with its old token after the bridge %s and restarted', async (_how, end) => {
    const runtime = newRuntime();
    const before = await start(runtime);
    const token = await logIn(newApp(library, before), before);
    const grants = await before.json('grants');
    await before[end]();

    const after = await start(runtime);
    expect(after.endpoint).toBe(before.endpoint);
    expect(await after.json('grants')).toEqual(grants);
    const app = newApp(library, after);
    expect(await logIn(app, after, token)).toBe(token);
    expect(await app.voiceSettings()).toMatchObject({ mute: false });
  });
});
