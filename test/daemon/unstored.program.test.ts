import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, type TestContext } from 'vitest';
import type { ControlStatus } from '../../src/control/routes.ts';
import { createRuntime, type Daemon, type Runtime, startDaemon } from '../helpers/daemon.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import { diskFaults, fillDisk, mountSmallDisk } from '../helpers/small-disk.ts';
import { temporaryOf } from '../helpers/temporary-name.ts';

const APP = '300000000000000001';
const PAGE = 'http://localhost:3000';

/** A bridge with a data folder of its own, which the environment of the commands does not name. */
async function bridgeIn(data: string, ...args: readonly string[]): Promise<Daemon> {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  const all = ['--data-dir', data, '--http-port', '0', '--ws-port', 'off', '--consent', 'ask', ...args];
  const daemon = await startDaemon({ runtime, args: all });
  onTestFinished(async () => void (await daemon.stop()));
  return daemon;
}

function dataFolder(): string {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  const data = join(runtime.folder, 'own');
  mkdirSync(data, { mode: 0o700 });
  return data;
}

/** Lets an app ask, and answers with a command. */
async function answered(daemon: Daemon, ...answer: readonly string[]) {
  const asking = daemon.cli(['call', 'AUTHORIZE', JSON.stringify({ client_id: APP, scopes: ['identify'] })]);
  let id = '';
  await expect
    .poll(
      async () => {
        const [one] = (await daemon.json('requests')) as { id: string }[];
        id = one?.id ?? '';
        return id;
      },
      { timeout: PATIENCE_MS },
    )
    .not.toBe('');
  const ended = await daemon.cli([...answer.slice(0, 1), id, ...answer.slice(1)]);
  await asking;
  return ended;
}

const faults: Readonly<Record<string, (data: string, context: TestContext) => () => () => void>> = {
  'a full disk': (data, context) => {
    mountSmallDisk(data, context);
    return () => fillDisk(data);
  },
  'files whose new content has no place': (data) => () => {
    const places = ['emulator.json', 'origins.json'].map((name) => temporaryOf(join(data, name)));
    for (const path of places) mkdirSync(path);
    return () => {
      for (const path of places) rmSync(path, { recursive: true });
    };
  },
};

it.for(Object.keys(faults))(
  'decisions on %s hold, are answered as not stored, and are stored later',
  { timeout: 180_000 },
  async (name, context) => {
    const data = dataFolder();
    const begin = faults[name]?.(data, context);
    const daemon = await bridgeIn(data);
    const end = begin?.();
    const warning = new RegExp(
      `^footbridge: not stored: ${data}/\\S+ cannot be written: [^\\n]+ \\((?:ENOSPC|EEXIST)\\)[^\\n]* It holds until the bridge ends\\. [^\\n]+\\n$`,
    );
    // A denial is for one request, so nothing of it has to be stored.
    expect(await answered(daemon, 'deny')).toMatchObject({ code: 0, stderr: '' });
    const allowed = await answered(daemon, 'approve', '--always');
    expect(allowed).toMatchObject({ code: 74, stdout: 'Allowed: Harbour Example\n' });
    expect(allowed.stderr).toMatch(warning);
    const added = await daemon.cli(['origins', 'add', APP, PAGE]);
    expect(added).toMatchObject({ code: 74, stdout: expect.stringContaining(PAGE) });
    expect(added.stderr).toMatch(warning);

    const { unstored, places } = (await daemon.json('status')) as ControlStatus;
    expect(places).toMatchObject({ data });
    expect(unstored).toHaveLength(2);
    expect((await daemon.cli(['status'])).stdout).toMatch(new RegExp(`not stored +${data}/emulator\\.json`));
    const [grant] = (await daemon.json('grants')) as { id: string }[];
    expect((await daemon.cli(['grants'])).stderr).toContain(`not stored: ${data}/emulator.json`);
    const doctor = await daemon.cli(['doctor', '--json']);
    const { checks } = JSON.parse(doctor.stdout) as {
      checks: { id: string; verdict: string; evidence: string[] }[];
    };
    expect(checks.find(({ id }) => id === 'data-folder')).toMatchObject({
      verdict: 'failed',
      evidence: expect.arrayContaining([
        `not stored: ${unstored.find((line) => line.includes('emulator.json'))}`,
      ]),
    });
    expect(await daemon.cli(['revoke', grant?.id ?? ''])).toMatchObject({
      code: 74,
      stderr: expect.stringMatching(
        /not stored: .*(?:A restart does not restore|or the next start of the bridge restores)/,
      ),
    });
    expect(await answered(daemon, 'approve', '--always')).toMatchObject({ code: 74 });

    end?.();
    await expect
      .poll(async () => ((await daemon.json('status')) as ControlStatus).unstored, { timeout: 60_000 })
      .toEqual([]);
    expect(await daemon.cli(['origins', 'remove', APP, PAGE])).toMatchObject({ code: 0, stderr: '' });
    const [stored] = (await daemon.json('grants')) as { id: string }[];
    expect(await daemon.cli(['revoke', stored?.id ?? ''])).toMatchObject({ code: 0, stderr: '' });
  },
);

