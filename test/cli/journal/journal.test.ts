import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { commandTable } from '../../../src/cli/table.ts';
import { readRecord } from '../../../src/record/read.ts';
import { startEmulator } from '../../../src/testing/testing.ts';
import { AppPeer } from '../../helpers/app-peer.ts';
import { rawPeer } from '../../helpers/raw-peer.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';
import { fakeIo } from '../fake-io.ts';

const APP = '300000000000000001';

/** The command line in this process, against a private bridge to which an app has connected. */
async function bench() {
  const emulator = await startEmulator({ consent: 'allow' });
  onTestFinished(() => emulator.close());
  const app = new AppPeer(await rawPeer(emulator.endpoint));
  await app.handshake(APP);
  await app.call('GET_SELECTED_VOICE_CHANNEL', {});
  const run = async (...argv: readonly string[]) => {
    const io = fakeIo(emulator.env);
    const code = await runProgram(argv, commandTable, io);
    return { code, stdout: io.stdout(), stderr: io.stderr() };
  };
  const session = ((await emulator.operations.call('journal.read', {})) as { entries: { session: string }[] })
    .entries[0]?.session;
  return { emulator, run, app, session: session ?? '' };
}

const lines = (text: string): { kind: string; seq: number; session?: string }[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; seq: number; session?: string });

describe('journal', () => {
  it('prints the entries as text and as one JSON value', async () => {
    const { run, session } = await bench();
    const { code, stdout, stderr } = await run('journal');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const said = stdout.trimEnd().split('\n');
    expect(said).toHaveLength(5);
    const line = (text: string) =>
      expect.stringMatching(new RegExp(`^\\d\\d:\\d\\d:\\d\\d\\.\\d{3}  ${session.slice(0, 8)}  ${text}$`));
    expect(said).toEqual([
      line('-> connects over ipc, pid \\d+'),
      line(`-> HANDSHAKE client_id=${APP}`),
      line('<- DISPATCH evt=READY'),
      line('-> GET_SELECTED_VOICE_CHANNEL nonce=\\S+'),
      line('<- GET_SELECTED_VOICE_CHANNEL nonce=\\S+ (?:ok|ERROR \\d+)'),
    ]);
    const json = JSON.parse((await run('journal', '--json')).stdout) as { kind: string }[];
    expect(json.map(({ kind }) => kind)).toEqual(['connect', 'frame', 'frame', 'frame', 'frame']);
  });

  it('prints a transcript, folded or full', async () => {
    const { run, emulator } = await bench();
    for (const _ of [1, 2]) await fetch(`${emulator.api}/v10/nothing`);
    const folded = (await run('journal', '--transcript')).stdout.trimEnd().split('\n');
    expect(folded).toHaveLength(6);
    expect(folded.at(-1)).toMatch(/^[\d:.]{12} {2}http {6}GET \/api\/v10\/nothing 404, got .* \(2 times\)$/);
    const full = (await run('journal', '--transcript', '--full')).stdout.trimEnd().split('\n');
    expect(full).toHaveLength(7);
    expect(await run('journal', '--full')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('--full: goes with --transcript.'),
    });
    expect(await run('journal', '--transcript', '--json')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('--transcript: goes without --ndjson, --har and --json.'),
    });
  });

  it('writes a private file and replaces regular files only', async () => {
    const { run } = await bench();
    const folder = temporaryFolder();
    const file = join(folder, 'talk.ndjson');
    writeFileSync(file, 'old', { mode: 0o644 });
    expect(await run('journal', '--ndjson', file)).toEqual({
      code: 0,
      stdout: `5 entries are in ${file}.\n`,
      stderr: '',
    });
    const written = lines(readFileSync(file, 'utf8'));
    expect(written).toHaveLength(7);
    expect(written[0]).toMatchObject({ footbridge: 'traffic', version: 2, core: 'emulator' });
    expect(written.at(-1)).toEqual({ end: { entries: 5 } });
    expect((await readRecord(file)).entries).toHaveLength(5);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse((await run('journal', '--har', file, '--json')).stdout)).toEqual({
      file,
      entries: 5,
      gone: 0,
    });
    expect(lines((await run('journal', '--ndjson', '-')).stdout)).toHaveLength(7);

    mkdirSync(join(folder, 'folder'));
    symlinkSync('/dev/null', join(folder, 'device'));
    for (const [path, reason] of [
      ['folder', 'it is no regular file'],
      ['device', 'it is no regular file'],
      ['absent/talk', 'its folder does not exist'],
    ] as const) {
      const where = join(folder, path);
      expect(await run('journal', '--har', where)).toEqual({
        code: 78,
        stdout: '',
        stderr: `footbridge: ${where}: cannot be written: ${reason}. Name a file in a folder that you may write to, or - for stdout.\n`,
      });
    }
    expect(await run('journal', '--har', file, '--ndjson', file)).toMatchObject({ code: 64, stdout: '' });
    expect(await run('journal', '--har', '')).toMatchObject({ code: 64, stdout: '' });
  });

  it('selects one session by its id or a prefix of the id', async () => {
    const { run, emulator, session } = await bench();
    const other = new AppPeer(await rawPeer(emulator.endpoint));
    await other.handshake(APP);
    for (const id of [session, session.slice(0, 8)]) {
      const { stdout } = await run('journal', '--ndjson', '-', '--session', id);
      expect(
        lines(stdout)
          .slice(1, -1)
          .map((entry) => entry.session),
      ).toEqual(Array.from({ length: 5 }, () => session));
    }
    for (const [id, reason] of [
      ['nope', 'there is no such session'],
      ['', 'more than one session begins with that'],
    ] as const) {
      for (const command of ['journal', 'watch']) {
        const { code, stdout, stderr } = await run(command, '--session', id);
        expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
        expect(stderr).toContain(`--session: "${id}": ${reason}. footbridge status lists`);
      }
    }
  });

  it('reports how many entries were dropped', async () => {
    const { run, emulator, app } = await bench();
    for (let count = 0; count < 2600; count += 1) await app.call('GET_SELECTED_VOICE_CHANNEL', {});
    const { last } = (await emulator.operations.call('journal.read', { limit: 1 })) as { last: number };
    expect(last).toBe(5205);
    const { stdout } = await run('journal');
    expect(stdout.split('\n')[0]).toBe('205 earlier ones are not kept any more');
    expect(stdout.trimEnd().split('\n')).toHaveLength(5001);
    const entries = lines((await run('journal', '--ndjson', '-')).stdout).slice(1, -1);
    expect([entries[0]?.seq, entries.at(-1)?.seq, entries.length]).toEqual([206, 5205, 5000]);
  });
});

