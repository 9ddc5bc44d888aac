import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type BridgeRun, bridgeRun, type RunSetting, runPlace } from '../../helpers/bridge-run.ts';
import { isLinux } from '../../helpers/fault-bridge.ts';

const APP = '300000000000000001';
const authorize = { client_id: APP, scopes: ['identify'] };
const DONE = 'configuration read again';
const NOT_DONE = 'configuration not read again: everything stays as it was';

/** A bridge that a service manager runs. */
const service = (setting: RunSetting = {}): Promise<BridgeRun> =>
  bridgeRun({ ...setting, env: { INVOCATION_ID: 'x', ...setting.env } });

/** Changes the file, sends SIGHUP and waits for the outcome; returns its line of the log. */
async function reload(run: BridgeRun, toml: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  run.place.configure(toml);
  const before = run.log().length;
  const outcome = () =>
    run
      .log()
      .slice(before)
      .find(({ msg }) => msg === DONE || msg === NOT_DONE);
  run.process.emit('SIGHUP');
  await expect.poll(outcome).toBeDefined();
  return outcome();
}

describe('SIGHUP', () => {
  it.each<[string, RunSetting]>([
    ['with --service', { flags: { service: true }, terminal: true }],
    ['with INVOCATION_ID', { env: { INVOCATION_ID: 'x' } }],
    ['with JOURNAL_STREAM', { env: { JOURNAL_STREAM: '1:2' } }],
  ])('reads the configuration again %s', async (_, setting) => {
    const run = await bridgeRun(setting);
    expect(await reload(run, 'consent = "deny"\n')).toEqual({ level: 'info', msg: DONE });
    const app = await run.app();
    expect(await app.call('AUTHORIZE', authorize)).toMatchObject({ data: { code: 5000 } });
    expect(run.process.ends).toEqual([]);
  });

  it('ends a bridge at a terminal, whose variables are of the session', async () => {
    const run = await bridgeRun({ env: { INVOCATION_ID: 'x', JOURNAL_STREAM: '1:2' }, terminal: true });
    run.process.emit('SIGHUP');
    expect(await run.process.ended).toBe('exit 0');
  });

  it('before the bridge serves changes nothing', async () => {
    const run = await service();
    run.process.emit('SIGHUP');
    run.process.emit('SIGHUP');
    await expect.poll(() => run.log(DONE).length).toBeGreaterThan(0);
    await run.app();
  });
});

