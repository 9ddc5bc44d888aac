import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { startArrpc } from '../helpers/arrpc-daemon.ts';
import { createRuntime, type Daemon, startDaemon } from '../helpers/daemon.ts';
import { eventually } from '../helpers/eventually.ts';
import { ShowingClient } from '../helpers/several-clients.ts';

const CLIENT_ID = '300000000000000001';
const USER = '200000000000000009';

/** A bridge in front of a scripted client, which is primary, and of two emulators in the folders of Flatpaks. */
async function scene() {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  const flatpak = async (id: string): Promise<Daemon> => {
    const folder = join(runtime.folder, 'app', id);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const daemon = await startDaemon({
      args: ['--consent', 'allow', '--http-port', '0', '--ws-port', 'off'],
      env: { XDG_RUNTIME_DIR: folder },
    });
    onTestFinished(async () => void (await daemon.kill()));
    return daemon;
  };
  const scripted = new ShowingClient(join(runtime.folder, 'discord-ipc-1'), USER);
  return {
    path: join(runtime.folder, 'data', 'footbridge', 'upstream.json'),
    scripted: (await scripted.start()) as ShowingClient,
    stable: await flatpak('com.discordapp.Discord'),
    vesktop: await flatpak('dev.vencord.Vesktop'),
    bridge: async (): Promise<Daemon> => {
      const daemon = await startDaemon({ runtime, args: ['--core', 'upstream', '--ws-port', 'off'] });
      onTestFinished(async () => void (await daemon.kill()));
      return daemon;
    },
  };
}

async function appOf({ endpoint }: Daemon) {
  const app = await connect({ clientId: CLIENT_ID, paths: [endpoint], reconnect: false });
  onTestFinished(() => app.close());
  return (details: string) => app.request('SET_ACTIVITY', { pid: process.pid, activity: { details } });
}

/** Details of the last activity that came to an emulator, and its number of connected apps. */
async function seenAt(client: Daemon) {
  const { stdout } = await client.cli(['journal', '--ndjson', '-']);
  const texts = stdout
    .split('\n')
    .filter((line) => line.includes(String.raw`{\"cmd\":\"SET_ACTIVITY\",\"args\"`));
  const { sessions } = (await client.json('status')) as { sessions: readonly unknown[] };
  return [/details[\\":]+([^\\"]*)/.exec(texts.at(-1) ?? '')?.[1], sessions.length];
}

it('an app shows its presence at three chat clients, each of which may be killed, and so may the bridge', async () => {
  const { scripted, stable, vesktop, bridge } = await scene();
  const front = await bridge();
  const set = await appOf(front);
  await set('at all');
  await eventually(async () => {
    expect(scripted.shown).toEqual(['at all']);
    expect([await seenAt(stable), await seenAt(vesktop)]).toEqual([
      ['at all', 1],
      ['at all', 1],
    ]);
  });
  expect((await front.cli(['upstream'])).stdout.replaceAll(/ {2,}/g, '  ').split('\n')).toEqual([
    `client-1  primary, here  shows 1 app  user:${USER}  ${scripted.path}`,
    `stable  here  shows 1 app  user:200000000000000001  ${stable.endpoint}`,
    `vesktop  here  shows 1 app  user:200000000000000001  ${vesktop.endpoint}`,
    '',
  ]);
  expect((await front.cli(['status'])).stdout).toContain(
    `a chat client stands behind it at ${scripted.path}, and presence may go to stable, vesktop as well`,
  );
  await stable.kill();
  await set('after a kill');
  await eventually(async () => {
    expect(scripted.shown).toEqual(['after a kill']);
    expect(await seenAt(vesktop)).toEqual(['after a kill', 1]);
    expect((await front.cli(['upstream'])).stdout).toMatch(/^stable +away/m);
  });
  await front.kill();
  await eventually(async () => {
    expect(scripted.shown).toEqual([]);
    expect(await seenAt(vesktop)).toEqual(['after a kill', 0]);
  });
});

