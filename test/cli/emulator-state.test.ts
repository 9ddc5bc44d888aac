import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { ids } from '../helpers/emulator-world.ts';
import { addBot, botToken } from '../helpers/gateway-bot.ts';
import { fakeIo } from './fake-io.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The command line in this process, against a private bridge. */
async function bench(fixture?: string) {
  const emulator = await startEmulator({ consent: 'allow', ...(fixture === undefined ? {} : { fixture }) });
  onTestFinished(() => emulator.close());
  const run = async (...argv: readonly string[]) => {
    const io = fakeIo(emulator.env);
    const code = await runProgram(argv, commandTable, io);
    return { code, stdout: io.stdout(), stderr: io.stderr() };
  };
  const state = async () => (await run('emulator', 'export', '-')).stdout;
  return { emulator, run, state };
}

describe('state files', () => {
  it('transfer a whole emulator state, also to a bridge that starts from one', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'world.jsonl');
    const { run, state } = await bench();
    await run('emulator', 'say', 'general', 'carried over');
    expect(await run('emulator', 'export', file)).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe(await state());
    expect(statSync(file).mode & 0o777).toBe(0o600);

    await run('emulator', 'reset');
    expect(await state()).not.toContain('carried over');
    const records = readFileSync(file, 'utf8').trimEnd().split('\n').length - 1;
    expect(await run('emulator', 'import', file)).toEqual({
      code: 0,
      stdout: `${records} records are imported.\n`,
      stderr: '',
    });
    expect(await state()).toBe(readFileSync(file, 'utf8'));

    const other = await bench(file);
    expect(await other.state()).toBe(readFileSync(file, 'utf8'));
  });

  it('are written through a link, with a JSON summary on stdout', async () => {
    const folder = temporaryFolder();
    const { run } = await bench();
    const real = join(folder, 'real.jsonl');
    writeFileSync(real, '');
    symlinkSync(real, join(folder, 'link.jsonl'));
    const { stdout } = await run('emulator', 'export', join(folder, 'link.jsonl'), '--json');
    expect(JSON.parse(stdout)).toEqual({ file: real, records: expect.any(Number) as number });
    expect(readFileSync(real, 'utf8')).toMatch(/^\{"footbridge":"state"/);
    expect(JSON.parse((await run('emulator', 'import', real, '--json')).stdout)).toEqual({ changes: 0 });
  });

  it('are not written to a path that is no regular file', async () => {
    const folder = temporaryFolder();
    const { run } = await bench();
    mkdirSync(join(folder, 'folder'));
    for (const path of [join(folder, 'folder'), '/dev/null', join(folder, 'none', 'file')]) {
      const { code, stderr } = await run('emulator', 'export', path);
      expect(code).toBe(78);
      expect(stderr).toMatch(/^.*cannot be written: it[^\n]* - for stdout\.\n$/);
    }
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('with any error are rejected by import in one line, with the state unchanged', async () => {
    const folder = temporaryFolder();
    const { run, state } = await bench();
    await run('emulator', 'say', 'general', 'still here');
    const before = await state();
    const file = (name: string, content: string | Uint8Array): string => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    mkdirSync(join(folder, 'folder'));
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    const large = join(folder, 'large');
    writeFileSync(large, '');
    truncateSync(large, 200 * 1024 * 1024);
    const lines = before.trimEnd().split('\n');
    const cases: readonly (readonly [string, RegExp])[] = [
      [join(folder, 'none'), /ENOENT/],
      [join(folder, 'folder'), /only a regular file/],
      [join(folder, 'fifo'), /only a regular file/],
      [large, /larger than 134217728 characters/],
      [file('utf8', Buffer.from([0x7b, 0xff, 0xfe])), /not UTF-8/],
      [file('toml', 'me = "1"\n'), /line 1: is no exported state/],
      [file('version', before.replace('"version":1', '"version":9')), /version 9 of the format/],
      [file('half', lines.slice(0, 12).join('\n')), /the file is not whole/],
      [
        file('author', before.replace(/"author":"\d+"/, '"author":"5"')),
        /line \d+: messages\.author: names no user/,
      ],
    ];
    for (const [path, reason] of cases) {
      const { code, stdout, stderr } = await run('emulator', 'import', path);
      expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
      expect(stderr).toMatch(reason);
      expect(stderr).toContain(path);
      expect(stderr.trimEnd()).not.toContain('\n');
    }
    expect(await state()).toBe(before);
    // A bridge does not start with such a file, either, and says the same.
    await expect(startEmulator({ fixture: join(folder, 'author') })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_FIXTURE',
      message: expect.stringMatching(/author: line \d+: messages\.author: names no user/) as string,
    });
  }, 120_000);
});

