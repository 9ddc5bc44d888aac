import { chmodSync, existsSync, fstatSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { version } from '../../../src/daemon/version.ts';
import { type BridgeRun, bridgeRun, linesIn, runPlace } from '../../helpers/bridge-run.ts';
import { isLinux } from '../../helpers/fault-bridge.ts';
import { answerPings, listenOn } from '../../helpers/sockets.ts';

const authorize = { client_id: '300000000000000001', scopes: ['identify'] };
const endpoint = ({ place }: BridgeRun): string => join(place.folder, 'discord-ipc-0');

/** A stderr that leads to the journal, as far as the variable says so. */
function journalStream(): string {
  const { dev, ino } = fstatSync(2, { bigint: true });
  return `${dev}:${ino}`;
}

describe('a run', () => {
  it('with --json prints one line for programs, and logs what listens', async () => {
    const run = await bridgeRun();
    expect(run.stdout()).toMatch(/^[^\n]+\n$/);
    expect(run.ready()).toEqual({
      ready: true,
      version: version(),
      pid: process.pid,
      endpoints: [{ kind: 'ipc', path: endpoint(run) }],
      api: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api$/),
      control: join(run.place.folder, `footbridge-${process.getuid?.()}`, 'control.sock'),
      user: { id: '200000000000000001' },
      guilds: ['400000000000000001', '400000000000000002'],
      channels: {
        text: ['500000000000000002', '500000000000000011'],
        voice: ['500000000000000005', '500000000000000006', '500000000000000013'],
      },
    });
    expect(run.log()).toEqual([{ level: 'info', path: endpoint(run), msg: 'listening' }]);
  });

  it('without it tells a user where apps connect, and how to go on', async () => {
    const run = await bridgeRun({ json: false, terminal: true });
    const { core } = await run.control.status();
    expect(run.stdout()).toBe(
      `Footbridge ${version()} is ready, on the core "emulator".
  apps connect to   ${endpoint(run)}
  tokens come from  ${core.api}
  apps that ask     wait for you: footbridge requests
  try it            footbridge call SET_ACTIVITY '{"pid":1,"activity":{"state":"hello"}}'
  look              footbridge status
  stop              Ctrl-C
`,
    );
    expect(run.stderr()).toMatch(/^\d\d:\d\d:\d\d info {2}listening path=\/.*\n$/);
  });

  it('started by an npm script names the commands as that script takes them', async () => {
    const env = { npm_package_name: 'footbridge', npm_lifecycle_event: 'start' };
    const run = await bridgeRun({ json: false, env });
    expect(run.stdout()).toContain('\n  look              npm run -s footbridge -- status\n');
    // No terminal: a program reads the log.
    expect(run.log()).toMatchObject([{ msg: 'listening' }]);
  });

  it('without a user shows each request with the commands that answer it', async () => {
    const run = await bridgeRun({ json: false });
    const before = run.stdout().length;
    const app = await run.app();
    const answer = app.call('AUTHORIZE', authorize);
    await expect.poll(() => run.stdout().length).toBeGreaterThan(before);
    const [waiting] = (await run.control.call('requests.list')) as { readonly id: string }[];
    const said = run.stdout().slice(before);
    expect(said).toContain('(application 300000000000000001) asks to:\n');
    expect(said).toMatch(
      new RegExp(`\nAnswer with: footbridge approve ${waiting?.id} \\(or deny ${waiting?.id}\\)\n$`),
    );
    await run.control.call('requests.deny', { id: waiting?.id });
    expect(await answer).toMatchObject({ evt: 'ERROR', data: { code: 5000 } });
    expect(run.stdout().slice(before)).toBe(said);
  });

  it('in front of a user asks there, and takes the answer', async () => {
    const run = await bridgeRun({ json: false, user: true });
    const app = await run.app();
    const answer = app.call('AUTHORIZE', authorize);
    await expect.poll(run.stdout).toContain('Allow it?');
    run.stdin.write('n\n');
    expect(await answer).toMatchObject({ evt: 'ERROR', data: { code: 5000 } });
    expect(run.stdout()).toContain('Denied.');
  });

  it('shows no request of a core that asks nobody', async () => {
    const run = await bridgeRun({
      json: false,
      user: true,
      env: { FOOTBRIDGE_CORE: 'attach', FOOTBRIDGE_ATTACH_PORT: '0' },
    });
    expect(run.stdout()).toContain('is ready, on the core "attach".');
    expect(run.stdout()).not.toContain('apps that ask');
    expect(run.stdin.listenerCount('data')).toBe(0);
  });

  it('with --log-files prints nothing, and writes its log to a file', async () => {
    const run = await bridgeRun({ json: false, flags: { 'log-files': true } });
    expect([run.stdout(), run.stderr()]).toEqual(['', '']);
    const log = () => linesIn(readFileSync(join(run.place.folders.log, 'footbridge.log'), 'utf8'));
    expect(log()).toEqual([{ level: 'info', path: endpoint(run), msg: 'listening' }]);
    expect(await run.control.status()).toMatchObject({
      places: {
        config: join(run.place.folders.config, 'footbridge.toml'),
        data: run.place.folders.data,
        log: run.place.folders.log,
      },
    });
    await run.stop();
    expect(log().at(-1)).toEqual({ level: 'info', reason: 'SIGTERM', msg: 'stopping' });
  });

  it('with --log-files and --json still prints its line', async () => {
    const run = await bridgeRun({ flags: { 'log-files': true } });
    expect(run.ready()).toMatchObject({ ready: true });
    expect(run.stderr()).toBe('');
  });

  it('whose stderr is the journal prints nothing, and gives each line of the log a priority', async () => {
    const run = await bridgeRun({ json: false, env: { JOURNAL_STREAM: journalStream() } });
    expect(run.stdout()).toBe('');
    expect(run.stderr()).toBe(`<6>listening path=${endpoint(run)}\n`);
    expect(await run.control.status()).toMatchObject({ places: { log: null } });
  });

  it('with --json prints its line and logs JSON even where stderr is the journal', async () => {
    const run = await bridgeRun({ env: { JOURNAL_STREAM: journalStream() } });
    expect(run.ready()).toMatchObject({ ready: true });
    expect(run.log()).toMatchObject([{ msg: 'listening' }]);
  });

  it.each([
    [{ json: true }, 'log'],
    [{ json: false, flags: { 'log-files': true } }, 'file'],
    [{ json: false }, 'stdout'],
  ] as const)('behind another program says so (%o)', async (setting, where) => {
    const place = runPlace();
    const other = join(place.folder, 'discord-ipc-0');
    await listenOn({ path: other }, answerPings);
    const run = await bridgeRun({ ...setting, place });
    const text = expect.stringMatching(
      new RegExp(
        `^${other} is not ours: .* The bridge is at ${place.folder}/discord-ipc-1\\. To do: most apps look only at`,
      ),
    ) as string;
    const taken = [{ level: 'warn', reason: text, msg: 'index 0 is taken' }];
    const file = join(place.folders.log, 'footbridge.log');
    const logged = where === 'file' ? linesIn(readFileSync(file, 'utf8')) : run.log();
    expect(logged.filter(({ msg }) => msg === 'index 0 is taken')).toEqual(where === 'stdout' ? [] : taken);
    if (where === 'stdout') expect(run.stdout().trimEnd().split('\n').at(-1)).toEqual(text);
    expect((await run.control.status()).notInFrontOf).toMatchObject([{ path: other }]);
  });
});