it('the choice of chat clients survives a restart of the bridge, and a damaged choice shows nothing', async () => {
  const { path, scripted, stable, vesktop, bridge } = await scene();
  const first = await bridge();
  expect(await first.json('upstream', 'primary', 'stable')).toMatchObject({
    primary: 'stable',
    stored: true,
  });
  expect(await first.cli(['upstream', 'only', 'vesktop', 'canary'])).toMatchObject({
    code: 0,
    stdout: 'Presence goes to: vesktop, canary\n',
  });
  expect(await first.cli(['upstream', 'only', 'vesktpo'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'No chat client is called "vesktpo" (known: client-1, stable, vesktop, canary). Did you mean "vesktop"?',
    ),
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await first.kill();

  const second = await bridge();
  expect(await second.json('upstream')).toMatchObject({
    chosen: 'stable',
    only: ['vesktop', 'canary'],
    clients: [
      { name: 'stable', primary: true, selected: false },
      { name: 'client-1', primary: false, selected: false },
      { name: 'vesktop', primary: false, selected: true },
      { name: 'canary', state: 'away', selected: true },
    ],
  });
  const set = await appOf(second);
  expect(await set('chosen')).toMatchObject({ details: 'chosen', application_id: CLIENT_ID });
  await eventually(async () => expect(await seenAt(vesktop)).toEqual(['chosen', 1]));
  expect([scripted.shown, scripted.sessions.length, await seenAt(stable)]).toEqual([[], 0, [undefined, 1]]);
  expect(await second.cli(['upstream', 'all'])).toMatchObject({
    stdout: 'Presence goes to every chat client\n',
  });
  await eventually(() => expect(scripted.shown).toEqual(['chosen']));
  await second.stop();

  // Two primary clients, written by hand.
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('"primary":"stable"', '"primary":["stable","vesktop"]'),
  );
  const third = await bridge();
  expect(third.output().stderr).toContain(
    'a damaged file was moved aside; no chat client shows a presence until you choose: footbridge upstream all',
  );
  const again = await appOf(third);
  expect(await again('hidden')).toMatchObject({ details: 'hidden', application_id: CLIENT_ID });
  expect(await third.json('upstream')).toMatchObject({ chosen: null, only: [] });
  expect([scripted.shown, (await seenAt(vesktop))[0], (await seenAt(stable))[0]]).toEqual([
    [],
    'chosen',
    'chosen',
  ]);
});

it('a change of the primary client tells how many apps must connect again', async () => {
  const { bridge } = await scene();
  const front = await bridge();
  const set = await appOf(front);
  await set('without a token');
  const app = await connect({ clientId: CLIENT_ID, paths: [front.endpoint], reconnect: false });
  onTestFinished(() => app.close());
  await app.request('AUTHENTICATE', { access_token: `token of ${USER}` });
  expect(await front.cli(['upstream', 'primary', 'vesktop'])).toMatchObject({
    code: 0,
    stdout:
      'Primary: vesktop\n1 app has moved there\n1 app must connect again: its token belongs to client-1\n',
  });
  expect(await front.cli(['upstream', 'primary', 'auto'])).toMatchObject({
    code: 0,
    stdout: 'Primary: client-1\n1 app has moved there\n',
  });
});

it('arRPC and a scripted client show the presence of an app, whichever is primary', async () => {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  const front = await startDaemon({ runtime, args: ['--core', 'upstream', '--ws-port', 'off'] });
  onTestFinished(async () => void (await front.kill()));
  await startArrpc(runtime.env, join(runtime.folder, 'discord-ipc-1'));
  const scripted = new ShowingClient(join(runtime.folder, 'discord-ipc-2'), USER);
  await scripted.start();
  const set = await appOf(front);
  // arRPC adds the id of the application to the activity.
  expect(await set('first')).toMatchObject({ application_id: CLIENT_ID, details: 'first' });
  await eventually(() => expect(scripted.shown).toEqual(['first']));
  expect(await front.json('upstream', 'primary', 'client-2')).toMatchObject({ moved: 1, ended: 0 });
  expect(await set('second')).toEqual({ details: 'second' });
  await eventually(async () =>
    expect(await front.json('upstream')).toMatchObject({
      clients: [
        { name: 'client-2', primary: true, apps: 1 },
        { name: 'client-1', primary: false, apps: 1, user: { username: 'arrpc' } },
      ],
    }),
  );
});
