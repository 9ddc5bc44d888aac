import { afterEach, describe, expect, it } from 'vitest';
import { startEmulator, type TestEmulator } from '../../src/testing/testing.ts';
import { type ConnectedApp, connectClient } from '../console/page/app.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function started(): Promise<TestEmulator> {
  const emulator = await startEmulator();
  open.push(() => emulator.close());
  return emulator;
}

async function connected(emulator: TestEmulator): Promise<ConnectedApp> {
  const app = await connectClient(emulator);
  open.push(() => app.end());
  return app;
}

const BUTTONS = ['Board', 'Watch'].map((label) => ({ label, url: 'https://boats.example' }));
const ACTIVITY = {
  pid: process.pid,
  activity: { state: 'rowing', party: { size: [1, 4] }, buttons: BUTTONS },
};

describe('expect', () => {
  it('checks whether a command was called, how often, and with which arguments', async () => {
    const bridge = await started();
    const app = await connected(bridge);
    await bridge.expect('SET_ACTIVITY').not.toHaveBeenCalled();
    app.send('SET_ACTIVITY', ACTIVITY);
    await app.answer('SET_ACTIVITY');
    const set = bridge.expect('SET_ACTIVITY');
    await set.toHaveBeenCalled();
    await set.toHaveBeenCalledTimes(1);
    await set.toHaveBeenCalledWith({ activity: { state: 'rowing' } });
    await set.toHaveBeenCalledWith({ activity: { party: { size: [1, 4] } } });
    await set.toHaveBeenCalledWith({ activity: { buttons: [{ label: 'Board' }, {}] } });
    await set.not.toHaveBeenCalledWith({ activity: { buttons: [{ label: 'Board' }] } });
    await set.not.toHaveBeenCalledWith({ activity: { buttons: [{}, { label: 'Board' }] } });
    await set.not.toHaveBeenCalledWith({ activity: { state: 'sailing' } });
    await set.toHaveSucceeded();
    await expect(set.toHaveFailed()).rejects.toThrow('SET_ACTIVITY succeeded');
    await expect(set.not.toHaveBeenCalled()).rejects.toThrow('was called 1 time.');
    await expect(set.toHaveBeenCalledTimes(2)).rejects.toThrow(
      'was called 1 time, not 2. What came: SET_ACTIVITY',
    );
    await expect(set.toHaveBeenCalledWith({ activity: { state: 'sailing' } })).rejects.toMatchObject({
      name: 'AssertionError',
      expected: { activity: { state: 'sailing' } },
      actual: [ACTIVITY],
    });
    await expect(bridge.expect('GET_GUILDS').toHaveBeenCalled()).rejects.toThrow('GET_GUILDS was not called');
  });
  it('checks the error with which a command failed', async () => {
    const bridge = await started();
    const app = await connected(bridge);
    app.send('GET_GUILDS', {});
    await app.answer('GET_GUILDS');
    const guilds = bridge.expect('GET_GUILDS');
    await guilds.toHaveFailed();
    await guilds.toHaveFailed(4006);
    await expect(guilds.toHaveFailed(4000)).rejects.toThrow('GET_GUILDS failed with 4006');
    await expect(guilds.toHaveSucceeded()).rejects.toThrow('failed with 4006');
  });
  it('matches a route of the platform with any placeholder in it', async () => {
    const bridge = await started();
    await fetch(`${bridge.api}/v10/users/@me?with_counts=true`, {
      headers: { authorization: 'Bearer nobodys-token-at-all' },
    });
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: '300000000000000001',
      refresh_token: 'x',
    });
    await fetch(`${bridge.api}/oauth2/token`, { method: 'POST', body });
    for (const route of ['GET /users/@me', 'GET /users/{id}', 'GET /api/v10/users/*']) {
      await bridge.expect(route).toHaveFailed(401);
      await bridge.expect(route).toHaveBeenCalledTimes(1);
    }
    await bridge.expect('GET /users/@me').toHaveBeenCalledWith({ query: { with_counts: 'true' } });
    await bridge.expect('POST /oauth2/token').toHaveBeenCalledWith({ grant_type: 'refresh_token' });
    await bridge.expect('GET /users/@me/guilds').not.toHaveBeenCalled();
  });
  it.each([
    ['GET_GUILD_', 'Did you mean "GET_GUILD"?'],
    ['get /users/@me', 'METHOD /path'],
    [7, 'not 7'],
  ])('rejects a name that is neither a command nor a route: %s', async (what, text) => {
    const bridge = await started();
    expect(() => bridge.expect(what as string)).toThrow(text);
    expect(() => bridge.expect(what as string)).toThrow(
      expect.objectContaining({ code: 'FOOTBRIDGE_ARGUMENTS' }),
    );
  });
});

