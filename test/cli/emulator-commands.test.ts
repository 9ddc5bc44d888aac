import { describe, expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { ids } from '../helpers/emulator-world.ts';
import { fakeIo } from './fake-io.ts';

/** The command line in this process, against a private bridge. */
async function bench() {
  const emulator = await startEmulator({ consent: 'allow' });
  onTestFinished(() => emulator.close());
  const run = async (...argv: readonly string[]) => {
    const io = fakeIo(emulator.env);
    const code = await runProgram(argv, commandTable, io);
    return { code, stdout: io.stdout(), stderr: io.stderr() };
  };
  const state = async () => {
    const { stdout } = await run('emulator', 'show', '--json');
    return JSON.parse(stdout) as {
      voice_states: { user: string; channel: string; speaking: boolean }[];
      messages: { content: string; author: string; timestamp: string }[];
      relationships: { user: string; type: number; status: string }[];
      client: { logged_in: boolean; network: string };
      me: string;
    };
  };
  const apply = (patch: Readonly<Record<string, unknown>>) =>
    emulator.operations.call('emulator.apply', { patch });
  return { run, state, apply };
}

const otter = '200000000000000003';

describe('footbridge emulator', () => {
  it('join, speak and leave change the voice state of a user', async () => {
    const { run, state } = await bench();
    expect(await run('emulator', 'join', 'otter', 'Lounge')).toEqual({
      code: 0,
      stdout: 'otter is in Lounge.\n',
      stderr: '',
    });
    expect((await run('emulator', 'speak', 'otter', 'on')).stdout).toBe('otter speaks.\n');
    expect((await state()).voice_states.find(({ user }) => user === otter)).toMatchObject({ speaking: true });
    expect((await run('emulator', 'speak', otter, 'OFF')).stdout).toBe('otter is silent.\n');
    expect((await run('emulator', 'leave', 'otter')).stdout).toBe('otter has left.\n');
    expect((await run('emulator', 'leave', 'otter')).stdout).toBe('otter was in no voice channel.\n');
  });

  it('say writes a message as the current user or as another user', async () => {
    const { run, state } = await bench();
    expect((await run('emulator', 'say', 'general', 'hello')).stdout).toMatch(/^Message \d+ is written\.\n$/);
    await run('emulator', 'say', 'general', 'hi there', '--as', 'otter');
    expect((await state()).messages.slice(-2)).toMatchObject([
      { content: 'hello', author: '200000000000000001' },
      { content: 'hi there', author: otter },
    ]);
  });

  it('read shows each line of a message, without what steers a terminal', async () => {
    const { run } = await bench();
    await run('emulator', 'say', 'general', 'Up\nfor\ta \u001b[31mround?');
    const { stdout } = await run('emulator', 'read', 'general', '--limit', '1');
    expect(stdout.split('\n').slice(1, 3)).toEqual(['  Up', '  for a ?[31mround?']);
  });

  it('use names the applications where none is meant', async () => {
    const { run } = await bench();
    expect(await run('emulator', 'use', 'Helper', '/ping')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'footbridge: There is no application "Helper"; give its id or exact name. There are: Harbour Example, Lighthouse Example.\n',
    });
  });

  it('friend sets the type and status of a relationship, and removes it with none', async () => {
    const { run, state } = await bench();
    const relationship = async () => (await state()).relationships.find(({ user }) => user === otter);
    expect((await run('emulator', 'friend', 'otter', 'idle', '--type', 'friend')).stdout).toBe(
      'otter is idle.\n',
    );
    expect(await relationship()).toMatchObject({ type: 1, status: 'idle' });
    await run('emulator', 'friend', 'otter', 'none');
    expect(await relationship()).toBeUndefined();
  });

  it('voice network drop and restore change the voice connection', async () => {
    const { run, state } = await bench();
    await run('emulator', 'join', 'river', 'Lounge');
    expect((await run('emulator', 'voice', 'network', 'drop')).stdout).toBe(
      'The network is down; the voice connection is awaiting-endpoint.\n',
    );
    expect((await state()).client.network).toBe('down');
    expect((await run('emulator', 'voice', 'network', 'restore')).stdout).toContain('voice-connected');
  });

  it('user switch, log-out and log-in change the current user', async () => {
    const { run, state } = await bench();
    expect((await run('emulator', 'user', 'switch', 'otter')).stdout).toBe(
      `otter (${otter}) is logged in.\n`,
    );
    expect((await run('emulator', 'user', 'log-out')).stdout).toBe('Nobody is logged in.\n');
    expect(await state()).toMatchObject({ me: otter, client: { logged_in: false } });
    expect((await run('emulator', 'user', 'log-in')).stdout).toBe(`otter (${otter}) is logged in.\n`);
    const json = await run('emulator', 'user', 'log-in', 'river', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ user: { username: 'river' }, loggedIn: true });
  });

  it('search-index holds the search index of a guild in a state, and releases it', async () => {
    const { run } = await bench();
    const index = async (...words: readonly string[]) =>
      (await run('emulator', 'search-index', ids.riverBank, ...words)).stdout;
    expect(await index('indexing', '--documents', '2')).toBe(
      `The messages of ${ids.riverBank} are being indexed: 2.\n`,
    );
    expect(await index('ready')).toBe(`The messages of ${ids.riverBank} are indexed: 3.\n`);
    expect(JSON.parse(await index('not_indexed', '--json'))).toEqual({
      state: 'not_indexed',
      documents_indexed: 0,
    });
  });

  it('ban, unban, unlink and remove-app change an account and name the removed tokens', async () => {
    const { run } = await bench();
    const authorize = () =>
      run('call', 'AUTHORIZE', '{"client_id":"300000000000000001","scopes":["identify"]}');
    const gone = 'Harbour Example has no token of theirs any more.\n';
    await authorize();
    expect(await run('emulator', 'unlink', 'river', 'Harbour Example')).toEqual({
      code: 0,
      stdout: `river is linked no longer. ${gone}`,
      stderr: '',
    });
    await authorize();
    const removed = await run('emulator', 'remove-app', 'river', '300000000000000001', '--json');
    expect(JSON.parse(removed.stdout)).toEqual({
      user: { id: '200000000000000001', username: 'river' },
      applications: [{ id: '300000000000000001', name: 'Harbour Example' }],
      identities: [],
      stored: true,
    });
    await authorize();
    expect((await run('emulator', 'ban', 'river', '--until', '2080-01-31')).stdout).toBe(
      `river is banned until 2080-01-31T00:00:00.000Z. ${gone}`,
    );
    expect((await authorize()).stderr).toContain('The account of the user is banned.');
    expect((await run('emulator', 'unban', 'river')).stdout).toBe('river is banned no longer.\n');
    expect((await run('emulator', 'ban', 'otter')).stdout).toBe(
      'otter is banned for good. No application had a token of theirs.\n',
    );
    expect(await run('emulator', 'ban', 'otter')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'footbridge: user: otter is banned already, for good; unban them first\n',
    });
    const { stdout } = await run('emulator', 'unban', 'otter', '--json');
    expect(JSON.parse(stdout)).toEqual({ user: { id: otter, username: 'otter' } });
  });

  it('ban names the account of the game that replaces the banned account', async () => {
    const { run, apply } = await bench();
    await apply({
      external_identities: [
        {
          application: '300000000000000001',
          provider: 'STEAM',
          external_user_id: '76561',
          user: 'otter',
          status: 'linked',
        },
      ],
    });
    expect((await run('emulator', 'ban', 'otter')).stdout).toMatch(
      / The identity 76561 has the new restricted account \d{17,19}\.\n$/,
    );
  });

  it('activity invite and request-join report which apps received them', async () => {
    const { run } = await bench();
    for (const what of ['invite', 'request-join']) {
      const { stdout } = await run('emulator', 'activity', what, 'otter', 'Harbour Example');
      expect(stdout).toBe('No connected app has subscribed to it.\n');
    }
    for (const what of ['join', 'spectate']) {
      expect(await run('emulator', 'activity', what, 'Harbour Example')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(`no activity with a ${what} secret`),
      });
    }
  });
});

