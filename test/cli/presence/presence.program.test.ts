import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { localTime } from '../../../src/base/text.ts';
import type { PresenceList } from '../../../src/cli/presence/entry.ts';
import { connect } from '../../../src/client/index.ts';
import { createRuntime, type Daemon, startDaemon } from '../../helpers/daemon.ts';
import { PATIENCE_MS } from '../../helpers/patience.ts';

const GAME = '300000000000000001';
const MUSIC = '300000000000000002';

/** A bridge whose rules stand in front of another one, which sees only what leaves. */
async function twoBridges(text: string) {
  const outside = await startDaemon({ args: ['--http-port', '0', '--ws-port', 'off'] });
  onTestFinished(async () => void (await outside.stop()));
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  const file = join(runtime.folder, 'f.toml');
  writeFileSync(file, text);
  const args = ['--config', file, '--core', 'upstream', '--upstream', outside.endpoint, '--ws-port', 'off'];
  const start = async (): Promise<Daemon> => {
    const daemon = await startDaemon({ runtime, args });
    onTestFinished(async () => void (await daemon.stop()));
    return daemon;
  };
  return { file, start, bridge: await start(), seen: () => seenBy(outside) };
}

async function seenBy(daemon: Daemon): Promise<Readonly<Record<string, unknown>>> {
  const { entries } = (await daemon.json('presence')) as PresenceList;
  return Object.fromEntries(entries.map(({ clientId, activity }) => [clientId, activity]));
}

async function app(bridge: Daemon, clientId: string) {
  const client = await connect({ clientId, paths: [bridge.endpoint] });
  onTestFinished(() => client.close());
  return client;
}

it('nothing that a rule hides, drops or replaces leaves the bridge, and each entry names the line that decides', async () => {
  const { file, bridge, seen } = await twoBridges(`
[[presence]]
details = "re:(?i)secret"
drop = ["details"]
[[presence]]
app = "${MUSIC}"
give_way_to = ["${GAME}"]
`);
  const game = await app(bridge, GAME);
  const music = await app(bridge, MUSIC);
  expect(await music.setActivity({ details: 'a song' })).toMatchObject({ details: 'a song' });
  await expect.poll(seen).toEqual({ [MUSIC]: { details: 'a song' } });
  expect(await game.setActivity({ details: 'My SECRET', state: 'in it' })).toMatchObject({
    details: 'My SECRET',
  });
  await expect.poll(seen).toEqual({ [GAME]: { state: 'in it' } });
  const { entries, unusedRules } = (await bridge.json('presence')) as PresenceList;
  expect(unusedRules).toEqual([]);
  expect(entries).toMatchObject([
    { clientId: GAME, state: 'shown', rules: [`${file}:2`], shown: { state: 'in it' } },
    { clientId: MUSIC, state: 'waiting', shown: null, clients: [] },
  ]);
  expect(entries[1]?.why).toMatch(/^it gives way to .*: .*f\.toml:5$/);

  await game.close();
  await expect.poll(seen).toEqual({ [MUSIC]: { details: 'a song' } });
});

it('a name that several apps have hides none of them, because a program may call itself as it likes', async () => {
  const { file, bridge } = await twoBridges('# mine\n');
  for (const id of [GAME, MUSIC]) await (await app(bridge, id)).setActivity({ details: id });
  const { entries } = (await bridge.json('presence')) as PresenceList;
  const name = String(entries[0]?.program);
  const { code, stderr } = await bridge.cli(['presence', 'hide', name]);
  const [one, other] = entries.map(({ clientId }) => clientId);
  expect([code, stderr]).toEqual([
    1,
    `footbridge: Several apps are called "${name}": ${one}, ${other}. Give the id of one.\n`,
  ]);
  expect(readFileSync(file, 'utf8')).toBe('# mine\n');
});

it('hide, show, prefer, pause and held presences work from the command line, and survive a restart', async () => {
  const { file, start, bridge, seen } = await twoBridges('# mine\n');
  const game = await app(bridge, GAME);
  await game.setActivity({ details: 'level 1' });
  await expect.poll(seen).toEqual({ [GAME]: { details: 'level 1' } });

  expect((await bridge.cli(['presence', 'hide', GAME])).code).toBe(0);
  await expect.poll(seen).toEqual({});
  await game.setActivity({ details: 'level 2' });
  expect(await seen()).toEqual({});
  expect((await bridge.cli(['presence', 'show', GAME])).code).toBe(0);
  await expect.poll(seen).toEqual({ [GAME]: { details: 'level 2' } });
  await bridge.json('presence', 'prefer', MUSIC, GAME);
  await bridge.json('presence', 'prefer', GAME);
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^# mine\n/);
  expect(text.match(/\[\[presence\]\]/g), 'one rule to show, one rank').toHaveLength(2);

  await bridge.json('presence', 'pause');
  await bridge.json('presence', 'set', '--client-id', MUSIC, '--details', 'On a walk', '--hold');
  await expect.poll(seen).toEqual({});
  // Its client connects again by itself, and would then show level 2 again.
  await game.close();
  await bridge.kill();
  const again = await start();
  expect(await again.json('presence')).toMatchObject({ paused: null });
  const back = await app(again, GAME);
  await back.setActivity({ details: 'level 3' });
  await expect
    .poll(async () => ((await again.json('presence')) as PresenceList).entries.map(({ state }) => state), {
      timeout: PATIENCE_MS,
    })
    .toEqual(['hidden', 'hidden']);
  expect(await seen()).toEqual({});
  await again.json('presence', 'resume');
  await expect.poll(seen).toEqual({ [GAME]: { details: 'level 3' }, [MUSIC]: { details: 'On a walk' } });
  expect(await again.json('presence', 'clear')).toMatchObject({ cleared: [MUSIC] });
  await expect.poll(seen).toEqual({ [GAME]: { details: 'level 3' } });
  await again.kill();
  await expect.poll(seen).toEqual({});
});

