import { describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { version } from '../../src/daemon/version.ts';
import type { OpenApiDocument } from '../../src/emulator/serve/http/openapi.ts';
import type { ProtocolSchema } from '../../src/protocol/reference.ts';
import { type JsonSchema, malformed, problemsOf } from '../helpers/json-schema.ts';
import { documentedCommands, documentedEvents } from '../protocol/documented-names.ts';
import { fakeIo } from './fake-io.ts';

async function printed(...words: readonly string[]) {
  const io = fakeIo();
  const code = await runProgram(['schema', ...words], commandTable, io);
  return { code, stdout: io.stdout(), stderr: io.stderr() };
}

const { stdout } = await printed();
const document = JSON.parse(stdout) as ProtocolSchema;
const args = (cmd: string) => document.commands[cmd]?.args as JsonSchema;
const data = (evt: string) => document.events[evt]?.data as JsonSchema;

describe('footbridge schema', () => {
  it('prints every documented command and event', () => {
    expect(document.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(Object.keys(document.commands).sort()).toEqual(Object.keys(documentedCommands).sort());
    expect(Object.keys(document.events).sort()).toEqual(Object.keys(documentedEvents).sort());
  });
  it('prints well-formed JSON Schema 2020-12', () => {
    for (const [name, command] of Object.entries(document.commands)) {
      expect([name, malformed(command.args), malformed(command.result)]).toEqual([name, [], []]);
    }
    for (const [name, event] of Object.entries(document.events)) {
      expect([name, malformed(event.args), malformed(event.data)]).toEqual([name, [], []]);
    }
  });
  it('prints the schema of one command or event by its name', async () => {
    expect(JSON.parse((await printed('GET_GUILD')).stdout)).toEqual(document.commands['GET_GUILD']);
    expect(JSON.parse((await printed('GUILD_STATUS')).stdout)).toEqual(document.events['GUILD_STATUS']);
  });
  it.each(['NO_SUCH', 'constructor', '__proto__', 'get_guild'])('rejects the name %s', async (name) => {
    const { code, stdout: out, stderr } = await printed(name);
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(stderr).toContain(`There is no command or event "${name}".`);
  });
});

describe('footbridge schema openapi', () => {
  it('prints the document of the HTTP API with the version of footbridge', async () => {
    const { code, stdout: out } = await printed('openapi', '--json');
    expect(code).toBe(0);
    const { info, paths } = JSON.parse(out) as OpenApiDocument;
    expect(info['version']).toBe(version());
    expect(paths['/api/v10/users/@me']).toHaveProperty('get');
  });
});

describe('the printed schemas', () => {
  const activity = {
    state: 'rowing',
    party: { size: [1, 4] },
    buttons: [{ label: 'Go', url: 'https://a.test' }],
  };
  const settings = {
    input_mode: { type: 'VOICE_ACTIVITY', shortcut: '' },
    self_mute: false,
    self_deaf: false,
  };

  it.each([
    ['GET_GUILD', { guild_id: '1', timeout: 60 }],
    ['GET_CHANNELS', { guild_id: null }],
    ['SET_ACTIVITY', { pid: 1, activity }],
    ['SET_ACTIVITY', { pid: 1, activity: null }],
    ['SET_VOICE_SETTINGS', { mode: { threshold: -100, shortcut: [{ type: 0, code: 1 }] }, mute: true }],
    ['SELECT_VOICE_CHANNEL', { channel_id: null, force: true }],
    ['GET_IMAGE', { type: 'user', id: '1', format: 'webp', size: 1024 }],
    ['SUBSCRIBE', { anything: [1] }],
  ])('accept the arguments of %s %j', (cmd, given) => {
    expect(problemsOf(args(cmd), given)).toEqual([]);
  });
  it.each([
    ['GET_GUILD', {}, '.guild_id: is missing'],
    ['GET_GUILD', { guild_id: 1 }, '.guild_id: must be string'],
    ['GET_GUILD', { guild_id: '01' }, '.guild_id: must match pattern'],
    ['GET_GUILD', { guild_id: '1', timeout: 61 }, '.timeout: must be <= 60'],
    ['GET_GUILD', [], ': must be object'],
    ['SET_VOICE_SETTINGS', { input: { volume: 101 } }, '.input.volume: must be <= 100'],
    ['SET_VOICE_SETTINGS', { mode: { type: 'LOUD' } }, '.mode.type: must be equal to one of'],
    ['SELECT_VOICE_CHANNEL', {}, '.channel_id: is missing'],
    ['GET_IMAGE', { type: 'user', id: '1', format: 'webp', size: 100 }, '.size: must be equal to one of'],
    ['SET_ACTIVITY', { pid: 1.5 }, '.pid: must match a schema'],
    ['SET_ACTIVITY', { activity: { ...activity, party: { size: [1] } } }, '.activity: must match a schema'],
    ['CAPTURE_LOG', { level: 'loud', message: '' }, '.level: must be equal to one of'],
  ])('reject the arguments of %s %j', (cmd, given, problem) => {
    expect(problemsOf(args(cmd), given).join()).toContain(problem);
  });
  it.each([
    ['GUILD_STATUS', { guild: { id: '1', name: 'a', icon_url: null }, online: 0 }, []],
    [
      'GUILD_STATUS',
      { guild: { id: '1', name: 'a', icon_url: null }, online: 3 },
      ['.online: must be equal to constant'],
    ],
    ['AUTHORIZE_REQUEST', null, []],
    ['AUTHORIZE_REQUEST', {}, [': must be null']],
    ['VOICE_SETTINGS_UPDATE_2', { ...settings, local_mutes: ['1'], local_volumes: { 1: 50 } }, []],
    [
      'VOICE_SETTINGS_UPDATE_2',
      { ...settings, local_mutes: [1], local_volumes: { 1: '50' } },
      ['.local_mutes.0: must be string', '.local_volumes.1: must be number'],
    ],
  ])('report the errors in the data of %s %j', (evt, given, problems) => {
    expect(problemsOf(data(evt), given)).toEqual(problems);
  });
});
