import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Daemon, startDaemon } from '../helpers/daemon.ts';
import type { Subscription } from './apps/app.ts';
import { type Library, libraries, type RunningApp, startApp } from './start-app.ts';

const CLIENT_ID = '300000000000000001';
const ROUNDS = 20;

let daemon: Daemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon?.stop();
});

describe.each(Object.keys(libraries) as Library[])('an app made with %s', (library) => {
  // Without one, an `error` event ends the app's process.
  it.each([
    ['with an error listener', true],
    ['without an error listener', false],
  ])(
    `gets through the whole sequence ${ROUNDS} times %s`,
    { timeout: 120_000 },
    async (_how, errorListener) => {
      const app = startApp(library, daemon.env, { errorListener });
      try {
        for (let round = 0; round < ROUNDS; round++) await wholeSequence(app, round);
        await app.settle();
      } finally {
        expect(await app.end()).toBe(0);
      }
    },
  );
});

async function wholeSequence(app: RunningApp, round: number): Promise<void> {
  const [guild] = daemon.ready.guilds;
  const guildStatus: Subscription = ['GUILD_STATUS', { guild_id: guild }];
  const name = `River Bank ${randomUUID()}`;
  const mute = round % 2 === 0;
  await daemon.cli(['emulator', 'voice', 'set', 'mute', String(!mute)]);

  expect(await app.connect(CLIENT_ID)).toBe('river');
  const { api } = daemon.ready;
  const loggedIn = await app.login({ clientId: CLIENT_ID, scopes: ['rpc', 'identify'], api });
  expect(loggedIn).toMatchObject({ application: 'Harbour Example', user: 'river' });
  expect(await app.voiceSettings()).toEqual({ mute: !mute, volume: 100, mode: 'VOICE_ACTIVITY' });
  expect(await app.setActivity(`Round ${round}`)).toMatchObject({
    name: 'Harbour Example',
    details: `Round ${round}`,
  });

  await app.subscribe(guildStatus);
  await app.subscribe(['VOICE_SETTINGS_UPDATE']);
  const replayed = [
    { evt: 'GUILD_STATUS', data: { guild: { id: guild } } },
    { evt: 'VOICE_SETTINGS_UPDATE', data: { mute: !mute } },
  ];
  expect(await app.events(2)).toMatchObject(replayed);

  await daemon.cli(['emulator', 'voice', 'set', 'mute', String(mute)]);
  await daemon.cli(['emulator', 'guild', 'set', guild ?? '', 'name', name]);
  expect(await app.events(4)).toMatchObject([
    ...replayed,
    { evt: 'VOICE_SETTINGS_UPDATE', data: { mute } },
    { evt: 'GUILD_STATUS', data: { guild: { id: guild, name } } },
  ]);
  await app.destroy();
}
