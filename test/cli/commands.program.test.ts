import type { SpawnOptions } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { duration } from '../../src/cli/commands/status.ts';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { type Client, connect } from '../../src/client/index.ts';
import { startEmulator, type TestEmulator } from '../../src/testing/testing.ts';
import { fakeIo } from './fake-io.ts';
import { footbridge, startDaemonProcess, startFootbridge, temporaryPlace } from './spawn.ts';

const APP = '300000000000000001';

/** The command line in this process, against a private bridge. */
async function bench(consent: 'ask' | 'allow' = 'allow') {
  const emulator = await startEmulator({ consent });
  onTestFinished(() => emulator.close());
  const run = async (argv: readonly string[], stdin = '') => {
    const io = fakeIo(emulator.env, stdin);
    const code = await runProgram(argv, commandTable, io);
    return { code, stdout: io.stdout(), stderr: io.stderr() };
  };
  const json = async (...argv: readonly string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await run([...argv, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trimEnd()).not.toContain('\n');
    return JSON.parse(stdout);
  };
  /** A request of another process: no program may approve its own. */
  const ask = () => {
    const place = temporaryPlace();
    return startFootbridge({ ...place, env: { ...place.env, ...emulator.env } }, [
      'call',
      'AUTHORIZE',
      authorize,
    ]).ended;
  };
  return { emulator, run, json, ask };
}

/** A client that has authenticated, and ends with the test. */
async function authenticated({ endpoint, api }: TestEmulator, clientId: string): Promise<Client> {
  const client = await connect({ clientId, paths: [endpoint], reconnect: false });
  onTestFinished(() => client.close());
  const { code } = await client.request('AUTHORIZE', {
    client_id: clientId,
    scopes: ['identify', 'rpc'],
  });
  const form = { grant_type: 'authorization_code', code, client_id: clientId, client_secret: 'any' };
  const response = await fetch(`${api}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) });
  await client.authenticate(((await response.json()) as { access_token: string }).access_token);
  return client;
}

/** For a process to start on a busy machine. */
const patience = { timeout: 20_000 };

const authorize = JSON.stringify({ client_id: APP, scopes: ['identify', 'rpc'] });

describe('without a daemon', () => {
  const env = () => ({ XDG_RUNTIME_DIR: temporaryPlace().folder });

  it.each([
    ['requests'],
    ['approve', 'abcde'],
    ['deny', 'abcde'],
    ['grants'],
    ['revoke', 'abcde'],
    ['emulator', 'voice', 'set', 'mute', 'true'],
    ['emulator', 'guild', 'set', '1', 'name', 'x'],
    ['emulator', 'reset'],
    ['emulator', 'ask-link', '1'],
    ['call', 'GET_GUILDS'],
  ])('%s %s exits with 69 and names the remedy', async (...argv) => {
    const io = fakeIo(env());
    expect(await runProgram(argv, commandTable, io)).toBe(69);
    expect(io.stderr()).toContain('footbridge run');
    expect(io.stdout()).toBe('');
  });

  it('status reports that no bridge runs and exits with 4', async () => {
    const { env: own } = temporaryPlace();
    for (const argv of [['status'], ['status', '--json']]) {
      const io = fakeIo(own);
      expect(await runProgram(argv, commandTable, io)).toBe(4);
      expect(io.stderr()).toBe('');
      expect(io.stdout()).toContain(argv.length > 1 ? '"running":false' : 'footbridge install');
    }
  });

  it('emulator show prints the built-in fixture and names it on stderr', async () => {
    const { parseFixture } = await import('../../src/emulator/compose/fixture/toml.ts');
    const { defaultFixture } = await import('../../src/emulator/compose/fixture/default.ts');
    const io = fakeIo(env());
    expect(await runProgram(['emulator', 'show', '--toml'], commandTable, io)).toBe(0);
    expect(io.stderr()).toContain('built-in');
    expect(await parseFixture(io.stdout(), 'out')).toEqual(defaultFixture());
  });
});

describe('against a running bridge', () => {
  it('status prints the state of the bridge', async () => {
    const { run, json, emulator } = await bench();
    const status = await json('status');
    expect(status).toMatchObject({
      pid: process.pid,
      core: { name: 'emulator', api: emulator.api },
      sessions: [],
      executable: process.execPath,
    });
    const { stdout } = await run(['status']);
    expect(stdout).toContain(emulator.endpoint);
    expect(stdout).toContain(`pid ${process.pid}`);
  });

  it('requests lists pending requests, and approve and deny answer them', async () => {
    const { run, json, ask } = await bench('ask');
    expect((await run(['requests'])).stdout).toBe('No request waits for you.\n');
    const list = async () => (await json('requests')) as { id: string; clientId: string }[];

    const first = ask();
    await expect.poll(list, patience).toHaveLength(1);
    const [request] = await list();
    expect((await run(['requests'])).stdout).toContain(`Request ${request?.id}`);
    expect(await json('approve', request?.id ?? '')).toMatchObject({ id: request?.id, answer: 'allow' });
    expect(JSON.parse((await first).stdout)).toHaveProperty('code');

    const second = ask();
    await expect.poll(list, patience).toHaveLength(1);
    const denied = await run(['deny', (await list())[0]?.id ?? '']);
    expect(denied).toMatchObject({ code: 0, stdout: 'Denied: Harbour Example\n' });
    expect(await second).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('AUTHORIZE failed: 5000'),
    });
  });

  it('approve --always stores the approval', async () => {
    const { run, json, ask } = await bench('ask');
    const first = ask();
    await expect.poll(() => json('requests'), patience).toHaveLength(1);
    const [request] = (await json('requests')) as { id: string }[];
    await run(['approve', request?.id ?? '', '--always']);
    expect((await first).code).toBe(0);
    expect((await run(['call', 'AUTHORIZE', authorize])).code).toBe(0);
    expect(await json('grants')).toEqual([expect.objectContaining({ clientId: APP, always: true })]);
  });

  it.each(['approve', 'deny', 'revoke'])('%s rejects an empty id', async (command) => {
    const { run } = await bench();
    expect(await run([command, ''])).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/^footbridge: ID is empty: the (request|grant), as /),
    });
  });

  it('approve reports that no pending request has the id', async () => {
    const { run } = await bench();
    expect(await run(['approve', 'nope1'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nope1'),
    });
  });

  it('grants lists grants, and revoke removes them', async () => {
    const { run, json } = await bench();
    expect((await run(['grants'])).stdout).toBe('No app has a permission.\n');
    await run(['call', 'AUTHORIZE', authorize]);
    const [grant] = (await json('grants')) as { id: string }[];
    expect((await run(['grants'])).stdout).toMatch(/identify rpc/);
    expect((await run(['revoke', grant?.id ?? ''])).stdout).toBe(
      `Revoked: ${grant?.id} of river for Harbour Example, 0 tokens; 0 sessions are closed.\n`,
    );
    expect(await json('grants')).toEqual([]);
    expect((await run(['revoke', grant?.id ?? ''])).code).toBe(1);
  });

  it('revoke names the grants, tokens and sessions that it removes with a grant, and no others', async () => {
    const { emulator, run, json } = await bench();
    const other = '300000000000000002';
    const app = await authenticated(emulator, APP);
    const stays = await authenticated(emulator, other);
    await run(['call', 'AUTHORIZE', JSON.stringify({ client_id: APP, scopes: ['guilds'] })]);
    const listed = (await json('grants')) as { id: string; clientId: string; username: string }[];
    const [first = '', second = '', ...more] = listed
      .filter(({ clientId }) => clientId === APP)
      .map(({ id }) => id);
    expect(more).toEqual([]);
    expect((await run(['revoke', second])).stdout).toBe(
      `Revoked: ${second} and 1 other grant (${first}) of river for Harbour Example, 1 token; 1 session is closed.\n`,
    );
    await expect.poll(() => app.state, patience).toBe('closed');
    const [kept] = (await json('grants')) as { id: string; clientId: string }[];
    expect(kept?.clientId).toBe(other);
    expect(await json('revoke', kept?.id ?? '')).toMatchObject({
      revoked: kept?.id,
      stored: true,
      username: 'river',
      clientId: other,
      otherGrants: [],
      tokens: 1,
      sessions: 1,
    });
    await expect.poll(() => stays.state, patience).toBe('closed');
    expect((await run(['revoke', '--help'])).stdout).toContain('every other grant of the same user');
  });

  it('grants names the user of each grant, also after another user is logged in', async () => {
    const { run, json } = await bench();
    await run(['call', 'AUTHORIZE', authorize]);
    await run(['emulator', 'user', 'switch', 'heron']);
    await run(['call', 'AUTHORIZE', authorize]);
    const [head = '', ...rows] = (await run(['grants'])).stdout.trimEnd().split('\n');
    const at = head.indexOf('USER');
    expect(rows.map((row) => row.slice(at).split(' ')[0])).toEqual(['river', 'heron']);
    expect(await json('grants')).toMatchObject([{ username: 'river' }, { username: 'heron' }]);
  });

  it('grants and revoke include client credentials and child tokens of a publisher', async () => {
    const { emulator, run, json } = await bench('ask');
    const game = '310000000000000001';
    const applications = [
      { id: APP, secret: 'written down' },
      { id: game, name: 'Game', parent: APP },
    ];
    await emulator.operations.call('emulator.apply', { patch: { applications } });
    const post = async (path: string, headers: Record<string, string>, body: string) =>
      (await (await fetch(`${emulator.api}${path}`, { method: 'POST', headers, body })).json()) as {
        access_token: string;
      };
    const form = { grant_type: 'client_credentials', client_id: APP, client_secret: 'written down' };
    const type = 'application/x-www-form-urlencoded';
    const asked = String(new URLSearchParams({ ...form, scope: 'identify guilds' }));
    const { access_token } = await post('/oauth2/token', { 'content-type': type }, asked);
    const child = { parent_access_token: access_token, child_application_id: game };
    const shown = JSON.stringify({ ...child, parent_client_secret: form.client_secret });
    await post('/partner-sdk/child-token', { 'content-type': 'application/json' }, shown);
    const { stdout } = await run(['grants']);
    expect(stdout).toMatch(/client credentials .* once +a configured secret +identify guilds/);
    expect(stdout).toMatch(/Game +child token .* once +its publisher +identify guilds/);
    const grants = (await json('grants')) as { id: string; clientId: string }[];
    const id = grants.find(({ clientId }) => clientId === game)?.id ?? '';
    expect((await run(['revoke', id])).stdout).toMatch(/^Revoked: \S+ of river for Game, 1 token; /);
    expect(await json('grants')).toMatchObject([{ clientId: APP }]);
  });

  it('grants prints how long each grant lasts', async () => {
    const { run, json, ask } = await bench('ask');
    /** Waits for the request of another process, and allows it. */
    const allowed = async (...always: readonly string[]): Promise<void> => {
      const asked = ask();
      await expect.poll(() => json('requests'), patience).toHaveLength(1);
      const [request] = (await json('requests')) as { id: string }[];
      await run(['approve', request?.id ?? '', ...always]);
      expect((await asked).code).toBe(0);
    };
    const howLong = async (): Promise<string> => {
      const [head = '', row = ''] = (await run(['grants'])).stdout.split('\n');
      const at = head.indexOf('HOW LONG');
      expect(at).toBeGreaterThan(0);
      return row.slice(at, head.indexOf('DECIDED BY')).trim();
    };
    await allowed();
    expect(await howLong()).toBe('once');
    await allowed('--always');
    expect(await howLong()).toBe('always');
  });

  it('emulator commands change the state of the emulator', async () => {
    const { run, json } = await bench();
    expect(await json('emulator', 'voice', 'set', 'input.volume', '55')).toMatchObject({
      input: { volume: 55 },
    });
    expect((await run(['emulator', 'voice', 'set', 'mode.threshold', '-60'])).stdout).toBe('Done.\n');
    expect(await run(['emulator', 'voice', 'set', 'input.volume', '900'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('input.volume'),
    });
    const [guild] = ((await json('emulator', 'show')) as { guilds: { id: string }[] }).guilds;
    expect(await json('emulator', 'guild', 'set', guild?.id ?? '', 'name', 'New')).toMatchObject({
      name: 'New',
    });
    expect((await run(['emulator', 'show', '--toml'])).stdout).toContain('name = "New"');
    expect((await run(['emulator', 'reset'])).stdout).toContain('Changed: ');
    expect((await run(['emulator', 'reset'])).stdout).toBe('Nothing changed.\n');
    expect((await run(['emulator', 'show', '--toml', '--json'])).code).toBe(64);
  });

  it('emulator apply applies a patch from a file or stdin', async () => {
    const { run, emulator } = await bench();
    const path = join(emulator.folder, 'patch.json');
    writeFileSync(path, '{"voice":{"deaf":true}}');
    expect((await run(['emulator', 'apply', path, '--json'])).stdout).toContain('voice updated');
    expect((await run(['emulator', 'apply', '-'], '{"voice":{"deaf":false}}')).stdout).toContain(
      'voice updated',
    );
    const two = '{"users":[{"id":"1001","username":"gull"},{"id":"1002","username":"tern"}]}';
    expect((await run(['emulator', 'apply', '-'], two)).stdout).toBe('Changed: users created (2 times)\n');
    expect(await run(['emulator', 'apply', '-'], '{"voicee":{}}')).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('voicee'),
    });
    expect(await run(['emulator', 'apply', '-'], '{"secret":"canary"')).toMatchObject({
      code: 78,
      stderr: 'footbridge: stdin: the patch is not JSON. Give an object such as {"voice": {"mute": true}}.\n',
    });
    expect(await run(['emulator', 'apply', join(emulator.folder, 'nope')])).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('nope: cannot be read: there is no such file or folder (ENOENT)'),
    });
  });

  it.each(['attach x', 'attached', 'detach x'])(
    '%s reports that it needs the core "attach"',
    async (line) => {
      const { run } = await bench();
      expect(await run(line.split(' '))).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          'This bridge runs the core "emulator", and only the core "attach" can do that. End it, and start: footbridge run --core attach',
        ),
      });
    },
  );

  it('ask-link sends a link request to an application until it is linked', async () => {
    const { run, json } = await bench();
    expect(await json('emulator', 'ask-link', APP)).toMatchObject({ sessions: 0, linked: false });
    expect((await run(['emulator', 'ask-link', APP])).stdout).toBe('Sent to 0 sessions.\n');
    await run(['call', 'AUTHORIZE', authorize]);
    expect((await run(['emulator', 'ask-link', APP])).stdout).toContain('Already linked');
  });
});

describe('call', () => {
  it('reads arguments from argv, a file and stdin', async () => {
    const { run, emulator } = await bench();
    const activity = '{"pid":1,"activity":{"state":"hello"}}';
    const path = join(emulator.folder, 'args.json');
    writeFileSync(path, activity);
    for (const [word, stdin] of [
      [activity, ''],
      [`@${path}`, ''],
      ['-', activity],
    ] as const) {
      const { code, stdout } = await run(['call', 'SET_ACTIVITY', word], stdin);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ state: 'hello' });
    }
  });

  it('authenticates with a token from a file', async () => {
    const { run, emulator } = await bench();
    const { code } = JSON.parse((await run(['call', 'AUTHORIZE', authorize])).stdout) as { code: string };
    const response = await fetch(`${emulator.api}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        client_id: APP,
        client_secret: 'x',
      }),
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    const path = join(emulator.folder, 'token');
    writeFileSync(path, `${token}\n`);
    expect((await run(['call', 'GET_GUILDS', '--token-file', path])).stdout).toContain('"guilds"');
    expect((await run(['call', 'GET_GUILDS', '--token-file', '-'], token)).code).toBe(0);
    const wrong = await run(['call', 'GET_GUILDS', '--token-file', '-'], `${token}x`);
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('AUTHENTICATE failed: 4009') });
    expect(wrong.stderr).not.toContain(token);
  });

  it('prints an ERROR on stderr', async () => {
    const { run } = await bench();
    expect(await run(['call', 'NOPE'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^footbridge: NOPE failed: 4002 /),
    });
  });

  it('connects as the application of --client-id', async () => {
    const { run } = await bench();
    expect(await run(['call', 'SET_ACTIVITY', '{"pid":1}', '--client-id', 'abc'])).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('--client-id: "abc" is not a decimal id'),
    });
    expect((await run(['call', 'SET_ACTIVITY', '{"pid":1}', '--client-id', '7'])).code).toBe(0);
  });

  it.each([
    [['call', 'AUTHENTICATE', '{"access_token":"canary"}'], 'Other programs can read a token'],
    [['call', 'X', '{"canary"'], 'is not JSON: it ends too early'],
    [['call', 'X', '{bad'], 'is not JSON: see character 2'],
    [['call', 'X', '-', '--token-file', '-'], 'Only one of'],
    [['call', 'X', '--timeout', 'soon'], '--timeout: "soon" is not a number of seconds'],
    [['call', 'X', '--timeout', '0'], 'is not a number of seconds'],
    [['call', 'X', '--timeout', '-1'], 'is not a number of seconds'],
    [['call', 'X', '--endpoint', ''], '--endpoint: "" is not the path of a socket or pipe'],
  ])('rejects %j with 64', async (argv, message) => {
    const io = fakeIo({ XDG_RUNTIME_DIR: temporaryPlace().folder });
    expect(await runProgram(argv, commandTable, io)).toBe(64);
    expect(io.stderr()).toContain(message);
    expect(io.stderr()).not.toContain('canary');
  });
});