describe('a mistyped route', () => {
  const WRONG = { code: 'FOOTBRIDGE_ARGUMENTS' };
  it('is rejected by every assertion, unless an app has requested it', async () => {
    const bridge = await started();
    const user = bridge.expect('GET /user/@me');
    for (const said of [
      user.not.toHaveBeenCalled(),
      user.not.toHaveBeenCalledWith({}),
      user.toHaveBeenCalled(),
      user.toHaveBeenCalledTimes(0),
      user.toHaveBeenCalledWith({}),
      user.toHaveSucceeded(),
      user.toHaveFailed(),
    ])
      await expect(said).rejects.toMatchObject({
        ...WRONG,
        message: 'expect: the platform has no route "GET /user/@me". Did you mean "GET /users/@me"?',
      });
    await expect(bridge.waitFor('GET /userz')).rejects.toMatchObject({
      ...WRONG,
      message: expect.stringMatching(/^waitFor: the platform has no route "GET \/userz"/),
    });
    await expect(bridge.waitFor('GET /api/v10/users/@mee')).rejects.toMatchObject(WRONG);
    await fetch(`${bridge.api}/v10/user/@me`);
    await user.toHaveFailed(404);
    expect(await bridge.waitFor('GET /user/@me')).toMatchObject({ what: 'GET /user/@me' });
  });
  it('is not confused with an existing route, whatever its placeholders and version', async () => {
    const bridge = await started();
    for (const route of ['GET /users/{id}', 'DELETE /channels/*/messages/*', 'GET /api/v9/guilds/1'])
      await bridge.expect(route).not.toHaveBeenCalled();
    await expect(bridge.waitFor('GET /users/@me', { timeout: 0 })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_TIMEOUT',
    });
  });
});

describe('waitFor', () => {
  it('names itself in the error for an argument that is neither a command nor a route', async () => {
    const bridge = await started();
    await expect(bridge.waitFor(5 as unknown as string)).rejects.toThrow(
      'waitFor: must be a command or a route, not 5.',
    );
    await expect(bridge.waitFor('GET_GUILDZ')).rejects.toThrow(
      'waitFor: there is no command "GET_GUILDZ". Did you mean "GET_GUILD',
    );
  });
  it('resolves with the next matching entry, or with an existing one', async () => {
    const bridge = await started();
    const app = await connected(bridge);
    const waited = bridge.waitFor('SET_ACTIVITY');
    app.send('SET_ACTIVITY', ACTIVITY);
    expect(await waited).toMatchObject({ what: 'SET_ACTIVITY', args: ACTIVITY });
    const again = await bridge.waitFor('SET_ACTIVITY', { timeout: 0 });
    expect(again.what).toBe('SET_ACTIVITY');
    const later = bridge.waitFor('SET_ACTIVITY', { since: again.seq });
    app.send('SET_ACTIVITY', ACTIVITY);
    expect((await later).seq).toBeGreaterThan(again.seq);
  });
  it('accepts a function that tests entries', async () => {
    const bridge = await started();
    const waited = bridge.waitFor((entry) => entry.kind === 'http' && entry.status === 404);
    await fetch(`${bridge.api}/v10/nothing`);
    expect(await waited).toMatchObject({ kind: 'http', method: 'GET' });
    const wrong = bridge.waitFor(() => {
      throw new RangeError('of the test');
    });
    await expect(wrong).rejects.toThrow('of the test');
  });
  it('reports at its timeout which entries arrived instead', async () => {
    const bridge = await started();
    const app = await connected(bridge);
    app.send('GET_GUILDS', {});
    await app.answer('GET_GUILDS');
    await expect(bridge.waitFor('AUTHORIZE', { timeout: 20 })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_TIMEOUT',
      message: 'waitFor: no AUTHORIZE within 20 ms. What came: GET_GUILDS.',
    });
    await expect(bridge.waitFor('AUTHORIZE', { timeout: Number.NaN })).rejects.toThrow('milliseconds');
  });
});

describe('the journal of a test', () => {
  it('has every frame and connection, as objects and as text lines', async () => {
    const bridge = await started();
    const app = await connected(bridge);
    app.send('GET_GUILDS', {});
    await app.answer('GET_GUILDS');
    const frames = bridge.journal({ kinds: ['frame'] });
    expect(frames.map(({ payload }) => (payload as { cmd?: string }).cmd)).toEqual([
      undefined,
      'DISPATCH',
      'GET_GUILDS',
      'GET_GUILDS',
    ]);
    const session = frames[0]?.kind === 'frame' ? frames[0].session : '';
    expect(bridge.journal({ session }).length).toBe(5);
    const lines = bridge.transcript().trimEnd().split('\n');
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toMatch(/<- GET_GUILDS nonce=1 ERROR 4006 message=".*"$/);
  });

  it('has the times of the emulator, and its clock', async () => {
    const bridge = await started();
    const request = async (): Promise<void> => void (await fetch(`${bridge.api}/v10/nothing`));
    await request();
    await bridge.clock.set(new Date('2040-01-01T10:00:00Z'));
    await bridge.clock.freeze();
    await bridge.advance('15m');
    await request();
    await request();
    const lines = bridge.transcript().trimEnd().split('\n');
    // One for each change that was asked for, and none for the timers on its way.
    const moves = [
      /^10:00:00\.\d{3} {2}clock {5}clock: 20\S+ to 2040-01-01T10:00:00\.\d{3}Z$/,
      /^10:00:00\.\d{3} {2}clock {5}clock, standing: 2040-01-01T10:00:00\.\d{3}Z$/,
      /^10:15:00\.\d{3} {2}clock {5}clock, standing: 2040-01-01T10:00:00\.\d{3}Z to 2040-01-01T10:15:00\.\d{3}Z$/,
    ];
    expect(lines.slice(1, 4)).toEqual(moves.map((move) => expect.stringMatching(move)));
    const time = lines[3]?.slice(0, 12);
    expect(lines.slice(4)).toEqual(
      Array(2).fill(`${time}  http      GET /api/v10/nothing 404, got code=0 message="404: Not Found"`),
    );
    expect(bridge.transcript({ full: false }).trimEnd().split('\n').at(-1)).toBe(`${lines[4]} (2 times)`);
    expect(bridge.transcript({ lines: 1 })).toBe(
      `… 5 lines before; a full transcript has them\n${lines[5]}\n`,
    );
    expect(() => bridge.transcript({ ful: true } as object)).toThrow('there is no option "ful"');
  });

  it('continues across a restart', async () => {
    const bridge = await started();
    await fetch(`${bridge.api}/v10/nothing`);
    await bridge.restart();
    await fetch(`${bridge.api}/v10/nothing`);
    expect(bridge.journal({ kinds: ['http'] })).toHaveLength(2);
  });
});