describe.skipIf(!isLinux)('the notifications of a run (Linux only)', () => {
  /** A desktop whose notifications land in a file, an argument a line. */
  function desktop() {
    const place = runPlace();
    const bin = join(place.folder, 'bin');
    const shown = join(place.folder, 'shown');
    mkdirSync(bin);
    chmodSync(place.file('bin/notify-send', `#!/bin/sh\nprintf '%s\\n' "$@" >> '${shown}'\n`), 0o755);
    const env = { DISPLAY: ':0', PATH: `${bin}:/usr/bin:/bin` };
    const lines = (): string[] =>
      existsSync(shown) ? readFileSync(shown, 'utf8').trimEnd().split('\n') : [];
    return { place, env, lines };
  }

  it.each([
    ['echo deny', { evt: 'ERROR', data: { code: 5000 } }],
    // Not before anybody can have read it.
    ['sleep 0.8; echo allow', { evt: null, data: { code: expect.any(String) } }],
  ])('answer a request by their buttons (%s)', async (press, expected) => {
    const { place, env } = desktop();
    await listenOn({ path: join(place.folder, 'bus') });
    const programs = { busctl: `echo '{"data":[["body","actions"]]}'`, 'notify-send': press };
    for (const [name, script] of Object.entries(programs))
      chmodSync(place.file(`bin/${name}`, `#!/bin/sh\n${script}\n`), 0o755);
    const run = await bridgeRun({ place, env: { ...env, FOOTBRIDGE_NOTIFICATIONS: 'true' } });
    const answer = (await run.app()).call('AUTHORIZE', authorize);
    expect(await answer).toMatchObject(expected);
  });

  it('show each request', async () => {
    const { place, env, lines } = desktop();
    const run = await bridgeRun({ place, env: { ...env, FOOTBRIDGE_NOTIFICATIONS: 'true' } });
    (await run.app()).request('AUTHORIZE', authorize);
    await expect.poll(lines).toHaveLength(4);
    const [waiting] = (await run.control.call('requests.list')) as { readonly id: string }[];
    expect(lines()[3]).toContain(`footbridge approve ${waiting?.id}`);
  });
});