it.skipIf(process.platform !== 'linux')(
  'each command reports in one line that its output cannot be written (Linux only: needs /dev/full)',
  async () => {
    const fd = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(fd));
    const io: SpawnOptions = { stdio: ['ignore', fd, 'pipe'] };
    const stderr = 'footbridge: the output could not be written: the disk is full (ENOSPC)\n';
    const commands = [['schema'], ['--help'], ['status', '--json'], ['conformance', 'server', '--list']];
    for (const argv of commands) {
      const { ended } = startFootbridge(temporaryPlace(), argv, io);
      expect(await ended, argv.join(' ')).toMatchObject({ stderr });
      expect((await ended).code, argv.join(' ')).not.toBe(0);
    }
  },
);

it.skipIf(process.platform !== 'linux')(
  'watch exits when its output cannot be written (Linux only: needs /dev/full)',
  async () => {
    const place = temporaryPlace();
    await startDaemonProcess(place, '--consent', 'allow');
    const fd = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(fd));
    const { ended } = startFootbridge(place, ['watch'], { stdio: ['ignore', fd, 'pipe'] });
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    // Something has to pass for it to write.
    while (!isOver) await footbridge(place, 'call', 'GET_USER');
    expect(await ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the disk is full (ENOSPC)\n'),
    });
  },
);

