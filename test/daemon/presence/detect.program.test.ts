import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { APP, faultBridge, isLinux, place } from '../../helpers/fault-bridge.ts';

/** A search that took long is repeated after 30 s. */
const patience = { timeout: 60_000 };
/** No id of an application: it is above 64 bits. */
const UNKNOWN = '99999999999999999999';

/** A bridge with a list of games, and these games. */
async function games(configuration = '') {
  const runtime = place();
  const folder = join(runtime.folder, 'harbour');
  mkdirSync(folder);
  const list = join(runtime.folder, 'games.json');
  const write = (text: string): void => writeFileSync(list, text);
  const entry = (id: string, name: string) => ({ id, name, executables: [{ name: `harbour/${id}.exe` }] });
  write(JSON.stringify([entry(APP, 'Harbour'), entry(UNKNOWN, 'Nobody knows')]));
  const config = join(runtime.folder, 'footbridge.toml');
  writeFileSync(config, `detect = ${JSON.stringify(list)}\n${configuration}`);
  const bridge = await faultBridge({
    runtime,
    args: ['--config', config, '--http-port', '0', '--ws-port', 'off', '--service'],
  });
  const start = (id: string): ChildProcess => {
    const program = join(folder, `${id}.exe`);
    copyFileSync('/bin/sleep', program);
    const child = spawn(program, ['600'], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const view = async () => (await bridge.control.call('presence.list', {})) as View;
  const entries = async () =>
    (await view()).entries.map(({ clientId, state, why, pid, shown }) => ({
      clientId,
      state,
      why,
      pid,
      shown,
    }));
  return { bridge, start, view, entries, write };
}
interface View {
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  readonly problems: readonly string[];
}

describe.skipIf(!isLinux)('games without a connection (Linux only)', { timeout: 200_000 }, () => {
  it('are shown with their process while they run', async () => {
    const { start, entries } = await games();
    const before = Date.now();
    const game = start(APP);
    await expect.poll(entries, patience).toHaveLength(1);
    const [shown] = await entries();
    expect(shown).toMatchObject({ clientId: APP, state: 'shown', why: 'no rule matches', pid: game.pid });
    const { name, timestamps } = (shown?.shown ?? {}) as { name: string; timestamps: { start: number } };
    expect(name).toBe('Harbour');
    expect(Math.abs(timestamps.start - before)).toBeLessThan(5000);
    game.kill('SIGKILL');
    await expect.poll(entries, patience).toEqual([]);
  });

  it('wait while an app of the same application shows something, and come back', async () => {
    const { bridge, start, entries } = await games();
    start(APP);
    await expect.poll(entries, patience).toHaveLength(1);
    const app = await bridge.app(APP);
    app.request('SET_ACTIVITY', { pid: process.pid, activity: { details: 'its own' } });
    await app.answer();
    const { entries: both } = (await bridge.control.call('presence.list', {})) as View;
    expect(both).toMatchObject([{ connections: 2, state: 'shown', shown: { details: 'its own' } }]);
    app.request('SET_ACTIVITY', { pid: process.pid, activity: null });
    await app.answer();
    expect(await entries()).toMatchObject([{ state: 'shown', shown: { name: 'Harbour' } }]);
  });

  it('follow the rules', async () => {
    const { start, entries } = await games(`[[presence]]\nprogram = "${APP}.exe"\nhide = true\n`);
    start(APP);
    await expect.poll(entries, patience).toMatchObject([{ state: 'hidden', shown: null }]);
  });

  it('that the core does not know are reported once', async () => {
    const { bridge, start, entries } = await games();
    start(UNKNOWN);
    start(APP);
    await expect.poll(entries, patience).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const lines = bridge
      .output()
      .stderr.split('\n')
      .filter((line) => line.includes('a detected game is not shown'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`The presence of ${UNKNOWN} is not shown: Invalid Client ID.`);
  });

  it('are not detected with a damaged list, and the bridge serves apps', async () => {
    const runtime = place();
    const list = join(runtime.folder, 'games.json');
    writeFileSync(list, '[{');
    const bridge = await faultBridge({
      runtime,
      env: { FOOTBRIDGE_DETECT: list },
      args: ['--http-port', '0', '--ws-port', 'off'],
    });
    await bridge.app();
    const problem = expect.stringMatching(`^detect: ${list} is not JSON`);
    await expect
      .poll(() => bridge.control.call('presence.list', {}), patience)
      .toMatchObject({ entries: [], problems: [problem] });
    expect(bridge.output().stderr).toContain('games are not detected');
  });

  it('follow the list as it is read again', async () => {
    const { bridge, start, view, write } = await games();
    start(APP);
    await expect.poll(async () => (await view()).entries, patience).toHaveLength(1);
    const reload = async (text: string): Promise<void> => {
      write(text);
      process.kill(bridge.pid, 'SIGHUP');
    };
    await reload('[');
    await expect.poll(() => bridge.output().stderr, patience).toContain('everything stays as it was');
    expect((await view()).entries).toHaveLength(1);
    await reload('[{"id":"1","name":"x","executables":[{"name":"x"}]}]');
    await expect.poll(async () => (await view()).entries, patience).toEqual([]);
  });
});