it('emulator accept-invite reports that an existing member receives no roles', async () => {
  const { run, apply } = await bench();
  const created_at = new Date().toISOString();
  await apply({ channel_invites: [{ code: 'jvuBeT38', channel: '500000000000000002', created_at }] });
  expect(await run('emulator', 'accept-invite', 'otter', 'jvuBeT38')).toMatchObject({
    code: 0,
    stdout: 'otter was a member of River Bank already, and gets no roles.\n',
  });
});

it.each([
  [64, ['emulator', 'speak', 'otter', 'loudly'], /on\|off: "loudly" is not one of on, off\. Try: /],
  [64, ['emulator', 'voice', 'network', 'cut'], /is not one of drop, restore/],
  [64, ['emulator', 'say', 'general', ''], /TEXT is empty: what to write/],
  [64, ['emulator', 'say', 'general', 'x'.repeat(4001)], /channel\.say: text/],
  [64, ['emulator', 'join', 'otter'], /CHANNEL is missing/],
  [1, ['emulator', 'join', 'nobody', 'Lounge'], /no user "nobody"/],
  [1, ['emulator', 'ban', 'oter'], /no user "oter"; give its id or exact name\. Did you mean "otter"\?/],
  [1, ['emulator', 'unban', 'otter'], /otter is not banned/],
  [1, ['emulator', 'ban', 'otter', '--until', 'soon'], /until: must be a time such as 2030-01-31T12:00:00Z/],
  [1, ['emulator', 'ban', 'otter', '--until', '2020-01-31'], /until: must be after 20.+Z, which is the time/],
  [
    1,
    ['emulator', 'unlink', 'otter', 'Lighthouse Exampel'],
    /no application .+ Did you mean "Lighthouse Example"/,
  ],
  [1, ['emulator', 'unlink', 'otter', 'Lighthouse Example'], /not linked with Lighthouse Example, nor with/],
  [1, ['emulator', 'remove-app', 'otter', '9'], /otter is not linked with 9, nor with any other application/],
  [64, ['emulator', 'ban'], /USER is missing/],
  [
    1,
    ['emulator', 'join', 'otter', 'general'],
    /no channel "general" of the kind that this takes: that is a channel of type text/,
  ],
  [1, ['emulator', 'speak', 'otter', 'on'], /no voice channel/],
  [1, ['emulator', 'say', 'Lounge', 'hi'], /no channel "Lounge"/],
  [
    64,
    ['emulator', 'friend', 'otter', 'nope'],
    /STATUS: "nope" is not one of online, idle, dnd, offline, none/,
  ],
  [64, ['emulator', 'friend', 'otter', 'idle', '--type', 'x'], /--type: "x" is not one of friend, /],
  [1, ['emulator', 'user', 'switch', 'nobody'], /no user "nobody"/],
  [1, ['emulator', 'activity', 'launch', 'Harbour Example'], /has no activity; give it one: /],
  [1, ['emulator', 'activity', 'leave', 'i-1'], /is not in "i-1"/],
  [1, ['emulator', 'vote', '9', '1'], /message: there is no poll "9"/],
  [1, ['emulator', 'search-index', '9', 'ready'], /guild: there is no guild 9/],
  [64, ['emulator', 'search-index', '9', 'done'], /STATE: "done" is not one of not_indexed, indexing, ready/],
  [
    64,
    ['emulator', 'search-index', '9', 'ready', '--documents', '1'],
    /: --documents: is only allowed with indexing/,
  ],
  [
    64,
    ['emulator', 'search-index', '9', 'indexing', '--documents', 'x'],
    /--documents: "x" is no whole number/,
  ],
])('an emulator command exits with %i: %j', async (expected, argv, reason) => {
  const { run } = await bench();
  const { code, stdout, stderr } = await run(...argv);
  expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
  expect(stderr).toMatch(reason);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

describe('emulator clock', () => {
  it('sets, advances, freezes, resumes and resets the clock', async () => {
    const { run, state } = await bench();
    const clock = async (...words: readonly string[]) => (await run('emulator', 'clock', ...words)).stdout;
    expect(await clock('now')).toMatch(/^It is 20\d\d-\S+Z\.\n$/);
    expect(await clock('freeze')).toMatch(/, and the clock stands\.\n$/);
    const stands = 'It is 2031-05-06T00:00:00.000Z, and the clock stands.\n';
    expect(await clock('set', '2031-05-06')).toBe(stands);
    await run('emulator', 'say', 'general', 'in time');
    expect((await state()).messages.at(-1)).toMatchObject({ timestamp: '2031-05-06T00:00:00.000Z' });
    expect(await clock('advance', '1d2h')).toBe(stands.replace('06T00', '07T02'));
    expect(await clock('run')).toMatch(/^It is 2031-05-07T02:\S+Z, by a clock that was set\.\n$/);
    expect(JSON.parse(await clock('reset', '--json'))).toMatchObject({ frozen: false });
    expect(await clock('now')).toMatch(/^It is \S+Z\.\n$/);
  });

  it.each([
    ['set', 'noon', /time: must be a time such as/],
    ['set', '1999-01-01', /time: must be from 2015/],
    ['advance', '2', /time: must be a duration such as/],
    ['advance', '99999d', /time: must be from 2015/],
  ])('rejects %s %s in one line', async (verb, value, reason) => {
    const { run } = await bench();
    const { code, stdout, stderr } = await run('emulator', 'clock', verb, value);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(reason);
    expect(stderr.trimEnd()).not.toContain('\n');
  });
});
