import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { bundled } from '../../helpers/bundled.ts';
import { emulatorWorld, ids } from '../../helpers/emulator-world.ts';
import { openPoll } from '../../helpers/open-poll.ts';

const IN_AN_HOUR = 3_600_000;

/** Everything that comes due by the clock of an emulator, each begun in its own way. */
const DEADLINES: readonly (readonly [name: string, begin: (world: World, at: string) => unknown])[] = [
  ['an open poll', ({ emulator }, expiry) => emulator.apply({ messages: [openPoll(expiry)] })],
  [
    'an open thread',
    ({ emulator }) =>
      inGuild(emulator, {
        channels: [{ id: '9', name: 'tide', type: 'public_thread', parent: ids.general, owner: 'otter' }],
      }),
  ],
  [
    'an event of a guild',
    ({ emulator }, start) =>
      inGuild(emulator, {
        scheduled_events: [
          { id: '9', name: 'Regatta', type: 'voice', channel: ids.lounge, start, end: null },
        ],
      }),
  ],
  [
    'a ban for a while',
    ({ emulator }, until) => emulator.apply({ account_bans: [{ user: 'otter', until }] }),
  ],
  [
    'an empty lobby',
    ({ emulator }, idle_since) =>
      emulator.apply({ lobbies: [{ id: '9', application: ids.harbourExample, idle_since }] }),
  ],
];

type World = Awaited<ReturnType<typeof emulatorWorld>>;

const inGuild = (emulator: World['emulator'], change: object) =>
  emulator.apply({ guilds: [{ id: ids.riverBank, ...change }] });

it.each(DEADLINES)('a closed emulator no longer waits for %s', async (_, begin) => {
  const world = await emulatorWorld();
  const { emulator, clock } = world;
  const before = clock.pending;
  await begin(world, new Date(clock.now() + IN_AN_HOUR).toISOString());
  expect(clock.pending).toBeGreaterThan(before);
  await emulator.close();
  expect(clock.pending).toBe(0);
  const state = emulator.exportState();
  clock.advance(100 * IN_AN_HOUR);
  expect(emulator.exportState()).toBe(state);
});

it('a closed emulator waits for nothing that is begun afterwards', async () => {
  const { emulator, clock } = await emulatorWorld();
  await emulator.close();
  emulator.clock.setTimeout(() => expect.unreachable(), 1000);
  emulator.clock.at(clock.now() + 1000, () => expect.unreachable());
  expect(clock.pending).toBe(0);
});

it('a process whose emulator is closed with an open poll ends by itself', async () => {
  const child = spawn(process.execPath, [bundled('closed-emulator')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk;
  });
  expect([await once(child, 'close'), printed]).toEqual([[0, null], 'closed']);
});
