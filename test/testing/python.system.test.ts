import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { footbridgeCommand, temporaryPlace } from '../cli/spawn.ts';

const HELPER = fileURLToPath(new URL('../../src/testing/python/pytest_footbridge.py', import.meta.url));
const has = (...args: readonly string[]) => spawnSync('python3', [...args]).status === 0;
const noPython = has('-c', 'import sys; sys.exit(sys.version_info < (3, 8))')
  ? ''
  : ' (skipped: there is no python3 of 3.8 or newer here)';
const noPytest = noPython || (has('-c', 'import pytest') ? '' : ' (skipped: there is no pytest here)');

/** Runs Python beside the helper, which finds the program by its variable. */
function python(args: readonly string[], files: Readonly<Record<string, string>> = {}, program?: string) {
  const { folder, env } = temporaryPlace();
  copyFileSync(HELPER, join(folder, 'pytest_footbridge.py'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  // Words of a shell.
  const words = footbridgeCommand().map((word) => `'${word}'`);
  const { status, stdout, stderr } = spawnSync('python3', [...args], {
    cwd: folder,
    env: {
      ...env,
      // The machine's own, in which pytest may lie.
      HOME: process.env['HOME'] ?? '',
      PYTHONDONTWRITEBYTECODE: '1',
      FOOTBRIDGE_PROGRAM: program ?? words.join(' '),
    },
    encoding: 'utf8',
  });
  return { folder, status, stdout, stderr };
}

const SCENARIOS = `fixture = { me = "1", users = [{ id = "1", username = "unused" }] }
[[scenario]]
name = "says"
step = [{ as = "heron", say = "hello", in = "#general" }]
[[scenario]]
name = "hears"
step = [{ expect = "message", in = "#general", from = "otter", within = "20ms" }]
`;

describe.skipIf(noPython)(`the helper for Python, without pytest${noPython}`, () => {
  // Neither the packages of the site nor those of the user.
  const plain = (text: string, files = {}, program?: string) =>
    python(
      ['-S', '-s', '-c', `from pytest_footbridge import *\nimport pytest_footbridge\n${text}`],
      files,
      program,
    );

  it('starts a bridge, exposes its addresses, runs commands against it, and removes its files', () => {
    const { status, stdout, stderr, folder } = plain(
      [
        'assert pytest_footbridge.pytest is None',
        'with start(transcript="talk.jsonl") as bridge:',
        '    assert bridge.env["FOOTBRIDGE_API"] == bridge.api and bridge.ws.startswith("ws://127.0.0.1:")',
        '    bridge.run("emulator", "voice", "set", "mute", "true")',
        '    print(bridge.run("call", "GET_VOICE_SETTINGS", "--scopes", "rpc"))',
        '    print(bridge.folder, os.path.exists(bridge.folder), sorted(set(bridge.env) - set(os.environ)))',
      ].join('\n'),
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('"mute":true');
    const [, bridge = '', rest] = /^(\/\S+) (True .*)$/m.exec(stdout) ?? [];
    expect(rest).toBe(
      "True ['FOOTBRIDGE_API', 'FOOTBRIDGE_BOT_TOKEN', 'FOOTBRIDGE_CONTROL', 'FOOTBRIDGE_ENDPOINT', 'FOOTBRIDGE_WS']",
    );
    expect(existsSync(bridge)).toBe(false);
    expect(readFileSync(join(folder, 'talk.jsonl'), 'utf8')).toContain('GET_VOICE_SETTINGS');
  });

  it('plays scenarios of a file on its bridge, whatever fixture the file has, and reports what fails', () => {
    const { status, stderr } = plain(
      [
        'with start() as bridge:',
        '    bridge.play("own.toml", "--only", "says")',
        '    bridge.play("own.toml")',
      ].join('\n'),
      { 'own.toml': SCENARIOS },
    );
    expect(status).toBe(1);
    expect(stderr).toContain('AssertionError: ');
    expect(stderr).toContain(
      'error: no message came in #general from otter within 20ms\n --> own.toml:7:11\n',
    );
    expect(stderr).toContain('2 scenarios: 1 passed, 1 failed, ');
  });

  it('stops the bridge when the block fails', () => {
    const { status, stdout, stderr } = plain(
      'with start() as bridge:\n    print(bridge.folder)\n    raise KeyError("mine")',
    );
    expect({ status, last: stderr.trim().split('\n').at(-1) }).toEqual({
      status: 1,
      last: "KeyError: 'mine'",
    });
    expect(existsSync(stdout.trim())).toBe(false);
  });

  it.each<[string, string, string]>([
    [
      'a wrong consent',
      'start(consent="maybe")',
      'ended with 64: footbridge: --consent: "maybe" is not one of',
    ],
    ['a fixture that is not there', 'start(fixture="no.toml")', 'ended with 78: footbridge: '],
    [
      'a program that is not there',
      'start(program=["no-such-program"])',
      'no-such-program cannot be started: ',
    ],
    ['no program', 'start(program=[])', 'program: names no program'],
  ])('reports the error for %s', (_what, call, message) => {
    const { status, stderr } = plain(`with ${call}:\n    pass`);
    expect(status).toBe(1);
    expect(stderr.trim().split('\n').at(-1)).toMatch(/^pytest_footbridge\.FootbridgeError: /);
    expect(stderr).toContain(message);
  });

  it('reports the failure of a command', () => {
    const { stderr } = plain('with start() as bridge:\n    bridge.run("call", "GET_GUILDS")');
    expect(stderr).toContain(
      'FootbridgeError: footbridge call ended with 1: footbridge: GET_GUILDS failed: 4006',
    );
  });
});

describe.skipIf(noPython)(`worlds of the helper for Python${noPython}`, () => {
  it('have their own state, return to their seed, and end with their block', () => {
    const { status, stdout, stderr } = python([
      '-S',
      '-s',
      '-c',
      [
        'from pytest_footbridge import *',
        'import urllib.request',
        'def muted(one): return json.loads(one.run("emulator", "voice", "get", "--json"))["mute"]',
        'def mute(one): one.run("emulator", "voice", "set", "mute", "true")',
        'with start() as bridge:',
        '    with bridge.world("checkout") as world:',
        '        assert world.name == "checkout" and world.api == bridge.api.replace("/api", "/w/checkout/api")',
        '        mute(world)',
        '        print(muted(world), muted(bridge))',
        '        world.reset()',
        '        print(muted(world))',
        '        mute(world)',
        '        world.seed()',
        '        world.reset()',
        '        print(muted(world))',
        '        asked = urllib.request.Request(world.api + "/v10/users/@me", headers={"Authorization": "Bot " + world.bots["300000000000000001"]})',
        '        print(json.load(urllib.request.urlopen(asked))["username"])',
        '        print(os.path.exists(world.env["FOOTBRIDGE_ENDPOINT"]))',
        '    print(bridge.run("emulator", "world", "list", "--json").strip())',
        '    mute(bridge)',
        '    bridge.reset()',
        '    print(muted(bridge))',
      ].join('\n'),
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'True False',
      'False',
      'True',
      'Harbour Example',
      'True',
      '[]',
      'False',
      '',
    ]);
  });
});

it.skipIf(noPytest)(
  `the helper for Python prints what passed when a test fails, and fails where strict mode found something${noPytest}`,
  () => {
    const files = {
      'conftest.py': 'pytest_plugins = ["pytest_footbridge"]\n',
      'test_it.py': [
        'import pytest, urllib.request',
        'def get(footbridge):',
        '    urllib.request.urlopen(footbridge.api + "/v10/gateway?colour=1").read()',
        'def test_fails(footbridge):',
        '    get(footbridge)',
        '    assert False',
        '@pytest.mark.footbridge(strict=True)',
        'def test_breaks_a_rule(footbridge):',
        '    get(footbridge)',
        '',
      ].join('\n'),
    };
    const { status, stdout } = python(['-m', 'pytest', '-p', 'no:cacheprovider'], files);
    expect(status).toBe(1);
    expect(stdout).toContain('1 failed, 1 passed, 1 error');
    expect(stdout).toMatch(
      /- What passed the bridge -+\n[\d:.]{12} {2}http {6}GET \/api\/v10\/gateway\?colour=\S+ 200/,
    );
    expect(stdout).toMatch(
      /strict mode found 1 violation:\nE +unknown-field: GET \/gateway \(get_gateway\): there is no field "\?colour"\n/,
    );
  },
);

it.skipIf(noPytest)(
  `the helper for Python is a fixture of pytest, with a marker for its options${noPytest}`,
  () => {
    const files = {
      'conftest.py': 'pytest_plugins = ["pytest_footbridge"]\n',
      'test_it.py': [
        'import os, pytest',
        'from pytest_footbridge import FootbridgeError',
        'seen = []',
        'def test_environment(footbridge):',
        '    assert os.environ["FOOTBRIDGE_API"] == footbridge.api',
        '    seen.append(footbridge.folder)',
        '@pytest.mark.footbridge(consent="deny")',
        'def test_marker(footbridge):',
        '    assert footbridge.folder not in seen and not os.path.exists(seen[0])',
        '    with pytest.raises(FootbridgeError, match="access_denied"):',
        '        footbridge.run("token", "--scopes", "rpc")',
        'def test_restored():',
        '    assert "FOOTBRIDGE_API" not in os.environ',
        '',
      ].join('\n'),
    };
    const args = ['-m', 'pytest', '-q', '--strict-markers', '-p', 'no:cacheprovider'];
    const { status, stdout } = python(args, files);
    expect({ status, said: stdout }).toEqual({ status: 0, said: expect.stringContaining('3 passed') });
  },
);