describe('a reload', () => {
  it('applies fixture, consent, limits, journal and log level', async () => {
    const place = runPlace();
    const run = await service({ place });
    const world = place.file('world.toml', 'me = "7"\n[[users]]\nid = "7"\nusername = "river"\n');
    const before = await run.app();
    expect((await run.control.status()).journal).toBeNull();
    const toml = `fixture = "${world}"\nconsent = "allow"\njournal = true\nlog_level = "debug"\n[limits]\nsubscriptions = 1\n`;
    expect(await reload(run, toml)).toMatchObject({ msg: DONE });
    expect(run.log('settings that take effect at the next start')).toEqual([]);
    expect((await run.control.status()).journal).not.toBeNull();
    expect(await run.control.call('summary')).toMatchObject({ user: { id: '7' }, guilds: [] });
    // The fixture has another user, so the app of the one before is logged out.
    expect(await before.closed()).toEqual({ code: 1000, message: 'User logout' });
    const app = await run.app();
    await app.subscribe('ACTIVITY_JOIN');
    expect(await app.subscribe('ACTIVITY_SPECTATE')).toMatchObject({ evt: 'ERROR', data: { code: 4000 } });
    expect(run.log('request refused')).toMatchObject([{ level: 'debug', cmd: 'SUBSCRIBE', code: 4000 }]);
    // And back.
    place.configure('log_level = "error"\n');
    run.process.emit('SIGHUP');
    await expect.poll(async () => (await run.control.status()).journal).toBeNull();
    const logged = run.log().length;
    await (await run.app()).call('GET_GUILDS');
    expect(run.log()).toHaveLength(logged);
  });

  it.each([
    ['consent = "maybe"\n', /footbridge\.toml: consent: "maybe" is not one of ask, allow, deny\.$/],
    ['fixture = "/nowhere.toml"\nconsent = "deny"\n', /^\/nowhere\.toml: cannot be read: /],
    ['consent = ', /footbridge\.toml: line 1, column /],
  ])('of a file with a fault changes nothing (%j)', async (toml, reason) => {
    const run = await service({ toml: 'consent = "allow"\n' });
    expect(await reload(run, toml)).toEqual({
      level: 'error',
      reason: expect.stringMatching(reason),
      msg: NOT_DONE,
    });
    const app = await run.app();
    expect(await app.call('AUTHORIZE', authorize)).toMatchObject({ data: { code: expect.any(String) } });
  });

  it('of a file that is gone changes nothing, because its rules hide something', async () => {
    const place = runPlace();
    const run = await service({ place, toml: '[[presence]]\napp = "*"\nhide = true\n' });
    const app = await run.app();
    await app.call('SET_ACTIVITY', { pid: process.pid, activity: { details: 'secret' } });
    rmSync(place.configure(''));
    run.process.emit('SIGHUP');
    await expect
      .poll(() => run.log(NOT_DONE))
      .toMatchObject([{ reason: expect.stringMatching(/footbridge\.toml: cannot be read: /) }]);
    await expect(run.control.call('presence.reload')).rejects.toThrow('footbridge.toml: cannot be read');
    expect(await run.control.call('presence.list')).toMatchObject({ entries: [{ state: 'hidden' }] });
  });

  it.skipIf(process.platform === 'win32')(
    'does not wait for the writer of a fixture that is a FIFO by now (not on Windows)',
    async () => {
      const place = runPlace();
      const fixture = place.file('world.toml', 'me = "7"\n[[users]]\nid = "7"\nusername = "river"\n');
      const toml = `fixture = "${fixture}"\n`;
      const run = await service({ place, toml });
      rmSync(fixture);
      execFileSync('mkfifo', [fixture]);
      const writer = spawn('sh', ['-c', `echo 'me = "7"' > '${fixture}'`]);
      onTestFinished(() => void writer.kill('SIGKILL'));
      expect(await reload(run, toml)).toEqual({
        level: 'error',
        reason: `${fixture}: only a regular file can be read here. Put one in its place.`,
        msg: NOT_DONE,
      });
      expect(await run.control.call('summary')).toMatchObject({ user: { id: '7' } });
    },
  );

  it('names the settings that need a restart', async () => {
    const run = await service({ env: { INVOCATION_ID: 'x' } });
    await reload(
      run,
      'index = 4\ndata_dir = "/elsewhere"\nconsent = "deny"\n[limits]\nunread_bytes = 100000\n',
    );
    expect(run.log('settings that take effect at the next start')).toEqual([
      {
        level: 'warn',
        reason: 'index, data_dir, limits.unread_bytes',
        msg: 'settings that take effect at the next start',
      },
    ]);
  });

  it.skipIf(!isLinux)('serves the endpoints of the file, and no others (Linux only)', async () => {
    const place = runPlace();
    const [one, two] = ['one', 'two'].map((name) => {
      mkdirSync(join(place.folder, name), { mode: 0o700 });
      return join(place.folder, name, 'discord-ipc-0');
    }) as [string, string];
    const table = (name: string, path: string) => `[[endpoints]]\nname = "${name}"\npath = "${path}"\n`;
    const run = await service({ place, toml: table('one', one) });
    const facts = async () => (await run.control.status()).further;
    expect(await facts()).toEqual([
      { name: 'one', preset: 'path', path: one, rights: 'presence', state: 'serving', why: null },
    ]);
    await reload(run, table('two', two));
    expect(await facts()).toMatchObject([{ name: 'two', path: two, state: 'serving' }]);
    expect([existsSync(one), existsSync(two)]).toEqual([false, true]);
    place.configure(table('one', one));
    expect(await run.control.call('endpoints.reload')).toMatchObject([{ name: 'one', state: 'serving' }]);
    expect(await run.control.call('endpoints.list')).toMatchObject([{ name: 'one' }]);
    await run.stop();
    await run.result;
    expect([existsSync(one), existsSync(two)]).toEqual([false, false]);
  });

  it('runs the forwards of the file, and no others', async () => {
    const place = runPlace();
    const table = (name: string) =>
      `[[forward]]\nname = "${name}"\nfrom = "${join(place.folder, name)}"\nto = "auto"\n`;
    const run = await service({ place, toml: table('one') });
    const names = async () => (await run.control.status()).forwards.map(({ name }) => name);
    expect(await names()).toEqual(['one']);
    await reload(run, table('two'));
    expect(await names()).toEqual(['two']);
  });
});