describe('an emulator for tests', () => {
  it('creates, switches, bans and removes users', async () => {
    const bridge = await started();
    const made = await bridge.users.create({ username: 'pike', global_name: 'Pike' });
    expect(made).toMatchObject({ username: 'pike', global_name: 'Pike', bot: false });
    expect((await bridge.users.list()).map(({ username }) => username)).toContain('pike');
    await bridge.users.switch('pike');
    const show = async () =>
      (await bridge.operations.call('emulator.show')) as {
        me: string;
        client: { logged_in: boolean };
        account_bans: object[];
      };
    expect((await show()).me).toBe(made.id);
    await bridge.users.logOut();
    expect((await show()).client.logged_in).toBe(false);
    await bridge.users.logIn('river');
    expect((await show()).me).toBe('200000000000000001');
    await bridge.ban('pike', new Date(Date.now() + 3_600_000));
    expect((await show()).account_bans).toHaveLength(1);
    await bridge.unban('pike');
    expect((await show()).account_bans).toEqual([]);
    await bridge.users.remove('pike');
    expect((await bridge.users.list()).map(({ username }) => username)).not.toContain('pike');
    await expect(bridge.users.switch('pike')).rejects.toThrow('there is no user "pike"');
  });
  it('adds, applies and removes faults', async () => {
    const bridge = await started();
    const app = await connected(bridge);
    const { id } = await bridge.faults.add('error=5000', { command: 'GET_GUILDS' });
    app.send('GET_GUILDS', {});
    await app.answer('GET_GUILDS');
    await bridge.expect('GET_GUILDS').toHaveFailed(5000);
    expect(await bridge.faults.list()).toMatchObject([{ id, struck: 1 }]);
    await bridge.faults.remove(id);
    await bridge.faults.add('drop');
    await bridge.faults.clear();
    expect(await bridge.faults.list()).toEqual([]);
    await expect(bridge.faults.add('dorp')).rejects.toThrow('Did you mean "drop"?');
    const before = await bridge.faults.list();
    await expect(bridge.faults.add('drop', { comand: 'GET_GUILD' } as object)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_ARGUMENTS',
      message:
        'faults.add: there is no option "comand". Did you mean "command"? It takes command, route, webhook, gateway, application, count, probability, seed.',
    });
    expect(await bridge.faults.list()).toEqual(before);
    await expect(bridge.waitFor('GET_GUILD', { timeot: 50 } as object)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_ARGUMENTS',
      message: 'waitFor: there is no option "timeot". Did you mean "timeout"? It takes timeout, since.',
    });
  });
});

it('twenty emulators at once share nothing', async () => {
  const bridges = await Promise.all(Array.from({ length: 20 }, () => started()));
  await Promise.all(
    bridges.map(async (bridge, index) => {
      const app = await connected(bridge);
      for (let time = 0; time <= index; time += 1) {
        app.send('SET_ACTIVITY', { pid: process.pid, activity: { state: `boat ${index}` } });
        await app.answer('SET_ACTIVITY');
      }
      if (index % 2 === 1) await bridge.faults.add('drop', { command: 'GET_GUILDS' });
      await bridge.clock.set(new Date(Date.UTC(2030, 0, 1 + index)));
    }),
  );
  for (const [index, bridge] of bridges.entries()) {
    await bridge.expect('SET_ACTIVITY').toHaveBeenCalledTimes(index + 1);
    await bridge.expect('SET_ACTIVITY').toHaveBeenCalledWith({ activity: { state: `boat ${index}` } });
    expect((await bridge.faults.list()).length).toBe(index % 2);
    expect((await bridge.clock.now()).getUTCDate()).toBe(1 + index);
  }
});