it('emulator export counts files that a cleaner has removed, on stderr and with --json', async () => {
  const temporary = temporaryFolder();
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { emulator, run } = await bench();
  await addBot(emulator, ids.harbourExample, ids.riverBank, []);
  const form = new FormData();
  form.set('payload_json', JSON.stringify({ content: 'the tide' }));
  form.set('files[0]', new Blob(['high']), 'tide.txt');
  form.set('files[1]', new Blob(['low']), 'ebb.txt');
  const headers = { authorization: `Bot ${botToken(ids.harbourExample)}` };
  const url = `${emulator.api}/v10/channels/${ids.general}/messages`;
  expect((await fetch(url, { method: 'POST', headers, body: form })).status).toBe(200);
  const file = join(temporaryFolder(), 'world.jsonl');
  const whole = await run('emulator', 'export', file);
  expect(whole).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(file, 'utf8').split('\n', 1)[0]).not.toContain('lost');

  const stored = readdirSync(temporary, { recursive: true, withFileTypes: true }).filter(
    (one) => one.isFile() && /^[0-9a-f]{32,}$/.test(one.name),
  );
  expect(stored).toHaveLength(2);
  for (const one of stored) rmSync(join(one.parentPath, one.name));
  const warning = expect.stringMatching(
    /^2 files of the state have no bytes .*: their records are exported .*\n$/,
  );
  const lost = await run('emulator', 'export', file);
  expect(lost).toMatchObject({ code: 0, stdout: expect.stringContaining('records are in'), stderr: warning });
  const header = JSON.parse(readFileSync(file, 'utf8').split('\n', 1)[0] ?? '') as object;
  expect(header).toMatchObject({ footbridge: 'state', lost: 2 });
  const json = await run('emulator', 'export', file, '--json');
  expect([JSON.parse(json.stdout), json.stderr]).toEqual([expect.objectContaining({ lost: 2 }), warning]);
  expect(await run('emulator', 'export', '-')).toMatchObject({ code: 0, stderr: warning });
  // The rest can be imported again, which is told each time, and so is the next export.
  const told = expect.stringMatching(
    /^2 files of the state have no bytes .*: their records are imported, .*\n$/,
  );
  expect(await run('emulator', 'import', file)).toMatchObject({ code: 0, stderr: told });
  expect(await run('emulator', 'export', file)).toMatchObject({ code: 0, stderr: warning });
  const imported = await run('emulator', 'import', file, '--json');
  expect([JSON.parse(imported.stdout), imported.stderr]).toEqual([
    expect.objectContaining({ lost: 2 }),
    told,
  ]);

  // A bridge that begins with it says so as well.
  const next = await bench(file);
  expect((await next.run('emulator', 'export', '-')).stderr).toEqual(warning);
  // The bytes of one come again.
  const again = new FormData();
  again.set('files[0]', new Blob(['high']), 'tide.txt');
  expect((await fetch(url, { method: 'POST', headers, body: again })).status).toBe(200);
  expect((await run('emulator', 'export', file)).stderr).toMatch(
    /^1 file of the state has no bytes .*: its record is exported/,
  );
});