describe('watch', () => {
  it.each([
    ['in JSON', ['--json'], (missing: number) => `{"kind":"dropped","entries":${missing}}\n`],
    [
      'in words',
      [],
      (missing: number) => `${missing} entries are missing here: they came faster than they could be read\n`,
    ],
  ])('reports how many entries a slow reader missed, %s', async (_, words, lineOf) => {
    const { emulator, app } = await bench();
    const gone = new AbortController();
    let goOn = (): void => {};
    const taken = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const io = { ...fakeIo(emulator.env), outClosed: gone.signal, outTaken: () => taken };
    const ended = runProgram(['watch', ...words], commandTable, io);
    await expect
      .poll(async () => {
        await app.call('GET_SELECTED_VOICE_CHANNEL', {});
        return io.stdout();
      })
      .toContain('\n');
    for (let count = 0; count < 2600; count += 1) await app.call('GET_SELECTED_VOICE_CHANNEL', {});
    const seen = io.stdout().trimEnd().split('\n').length;
    const { last } = (await emulator.operations.call('journal.read', { limit: 1 })) as { last: number };
    goOn();
    // All that is kept comes after the line that counts the rest.
    await expect.poll(() => io.stdout().trimEnd().split('\n').length).toBe(seen + 1 + 5000);
    const missing = Number(/(\d+)(?:\}| entries are missing)/.exec(io.stdout().split('\n')[seen] ?? '')?.[1]);
    expect(io.stdout().split('\n')[seen]).toBe(lineOf(missing).trimEnd());
    expect(missing).toBeGreaterThan(0);
    expect(missing).toBeLessThanOrEqual(last - 5000);
    gone.abort();
    expect([await ended, io.stderr()]).toEqual([0, '']);
  });
});
