import { expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { fakeIo } from './fake-io.ts';

/** Runs a command line where no bridge runs; returns the exit code and the output. */
async function typed(line: string, variables: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  const io = fakeIo({ XDG_RUNTIME_DIR: folder, XDG_CONFIG_HOME: folder, ...variables });
  const code = await runProgram(line.split(' '), commandTable, io);
  return { code, stdout: io.stdout(), stderr: io.stderr() };
}

it.each([
  ['version', 'Did you mean "--version"?'],
  ['--verson', 'Did you mean "--version"?'],
  ['--hlep', 'Did you mean "--help"?'],
  ['ls', 'Did you mean "status"?'],
  ['ls -l', 'Did you mean "status"?'],
  ['list', 'Did you mean "status"?'],
  ['sessions', 'Did you mean "status"?'],
  ['serve', 'Did you mean "run"?'],
  ['up', 'Did you mean "run"?'],
  ['kill', 'Did you mean "stop"?'],
  ['allow 6vvp5', 'Did you mean "approve"?'],
  ['reject 6vvp5', 'Did you mean "deny"?'],
  ['grant', 'Did you mean "grants"?'],
  ['ui', 'Did you mean "console"?'],
  ['-v', 'Did you mean "--version"?'],
  ['emulator user ban heron', 'Did you mean "emulator ban"?'],
  ['emulator message say general hello', 'Did you mean "emulator say"?'],
  ['Status', 'Did you mean "status"?'],
  ['emulator ls', 'Did you mean "emulator show"?'],
  [
    'config set http_port 6500',
    'Did you mean "config show"? It names the file in which a setting is changed',
  ],
  ['config edit', 'Did you mean "config show"?'],
  ['requests list', 'Did you mean "requests"?'],
  ['grants ls', 'Did you mean "grants"?'],
  ['presence puase', 'One word too many: "puase". Did you mean "pause"?'],
  ['presence hied Music', 'Did you mean "hide"?'],
  ['presence ls', 'Did you mean "presence"?'],
  ['upstream onyl vesktop', 'One word too many: "onyl". Did you mean "only"?'],
  [
    'presence set --client-id 1 --type streaming',
    '--type: "streaming" is not one of playing, listening, watching, competing.',
  ],
  ['emulator users list', 'Did you mean "emulator users"?'],
  ['ask-link', 'Did you mean "emulator ask-link"?'],
  ['schema foo', '"footbridge schema" prints all of them.'],
  ['schema set_activity', 'Did you mean "SET_ACTIVITY"?'],
  ['schema SET_ACTIVTY', 'Did you mean "SET_ACTIVITY"?'],
  ['call GET_GUILDS --scopes rcp', 'there is no scope "rcp". Did you mean "rpc"?'],
  ['call GET_GUILDS --scopes rpc,identfy', 'Did you mean "identify"?'],
  ['token --scopes RPC', 'Did you mean "rpc"?'],
])('%s is a usage error with what was meant', async (line, hint) => {
  const { code, stdout, stderr } = await typed(line);
  expect(stdout).toBe('');
  expect(stderr).toContain(hint);
  expect(stderr.trimEnd()).not.toContain('\n');
  expect(code).toBe(64);
});

it.each(['a.scope.of.tomorrow', 'rpc.voice.whisper'])(
  'the scope %s, which resembles none, is left to the server',
  async (scope) => {
    expect((await typed(`call GET_GUILDS --scopes ${scope}`)).code).toBe(69);
  },
);

it.each([
  ['FOOTBRIDGE_HTTP_PROT', '6500', 'FOOTBRIDGE_HTTP_PORT'],
  ['FOOTBRIDGE_LIMIT_FRAME_BYTES', '1', 'FOOTBRIDGE_LIMITS_FRAME_BYTES'],
  ['FOOTBRIDGE_CONFG', '/x', 'FOOTBRIDGE_CONFIG'],
  ['FOOTBRIDGE_DATA', '/x', 'FOOTBRIDGE_DATA_DIR'],
])('%s=%s names the variable that was meant', async (name, value, meant) => {
  const { code, stdout, stderr } = await typed('run', { [name]: value });
  expect(stdout).toBe('');
  expect(stderr).toContain(`${name}: no setting has this variable. Did you mean "${meant}"?`);
  expect(code).toBe(64);
});

it.each([
  'FOOTBRIDGE_API',
  'FOOTBRIDGE_ENDPOINT',
  'FOOTBRIDGE_CLIENT_SECRET',
  'FOOTBRIDGE_ATTACH_URL',
  'FOOTBRIDGE_ATTACH_CODE',
  'FOOTBRIDGE_IMAGE_TAG',
])('%s is no slip', async (name) => {
  const folder = temporaryFolder();
  const io = fakeIo({ XDG_RUNTIME_DIR: folder, XDG_CONFIG_HOME: folder, [name]: 'x' });
  expect(await runProgram(['config', 'show'], commandTable, io)).toBe(0);
});
