import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRuntime, type Daemon, type Runtime, startDaemon } from '../helpers/daemon.ts';
import { rounds } from '../helpers/rounds.ts';
import type { Subscription } from './apps/app.ts';
import { type Library, libraries, type RunningApp, startApp } from './start-app.ts';

const CLIENT_ID = '300000000000000001';
const ROUNDS = rounds({ few: 3, many: 20 });
/** More than are in flight at a time, and than may wait for a peer before they share a write. */
const MANY = 100;
const MANY_ROUNDS = rounds({ few: 1, many: 5 });
const GUILDS = [1, 2, 3, 4, 5].map((n) => `40000000000000000${n}`);

/** Every one of them exists; those of a state are replayed. */
const nine: readonly Subscription[] = [
  ...GUILDS.map((guild): Subscription => ['GUILD_STATUS', { guild_id: guild }]),
  ['VOICE_SETTINGS_UPDATE'],
  ['VOICE_CHANNEL_SELECT'],
  ['AUTHORIZE_REQUEST'],
  ['CURRENT_USER_UPDATE'],
];
const replays = [
  ...GUILDS.map((id) => ({ evt: 'GUILD_STATUS', data: { guild: { id, name: `Guild ${id}` } } })),
  { evt: 'VOICE_SETTINGS_UPDATE', data: { mute: false } },
  { evt: 'CURRENT_USER_UPDATE', data: { username: 'river' } },
];

/** What a control surface for streamers asks for as soon as it is authenticated. */
const controlSurface: readonly Subscription[] = [
  'VOICE_SETTINGS_UPDATE',
  'VOICE_CHANNEL_SELECT',
  'VOICE_CONNECTION_STATUS',
  'CHANNEL_CREATE',
  'VIDEO_STATE_UPDATE',
  'SCREENSHARE_STATE_UPDATE',
  'NOTIFICATION_CREATE',
  'GUILD_CREATE',
  'CURRENT_USER_UPDATE',
].map((evt) => [evt]);

const INVALID_PERMISSIONS = 4006;
const INVALID_EVENT = 4004;

let runtime: Runtime;
let daemon: Daemon;
beforeAll(async () => {
  runtime = createRuntime();
  const fixture = join(runtime.folder, 'fixture.toml');
  const guilds = GUILDS.map((id) => `[[guilds]]\nid = "${id}"\nname = "Guild ${id}"\n`);
  writeFileSync(
    fixture,
    `me = "200000000000000001"\n[[users]]\nid = "200000000000000001"\nusername = "river"\n${guilds.join('')}`,
  );
  const args = ['--consent', 'allow', '--http-port', '0', '--fixture', fixture];
  daemon = await startDaemon({ runtime, args });
});
afterAll(async () => {
  await daemon?.stop();
  runtime?.remove();
});

describe.each(Object.keys(libraries) as Library[])('an app made with %s', (library) => {
  it(`receives an answer and a replay for nine SUBSCRIBEs of one tick, ${ROUNDS} times of ${ROUNDS}`, async () => {
    const app = startApp(library, daemon.env, { errorListener: false });
    try {
      for (let round = 0; round < ROUNDS; round++) {
        await logIn(app);
        expect(await app.subscribeAll(nine)).toEqual(nine.map(() => 'answered'));
        expect(await app.events(replays.length)).toMatchObject(replays);
        await app.destroy();
      }
    } finally {
      expect(await app.end()).toBe(0);
    }
  });

  it(`receives an answer to each of ${MANY} requests of one tick, ${MANY_ROUNDS} times of ${MANY_ROUNDS}`, async () => {
    const app = startApp(library, daemon.env, { errorListener: false });
    try {
      for (let round = 0; round < MANY_ROUNDS; round++) {
        await logIn(app);
        const many = Array.from({ length: MANY }, (_, n) => nine[n % nine.length] ?? nine[0]);
        expect(await app.subscribeAll(many as Subscription[])).toEqual(many.map(() => 'answered'));
        await app.destroy();
      }
    } finally {
      expect(await app.end()).toBe(0);
    }
  });

  it(`receives an answer to each of nine SUBSCRIBEs of a control surface, ${ROUNDS} times of ${ROUNDS}`, async () => {
    const app = startApp(library, daemon.env, { errorListener: false });
    try {
      for (let round = 0; round < ROUNDS; round++) {
        await logIn(app);
        const outcomes = await app.subscribeAll(controlSurface);
        expect(outcomes).toHaveLength(controlSurface.length);
        // What the bridge knows is granted or lacks a scope; the rest is an ERROR, never silence.
        expect(['answered', INVALID_EVENT, INVALID_PERMISSIONS]).toEqual(
          expect.arrayContaining([...outcomes]),
        );
        expect(outcomes.slice(0, 2)).toEqual(['answered', 'answered']);
        await app.destroy();
      }
    } finally {
      expect(await app.end()).toBe(0);
    }
  });
});

async function logIn(app: RunningApp): Promise<void> {
  await app.connect(CLIENT_ID);
  await app.login({ clientId: CLIENT_ID, scopes: ['rpc', 'identify'], api: daemon.ready.api });
}
