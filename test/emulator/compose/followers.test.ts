import { afterEach, expect, it, vi } from 'vitest';
import { RowTimers } from '../../../src/emulator/api/row-timers.ts';
import { AutoMod } from '../../../src/emulator/guilds/automod/automod.ts';
import { VoiceConnection } from '../../../src/emulator/guilds/voice/connection.ts';
import { botPlatform } from '../../helpers/bot-member.ts';
import { emulatorBridge } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { guildPlatform } from '../../helpers/guild-platform.ts';

afterEach(() => void vi.restoreAllMocks());

/** Makes one follower fail at every change, and says what the log must have of it. */
function failing(follower: { follow: (change: never) => void }, name: string): string {
  vi.spyOn(follower, 'follow').mockImplementation(() => {
    throw new RangeError('canary');
  });
  return lineOf(name);
}

/** The same for all timers of rows. */
function failingTimers(name: string): string {
  vi.spyOn(RowTimers.prototype, 'onCommit').mockImplementation(() => {
    throw new RangeError('canary');
  });
  return lineOf(name);
}

function lineOf(name: string): string {
  return `${name} could not follow a change of the state (RangeError), and went on from the state as it is`;
}

it('the expiry of bans recovers, and lifts a ban that it missed in time', async () => {
  const { emulator, lines } = await botPlatform();
  const { clock } = emulator;
  clock.freeze();
  const line = failingTimers('the time of bans');
  await emulator.links.ban(ids.otter, clock.now() + 60_000);
  expect(lines).toContain(line);
  expect(emulator.tables.account_bans.get(ids.otter)).toBeDefined();
  clock.advance(61_000);
  expect(emulator.tables.account_bans.get(ids.otter)).toBeUndefined();
});

it('the archiving of threads recovers, and archives a thread that it missed in time', async () => {
  const { ask, emulator, lines } = await botPlatform();
  const { clock } = emulator;
  clock.freeze();
  const line = failingTimers('the archiving of threads');
  const thread = { name: 'tide', type: 11, auto_archive_duration: 60 };
  const { id } = (await ask(`POST /channels/${ids.general}/threads`, thread)).body;
  expect(lines).toContain(line);
  clock.advance(2 * 3_600_000);
  expect((await ask(`GET /channels/${id}`)).body.thread_metadata.archived).toBe(true);
});

it('the voice connection recovers, and follows the call', async () => {
  const { emulator, run } = await emulatorBridge();
  failing(VoiceConnection.prototype, 'the voice connection');
  await run('voice.join', { user: 'river', channel: 'Lounge' });
  expect(emulator.voiceConnection.status.state).toBe('voice-connected');
});

it('automatic moderation recovers, and searches for a pattern that it missed', async () => {
  const { guild, call, bot, lines } = await guildPlatform([]);
  const line = failing(AutoMod.prototype, 'automatic moderation');
  const rule = {
    id: '97',
    name: 'No bats',
    trigger_type: 'keyword',
    keyword_filter: [],
    regex_patterns: ['^b[aeiou]t'],
  };
  await guild({
    automod_rules: [{ ...rule, actions: [{ type: 'block_message', custom_message: 'Not here.' }] }],
  });
  expect(lines).toContain(line);
  const written = await call(`POST /channels/${ids.general}/messages`, {
    headers: bot(),
    json: { content: 'butter' },
  });
  expect(written.body.code).toBe(200_000);
});