it('a bridge whose rules are broken does not start, and a broken reload changes nothing', async () => {
  const { file, bridge, seen } = await twoBridges(`[[presence]]\napp = "${GAME}"\nhide = true\n`);
  const game = await app(bridge, GAME);
  await game.setActivity({ details: 'level 1' });
  writeFileSync(file, `[[presence]]\napp = "${GAME}"\nrank = "no"\nhide = true\n`);
  expect(await bridge.cli(['presence', 'pause', '--for', 'soon'])).toMatchObject({ code: 64 });
  const changed = await bridge.cli(['presence', 'show', GAME]);
  expect(changed.code).toBe(78);
  expect(changed.stderr).toBe(
    `footbridge: ${file}:1: rank: "no" is not a whole number from -1000 to 1000.\n`,
  );
  await game.setActivity({ details: 'level 2' });
  expect(await seen()).toEqual({});
  await bridge.stop();
  await expect(startDaemon({ args: ['--config', file, '--ws-port', 'off'] })).rejects.toThrow(
    `${file}:1: rank: "no" is not a whole number from -1000 to 1000.`,
  );
});

it('a damaged file of choices pauses presence, because it may have held a pause', async () => {
  const { start, bridge, seen } = await twoBridges('');
  const { places } = (await bridge.json('status')) as { readonly places: { readonly data: string } };
  await bridge.stop();
  writeFileSync(join(places.data, 'presence.json'), '{"version":1,"sha');
  const again = await start();
  const game = await app(again, GAME);
  await game.setActivity({ details: 'level 1' });
  expect(await again.json('presence')).toMatchObject({ paused: null, entries: [{ state: 'hidden' }] });
  expect(await seen()).toEqual({});
});

it('the list has every text that others can read, so that no picture or button tells what a rule drops from the lines', async () => {
  const { bridge } = await twoBridges(`[[presence]]\napp = "${GAME}"\ndrop = ["details"]\n`);
  const editor = await app(bridge, GAME);
  await editor.setActivity({
    details: 'Editing taxes.ods',
    assets: { large_text: 'taxes.ods', small_text: 'Calc' },
    buttons: [{ label: 'Open taxes', url: 'https://example.org/' }],
  });
  const { stdout } = await bridge.cli(['presence']);
  expect(stdout).toContain('\n  playing: picture: taxes.ods | picture: Calc | button: Open taxes\n');
  expect(stdout).toContain(
    '\n  the app says: playing: Editing taxes.ods | picture: taxes.ods | picture: Calc | button: Open taxes\n',
  );
});

it('a held presence is cleared by its name, and a name that nothing has is told', async () => {
  const { bridge } = await twoBridges('');
  await bridge.json('presence', 'set', '--client-id', MUSIC, '--details', 'On a walk', '--hold');
  await expect.poll(async () => (await bridge.cli(['presence'])).stdout).toContain('Lighthouse Example');
  expect(await bridge.cli(['presence', 'clear', 'Lighthouse Exampel'])).toMatchObject({
    code: 1,
    stderr: 'footbridge: No app "Lighthouse Exampel" shows anything. Did you mean "Lighthouse Example"?\n',
  });
  expect(await bridge.cli(['presence', 'hide', 'Quay'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Hidden: Quay, which shows nothing now \(written to /) as string,
  });
  expect(await bridge.json('presence', 'clear', 'lighthouse example')).toMatchObject({ cleared: [MUSIC] });
});

it('the end of a pause is told by the clock of this machine', async () => {
  const { bridge } = await twoBridges('');
  const { stdout } = await bridge.cli(['presence', 'pause', '--for', '1h']);
  const { paused } = (await bridge.json('presence')) as { readonly paused: number };
  expect(stdout).toBe(`Nothing is shown until ${localTime(paused)}\n`);
  expect((await bridge.cli(['presence'])).stdout).toContain(
    `Presence is paused until ${localTime(paused)}\n`,
  );
});

it('a presence that the command shows ends with the command', async () => {
  const { bridge, seen } = await twoBridges('');
  const refused = await bridge.cli(['presence', 'set', '--client-id', GAME, '--details', 'x']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toBe('footbridge: details: must have 2 to 128 characters.\n');
  expect(await seen()).toEqual({});
  expect(await bridge.cli(['presence', 'set', '--details', 'xx'])).toMatchObject({ code: 64 });
  expect((await bridge.cli(['presence', 'hide', ''])).code).not.toBe(0);
});
