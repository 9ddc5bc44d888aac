import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentFifo } from '../../helpers/fifo.ts';
import { footbridge, footbridgeCommand, startFootbridge, temporaryPlace } from '../spawn.ts';

/** A place whose temporary folders can be counted. */
function countedPlace() {
  const place = temporaryPlace();
  const temporary = join(place.folder, 't');
  mkdirSync(temporary);
  return {
    place: { ...place, env: { ...place.env, TMPDIR: temporary } },
    left: () => readdirSync(temporary).filter((name) => name.startsWith('footbridge-')),
  };
}

describe('footbridge emulate', () => {
  it('runs the command against its own bridge and returns the exit code of the command', async () => {
    const { place, left } = countedPlace();
    const script = `[ "$XDG_RUNTIME_DIR" != "${place.folder}" ] && [ -S "$XDG_RUNTIME_DIR/discord-ipc-0" ] && [ -n "$FOOTBRIDGE_API" ] && exit 7`;
    const { code, stdout } = await footbridge(place, 'emulate', '--', 'sh', '-c', script);
    expect(code).toBe(7);
    expect(stdout).toBe('');
    expect(left()).toEqual([]);
  });

  it('gives the command the token of the first application', async () => {
    const place = temporaryPlace();
    const world = join(place.folder, 'world.toml');
    const token = `${Buffer.from('2000000').toString('base64url')}.buoy.token`;
    const first = `{ id = "2000000", name = "Buoy", bot_token = "${token}" }`;
    const applications = `[${first}, { id = "30", name = "Tug" }]`;
    writeFileSync(
      world,
      `me = "1"\nusers = [{ id = "1", username = "ana" }]\napplications = ${applications}\n`,
    );
    const echo = ['--', 'sh', '-c', 'echo "$FOOTBRIDGE_BOT_TOKEN"'];
    const { stdout } = await footbridge(place, 'emulate', '--quiet', '--fixture', world, ...echo);
    expect(stdout).toBe(`${token}\n`);
  });

  it.each([
    ['', 0, 1],
    ['process.exitCode = 3', 3, 3],
  ])('fails with --strict where a rule is broken; a script that ends with %j', async (end, loose, strict) => {
    const script = `for (const _ of [1, 2]) await fetch(process.env.FOOTBRIDGE_API + '/v10/gateway?colour=1'); ${end}`;
    const run = (...flags: readonly string[]) =>
      footbridge(
        temporaryPlace(),
        'emulate',
        '--quiet',
        ...flags,
        '--',
        process.execPath,
        '--input-type=module',
        '-e',
        script,
      );
    expect(await run()).toMatchObject({ code: loose, stderr: '' });
    expect(await run('--strict')).toMatchObject({
      code: strict,
      stderr: [
        'footbridge: strict mode found 2 violations:',
        '  unknown-field: GET /gateway (get_gateway): there is no field "?colour" (2 times)',
        '',
      ].join('\n'),
    });
  });

  it('prints the transcript without secrets to stderr, and the output of the command to stdout', async () => {
    const { place, left } = countedPlace();
    const args = join(place.folder, 'args.json');
    writeFileSync(args, JSON.stringify({ client_id: '300000000000000001', scopes: ['identify'] }));
    const call = footbridgeCommand('call', 'AUTHORIZE', `@${args}`);
    const { code, stdout, stderr } = await footbridge(place, 'emulate', '--', ...call);
    expect(code).toBe(0);
    const { code: authorizationCode } = JSON.parse(stdout) as { code: string };
    expect(stderr).toMatch(/^#1 -> HANDSHAKE client_id=300000000000000001$/m);
    expect(stderr).toMatch(/^#1 -> AUTHORIZE nonce=[\w-]+$/m);
    expect(stderr).toMatch(/^#1 <- AUTHORIZE nonce=[\w-]+ ok$/m);
    expect(stderr).not.toContain(authorizationCode);
    expect(left()).toEqual([]);
  });

  it('passes the WebSocket URL and the control socket to the command', async () => {
    const script = [
      `const { statSync } = require('node:fs');`,
      `const { FOOTBRIDGE_WS, FOOTBRIDGE_CONTROL } = process.env;`,
      `if (!statSync(FOOTBRIDGE_CONTROL).isSocket()) process.exit(3);`,
      // Whoever answers 404 to anything but an upgrade is the bridge.
      `fetch(FOOTBRIDGE_WS.replace('ws:', 'http:')).then(({ status }) => console.log(FOOTBRIDGE_WS, status));`,
    ].join('\n');
    const { stdout, code } = await footbridge(
      temporaryPlace(),
      'emulate',
      '--quiet',
      '--',
      process.execPath,
      '-e',
      script,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ws:\/\/127\.0\.0\.1:\d+ 404\n$/);
    // Those are where web pages look for the bridge of a person.
    const port = Number(/:(\d+) /.exec(stdout)?.[1]);
    expect(port < 6463 || port > 6472).toBe(true);
  });

  it('writes all traffic to the transcript file, without secrets', async () => {
    const place = temporaryPlace();
    const file = join(place.folder, 'said.jsonl');
    writeFileSync(file, 'what an earlier run left, which was longer\n'.repeat(999));
    const [program, ...start] = footbridgeCommand('call');
    const script = `
      const { execFileSync } = require('node:child_process');
      const call = (...args) => JSON.parse(execFileSync(${JSON.stringify(program)}, [${start.map((one) => JSON.stringify(one)).join()}, ...args]));
      const { code } = call('AUTHORIZE', '{"client_id":"300000000000000001","scopes":["identify"]}');
      const secrets = { join: 'a join secret' };
      call('SET_ACTIVITY', JSON.stringify({ pid: 1, activity: { details: 'shown', secrets } }));
      const client_id = '300000000000000001';
      const body = new URLSearchParams({ grant_type: 'authorization_code', code, client_id, client_secret: 'a client secret' });
      fetch(process.env.FOOTBRIDGE_API + '/oauth2/token?code=in-a-query', { method: 'POST', body })
        .then((answer) => answer.json())
        .then(({ access_token }) => console.log(JSON.stringify({ code, access_token })));`;
    const args = ['emulate', '--quiet', '--transcript', file, '--', process.execPath, '-e', script];
    const { code, stdout, stderr } = await footbridge(place, ...args);
    expect([code, stderr]).toEqual([0, '']);
    const text = readFileSync(file, 'utf8');
    const secrets = JSON.parse(stdout) as { code: string; access_token: string };
    for (const secret of [
      secrets.code,
      secrets.access_token,
      'a join secret',
      'a client secret',
      'in-a-query',
    ]) {
      expect(secret.length).toBeGreaterThan(8);
      expect(text).not.toContain(secret);
    }
    const said = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const client_id = '300000000000000001';
    const session = said.find(({ kind }) => kind === 'connect')?.['session'];
    const frames = said
      .filter((entry) => entry['kind'] === 'frame')
      .map(({ text: body, ...entry }) => ({ ...entry, payload: JSON.parse(String(body)) as unknown }));
    expect(frames).toContainEqual(
      expect.objectContaining({
        session,
        direction: 'in',
        opcode: 1,
        payload: expect.objectContaining({ cmd: 'AUTHORIZE', args: { client_id, scopes: ['identify'] } }),
      }),
    );
    expect(frames).toContainEqual(
      expect.objectContaining({
        direction: 'out',
        payload: expect.objectContaining({ cmd: 'AUTHORIZE', data: { code: '[hidden]' } }),
      }),
    );
    expect(said[0]).toMatchObject({ footbridge: 'traffic', version: 2, core: 'emulator' });
    expect(said.at(-1)).toEqual({ end: { entries: said.length - 2 } });
    expect(said.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['connect', 'frame', 'end']));
    expect(JSON.stringify(frames)).toContain('"details":"shown","secrets":{"join":"[hidden]"}');
    expect(said).toContainEqual(
      expect.objectContaining({
        kind: 'http',
        method: 'POST',
        path: '/api/oauth2/token?code=[hidden]',
        status: 200,
      }),
    );
    expect(said.slice(1, -1).every(({ at, seq }) => typeof at === 'number' && typeof seq === 'number')).toBe(
      true,
    );
  });

  it('writes the transcript file with mode 0600', async () => {
    const place = temporaryPlace();
    const file = join(place.folder, 'said.jsonl');
    await footbridge(place, 'emulate', '--transcript', file, '--', 'true');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('records a warning after the request of an invalid activity when the fixture sets activity_rules to warn', async () => {
    const place = temporaryPlace();
    const fixture = join(place.folder, 'world.toml');
    const file = join(place.folder, 'transcript.jsonl');
    writeFileSync(fixture, 'me = "7"\nactivity_rules = "warn"\n[[users]]\nid = "7"\nusername = "seven"\n');
    const activity = { buttons: [{ label: 'Go', url: 'javascript:alert(1)' }] };
    const call = footbridgeCommand('call', 'SET_ACTIVITY', JSON.stringify({ pid: 1, activity }));
    const args = ['emulate', '--quiet', '--fixture', fixture, '--transcript', file, '--', ...call];
    const { code, stderr } = await footbridge(place, ...args);
    expect(code).toBe(0);
    expect(stderr).toContain('activity.buttons[0].url');
    const kinds = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const at = kinds.findIndex(({ kind }) => kind === 'warning');
    expect(kinds[at]).toMatchObject({
      session: kinds[at - 1]?.['session'],
      message: expect.stringMatching(/^activity\.buttons\[0\]\.url: .*http/),
    });
    expect(kinds[at - 1]).toMatchObject({ kind: 'frame', direction: 'in' });
    expect(kinds[at - 1]?.['text']).toContain('SET_ACTIVITY');
    expect(kinds[at + 1]).toMatchObject({ kind: 'frame', direction: 'out' });
  });

  describe('with requests that the platform does not offer', () => {
    const botHeader = `Bot ${Buffer.from('300000000000000001').toString('base64url')}.emulator.bot`;
    const script = `
      const ask = (path, more) => fetch(process.env.FOOTBRIDGE_API + '/v10' + path, more).then(({ status }) => status);
      const headers = { authorization: '${botHeader}', 'content-type': 'application/json' };
      const send = (body) => ask('/applications/@me', { method: 'PATCH', headers, body });
      (async () => console.log(await send('{"tags":["sea"]}'), await send('{"tags":["sea"]}'), await send('{"install_params":{}}')))();`;
    const asking = ['--', process.execPath, '-e', script] as const;
    const [tags, installing] = [
      'the field "tags" of update_my_application',
      'the field "install_params" of update_my_application',
    ];

    it('lists the requests at the end of the transcript, also with --quiet', async () => {
      const place = temporaryPlace();
      const file = join(place.folder, 'said.jsonl');
      const quiet = await footbridge(place, 'emulate', '--quiet', '--transcript', file, ...asking);
      expect(quiet.stdout).toBe('501 501 501\n');
      expect(quiet.stderr).toBe(
        `not offered, answered 501: ${tags} (2 times)\nnot offered, answered 501: ${installing}\n`,
      );
      const written = readFileSync(file, 'utf8').trim().split('\n').slice(-3, -1);
      expect(written.map((line) => JSON.parse(line) as unknown)).toEqual([
        expect.objectContaining({ kind: 'missing', what: tags, times: 2 }),
        expect.objectContaining({ kind: 'missing', what: installing, times: 1 }),
      ]);
    });

    it('prints one JSON line for each missing feature with --json', async () => {
      const { stderr, code } = await footbridge(temporaryPlace(), 'emulate', '--json', ...asking);
      const lines = stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(code).toBe(0);
      expect(lines.map(({ kind }) => kind)).toEqual(['http', 'http', 'http', 'missing', 'missing']);
      expect(lines.at(-2)).toMatchObject({ what: tags, times: 2 });
    });
  });

  it('prints nothing to stderr with --quiet', async () => {
    const call = footbridgeCommand('call', 'SET_ACTIVITY', '{"pid":1}');
    const { stderr, code } = await footbridge(temporaryPlace(), 'emulate', '--quiet', '--', ...call);
    expect(code).toBe(0);
    expect(stderr).toBe('');
  });

  it('returns 128 plus the number of the signal that terminated the command', async () => {
    const { code } = await footbridge(temporaryPlace(), 'emulate', '--', 'sh', '-c', 'kill -9 $$');
    expect(code).toBe(137);
  });

  it('forwards SIGTERM, then removes its temporary folders', async () => {
    const { place, left } = countedPlace();
    const script = 'trap "exit 5" TERM; echo started; while :; do sleep 0.05; done';
    const running = startFootbridge(place, ['emulate', '--', 'sh', '-c', script]);
    await running.stdoutWith('started');
    expect(left()).toHaveLength(1);
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(5);
    expect(left()).toEqual([]);
  });

  it.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const)(
    'exits at %s while a fixture blocks, and leaves no files (not on Windows: no FIFO)',
    async (signal) => {
      const { place, left } = countedPlace();
      const fifo = join(place.folder, 'world.toml');
      silentFifo(fifo);
      const running = startFootbridge(place, ['emulate', '--fixture', fifo, '--', 'touch', `${fifo}.ran`]);
      await expect.poll(left, { timeout: 20_000 }).toHaveLength(1);
      running.child.kill(signal);
      const { code, signal: endedBy } = await running.ended;
      // While it looks into the file, the signal itself ends it.
      expect([128 + constants.signals[signal], signal]).toContain(code ?? endedBy);
      expect(left()).toEqual([]);
      expect(existsSync(`${fifo}.ran`)).toBe(false);
    },
  );

  it.each([0, 40, 80, 120, 160, 200, 300])(
    'leaves no files when SIGTERM arrives %i ms after its start',
    async (ms) => {
      const { place, left } = countedPlace();
      const running = startFootbridge(place, ['emulate', '--', 'sleep', '60']);
      await new Promise((resolve) => setTimeout(resolve, ms));
      running.child.kill('SIGTERM');
      const { code, signal } = await running.ended;
      // Before Node has run a line of ours the signal's default ends it.
      expect([143, 'SIGTERM']).toContain(code ?? signal);
      expect(left()).toEqual([]);
    },
  );

  it('continues after a signal that it does not handle', async () => {
    const { place, left } = countedPlace();
    const script = 'echo started; read -r line; exit 5';
    const running = startFootbridge(place, ['emulate', '--', 'sh', '-c', script]);
    await running.stdoutWith('started');
    for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM', 'SIGPWR'] as const)
      running.child.kill(signal);
    running.child.stdin?.end('line\n');
    expect(await running.ended).toMatchObject({ code: 5, signal: null });
    expect(left()).toEqual([]);
  });

  it.each(['SIGQUIT', 'SIGXCPU', 'SIGHUP'] as const)(
    'forwards %s, then removes its temporary folders',
    async (signal) => {
      const { place, left } = countedPlace();
      const script = 'trap "exit 5" QUIT XCPU HUP; echo started; while :; do sleep 0.05; done';
      const running = startFootbridge(place, ['emulate', '--', 'sh', '-c', script]);
      await running.stdoutWith('started');
      running.child.kill(signal);
      expect(await running.ended).toMatchObject({ code: 5, signal: null });
      expect(left()).toEqual([]);
    },
  );

  it.each([
    [['emulate'], 64, 'COMMAND is missing'],
    [['emulate', '--', ''], 64, 'COMMAND is empty'],
    [['emulate', '--consent', 'x', '--', 'true'], 64, '--consent: "x" is not one of'],
    [
      ['emulate', '--fixture', '/nowhere', '--', 'true'],
      78,
      '/nowhere: cannot be read: there is no such file or folder (ENOENT)',
    ],
    [
      ['emulate', '--transcript', '/nowhere/x', '--', 'true'],
      78,
      '/nowhere/x cannot be written: there is no such file or folder (ENOENT)',
    ],
    [['emulate', '--transcript', '', '--', 'true'], 64, '--transcript: "" is not the path of a file'],
    [['emulate', '--transcript', '/', '--', 'true'], 78, '/ cannot be written: it is a folder (EISDIR)'],
    [
      ['emulate', '--', '/nowhere/command'],
      127,
      'cannot be started: there is no such file or folder (ENOENT)',
    ],
    [['emulate', '--', '/'], 126, 'cannot be started: you may not open it (EACCES)'],
  ])('exits for %j with %i', async (args, exitCode, message) => {
    const { place, left } = countedPlace();
    const { code, stderr } = await footbridge(place, ...args);
    expect(code).toBe(exitCode);
    expect(stderr).toContain(message);
    expect(left()).toEqual([]);
  });
});