it.skipIf(process.platform !== 'linux')(
  'a bridge reports that its ready line cannot be written, and serves (Linux only: needs /dev/full)',
  async () => {
    const place = temporaryPlace();
    const fd = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(fd));
    const argv = ['run', '--json', '--http-port', '0', '--consent', 'allow'];
    const bridge = startFootbridge(place, argv, { stdio: ['ignore', fd, 'pipe'] });
    expect(await bridge.stderrWith('stdout could not be written')).toContain('the disk is full (ENOSPC)');
    expect(await footbridge(place, 'status')).toMatchObject({ code: 0 });
  },
);

it.each([
  [['emulator', 'fault', 'add', 'drop', '--count', '0'], '--count: must be at least 1.'],
  [['call', 'GET_USER', '[]'], 'GET_USER failed: 4000 args: must be an object'],
])('footbridge describes the wrong argument of %j in its own message', async (argv, text) => {
  const { run } = await bench();
  expect((await run(argv)).stderr).toMatch(new RegExp(`^footbridge: ${text}`));
});

describe('config show', () => {
  it('prints every key, value, origin and meaning', async () => {
    const { folder } = temporaryPlace();
    const path = join(folder, 'footbridge.toml');
    mkdirSync(join(folder, 'w'));
    writeFileSync(path, 'consent = "deny"\n[limits]\nconnections = 7\n');
    const env = { FOOTBRIDGE_HTTP_PORT: '77' };
    const human = fakeIo(env);
    expect(await runProgram(['config', 'show', '--config', path], commandTable, human)).toBe(0);
    const line = (key: string) =>
      human
        .stdout()
        .split('\n')
        .find((text) => text.startsWith(`${key} `)) ?? '';
    expect(line('consent')).toMatch(new RegExp(`"deny" +file ${path} +answer to an app`));
    expect(line('http_port')).toMatch(/77 +environment FOOTBRIDGE_HTTP_PORT +port of /);
    expect(line('limits.connections')).toMatch(/ 7 +file /);
    expect(line('index')).toMatch(/"auto" +default +number of the endpoint/);
    const json = fakeIo(env);
    await runProgram(['config', 'show', '--config', path, '--json'], commandTable, json);
    const { file, keys } = JSON.parse(json.stdout()) as { file: string; keys: { key: string }[] };
    expect(file).toBe(path);
    expect(keys).toContainEqual({
      key: 'http_port',
      value: 77,
      origin: { kind: 'environment', where: 'FOOTBRIDGE_HTTP_PORT' },
      about: expect.stringMatching(/^port of the emulator/),
    });
    expect(keys.length).toBe(human.stdout().trimEnd().split('\n').length - 3);
  });

  it.each([
    ['FOOTBRIDGE_CONSENT', 'alow', 78, 'is not one of ask, allow, deny'],
    ['FOOTBRIDGE_CONSNT', 'allow', 64, 'Did you mean "FOOTBRIDGE_CONSENT"?'],
    ['FOOTBRIDGE_DATA_DIR', '', 0, ''],
  ])('prints file and defaults beside the error of %s=%s', async (name, value, code, error) => {
    const path = join(temporaryPlace().folder, 'footbridge.toml');
    writeFileSync(path, 'journal = false\n');
    const show = async (text: string) => {
      writeFileSync(path, text);
      const io = fakeIo({ [name]: value, FOOTBRIDGE_CONFIG: path, FOOTBRIDGE_HTTP_PORT: '77' });
      return {
        code: await runProgram(['config', 'show'], commandTable, io),
        out: io.stdout(),
        err: io.stderr(),
      };
    };
    const shown = await show('journal = false\n');
    expect(shown).toMatchObject({ code, err: expect.stringContaining(error) });
    expect(shown.out).toMatch(new RegExp(`^journal +false +file ${path}`, 'm'));
    expect(shown.out).toContain(`File: ${path}\n`);
    expect(shown.out.includes('Variables: FOOTBRIDGE_… are not valid and not used')).toBe(code !== 0);
    expect(shown.out).toMatch(code === 0 ? /^http_port +77 /m : /^core +"emulator" +default/m);
    const both = await show('journal = no\n');
    expect(both.code).not.toBe(0);
    expect(both.out).toContain(`File: ${path} is not valid and not used`);
  });

  it('keeps its columns narrow beside a long list of endpoints', async () => {
    const path = join(temporaryPlace().folder, 'footbridge.toml');
    const table = (name: string) => `[[endpoints]]\nname = "${name}"\npath = "/tmp/box/${name}"\n`;
    writeFileSync(path, ['a', 'b', 'c'].map(table).join(''));
    const io = fakeIo({});
    await runProgram(['config', 'show', '--config', path], commandTable, io);
    const lines = io.stdout().split('\n');
    expect(lines.find((line) => line.startsWith('endpoints '))?.length).toBeGreaterThan(200);
    const meaning = (start: string) =>
      lines.find((line) => line.startsWith(start))?.search(/MEANING|client core that/);
    expect(meaning('KEY ')).toBe(meaning('core '));
    expect(meaning('KEY ')).toBeLessThan(160);
  });

  it.each([
    ['consent = maybe', 'line 1, column'],
    ['consnt = "deny"', 'did you mean "consent"?'],
    ['index = 77', '77 is not'],
    ['[[endpoints]]\nname = "a b"', 'endpoints 1'],
  ])('prints flags, variables and defaults beside the error of a file with %j', async (text, error) => {
    const path = join(temporaryPlace().folder, 'footbridge.toml');
    writeFileSync(path, `${text}\n`);
    const show = async (...more: readonly string[]) => {
      const io = fakeIo({ FOOTBRIDGE_HTTP_PORT: '77' });
      const code = await runProgram(['config', 'show', '--config', path, ...more], commandTable, io);
      return { code, stdout: io.stdout(), stderr: io.stderr() };
    };
    const human = await show();
    expect(human).toMatchObject({ code: 78, stderr: expect.stringContaining(error) });
    expect(human.stdout).toMatch(/http_port +77 +environment FOOTBRIDGE_HTTP_PORT/);
    expect(human.stdout).toContain(`File: ${path} is not valid and not used`);
    expect(human.stdout).not.toContain('Variables:');
    const json = await show('--json');
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
      78,
      { file: null, error: expect.stringContaining(error), keys: expect.any(Array) },
    ]);
  });
});

it.each([
  [0, '0s'],
  [59, '59s'],
  [61, '1m 1s'],
  [3600, '1h'],
  [90_061, '1d 1h'],
])('duration renders %i seconds as %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});