it.for(diskFaults)(
  'a pairing on $name is answered as not stored, and the file of the pairings stays',
  async ({ begin, reason }, context) => {
    const data = dataFolder();
    mountSmallDisk(data, context);
    const daemon = await bridgeIn(data, '--core', 'attach', '--attach-port', '0');
    const file = join(data, 'attached.json');
    expect(await daemon.cli(['attach', 'web'])).toMatchObject({ code: 0, stderr: '' });
    const before = readFileSync(file, 'utf8');
    const end = begin(data);
    expect(await daemon.cli(['attach', 'other'])).toMatchObject({
      code: 74,
      stdout: expect.stringContaining('code'),
      stderr: expect.stringContaining(`not stored: ${file} cannot be written: ${reason}`),
    });
    expect((await daemon.cli(['attached'])).stderr).toContain('not stored: ');
    expect(readFileSync(file, 'utf8')).toBe(before);
    end();
    expect(await daemon.cli(['attach', 'third'])).toMatchObject({ code: 0, stderr: '' });
    expect((await daemon.cli(['attached'])).stderr).toBe('');
  },
);

it('a pairing after the removal of the data folder makes the folder again', async () => {
  const data = dataFolder();
  const daemon = await bridgeIn(data, '--core', 'attach', '--attach-port', '0');
  expect(await daemon.cli(['attach', 'web'])).toMatchObject({ code: 0 });
  rmSync(data, { recursive: true });
  expect(await daemon.cli(['attach', 'other'])).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(data)).toContain('attached.json');
});

it('a revocation whose folder cannot be made again is answered as one that a restart restores', async () => {
  const data = join(dataFolder(), 'inner');
  const daemon = await bridgeIn(data);
  expect(await answered(daemon, 'approve', '--always')).toMatchObject({ code: 0, stderr: '' });
  rmSync(data, { recursive: true });
  writeFileSync(data, 'in the way');
  const [grant] = (await daemon.json('grants')) as { id: string }[];
  // Neither the state nor the mark of the revocation has a place.
  expect(await daemon.cli(['revoke', grant?.id ?? ''])).toMatchObject({
    code: 74,
    stderr: expect.stringMatching(
      /^footbridge: not stored: [^\n]+emulator\.json cannot be written: [^\n]+ or the next start of the bridge restores what was revoked\.\n$/,
    ),
  });
  rmSync(data);
  await expect
    .poll(async () => ((await daemon.json('status')) as ControlStatus).unstored, { timeout: 60_000 })
    .toEqual([]);
  expect(readFileSync(join(data, 'emulator.json'), 'utf8')).not.toContain(APP);
  expect(readdirSync(data).filter((name) => name.includes('revoked'))).toEqual([]);
});

it('a data folder that is removed while the bridge runs is made again', async () => {
  const data = dataFolder();
  const daemon = await bridgeIn(data);
  await daemon.cli(['origins', 'add', APP, 'http://localhost:4000']);
  rmSync(data, { recursive: true });
  expect(await answered(daemon, 'approve', '--always')).toMatchObject({ code: 0, stderr: '' });
  expect(await daemon.cli(['origins', 'add', APP, PAGE])).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(data)).toEqual(expect.arrayContaining(['emulator.json', 'origins.json']));
});

it('a bridge whose usual data folder is on a disk that can only be read answers that nothing is stored', async (context) => {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  mountSmallDisk(runtime.env['XDG_DATA_HOME'] ?? '', context, 'ro');
  await expectUnstored(runtime, 'EROFS');
});

it('a bridge whose usual data folder cannot be made answers that nothing is stored', async () => {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  const file = join(runtime.folder, 'file');
  writeFileSync(file, '');
  await expectUnstored(
    { ...runtime, env: { ...runtime.env, XDG_DATA_HOME: file } },
    'it, or what is above it',
  );
});

/** A decision in a bridge without a usable data folder is answered as not stored, with the reason. */
async function expectUnstored(runtime: Runtime, reason: string): Promise<void> {
  const args = ['--http-port', '0', '--ws-port', 'off', '--consent', 'ask'];
  const daemon = await startDaemon({ runtime, args });
  onTestFinished(async () => void (await daemon.stop()));
  const said = { code: 74, stderr: expect.stringContaining(reason) };
  expect(await answered(daemon, 'approve', '--always')).toMatchObject(said);
  expect(await daemon.cli(['origins', 'add', APP, PAGE])).toMatchObject(said);
  const { places, unstored } = (await daemon.json('status')) as ControlStatus;
  expect([places.data, unstored]).toEqual([null, [expect.stringContaining(reason)]]);
}
