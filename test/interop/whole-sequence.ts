import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Daemon } from '../helpers/daemon.ts';
import type { Subscription } from './apps/app.ts';
import type { RunningApp } from './start-app.ts';

const CLIENT_ID = '300000000000000001';

/**
 * Login, voice settings, presence, subscriptions and their events, and the end: what an app does in its life. `daemon`
 * is where the user, the guild and the token endpoint are; `app` may have come to it by way of another bridge.
 */
export async function wholeSequence(app: RunningApp, daemon: Daemon, round: number): Promise<void> {
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
