import { existsSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { adminDeclarations } from '../../src/daemon/operations.ts';
import { type StartEmulatorOptions, startEmulator } from '../../src/testing/testing.ts';
import { temporaryPlace } from '../cli/spawn.ts';

const APP = '300000000000000001';

async function started(options?: StartEmulatorOptions) {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
}

async function connected(endpoint: string) {
  const client = await connect({ clientId: APP, paths: [endpoint], reconnect: false });
  onTestFinished(() => client.close());
  return client;
}

describe('startEmulator', () => {
  it('serves a private endpoint that its environment names', async () => {
    const emulator = await started();
    expect(emulator.env).toMatchObject({ XDG_RUNTIME_DIR: emulator.folder, FOOTBRIDGE_API: emulator.api });
    expect(dirname(emulator.endpoint)).toBe(emulator.folder);
    expect(statSync(emulator.folder).mode & 0o777).toBe(0o700);
    expect(await connected(emulator.endpoint)).toHaveProperty('user.id');
  });

  it('authorizes without a consent request, and exchanges the code for a token', async () => {
    const emulator = await started();
    const client = await connected(emulator.endpoint);
    const scopes = ['identify', 'rpc', 'rpc.voice.read'];
    const { code } = await client.request('AUTHORIZE', { client_id: APP, scopes });
    const response = await fetch(`${emulator.api}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        client_id: APP,
        client_secret: 'any',
      }),
    });
    const { access_token } = (await response.json()) as { access_token: string };
    await client.authenticate(access_token);
    const before = await client.request('GET_VOICE_SETTINGS');
    expect(before).toMatchObject({ mute: false });
    await emulator.operations.call('voice.set', { key: 'mute', value: true });
    const after = await client.request('GET_VOICE_SETTINGS');
    expect(after).toMatchObject({ mute: true });
  });

  it('lets a test approve a consent request', async () => {
    const emulator = await started({ consent: 'ask' });
    const client = await connected(emulator.endpoint);
    const answer = client.request('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
    const list = async () => (await emulator.operations.call('requests.list')) as { id: string }[];
    await expect.poll(list).toHaveLength(1);
    const [request] = await list();
    await emulator.operations.call('requests.approve', { id: request?.id ?? '' });
    expect(await answer).toHaveProperty('code');
  });

  it('accepts repeated consent requests, also right after a denial', async () => {
    const emulator = await started({ consent: 'ask' });
    const client = await connected(emulator.endpoint);
    const list = async () => (await emulator.operations.call('requests.list')) as { id: string }[];
    for (let count = 0; count < 5; count++) {
      const answer = client.request('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
      const refused = expect(answer).rejects.toMatchObject({ code: 5000 });
      await expect.poll(list).toHaveLength(1);
      const [request] = await list();
      await emulator.operations.call('requests.deny', { id: request?.id ?? '' });
      await refused;
    }
  });

  it('denies every consent request with consent: deny', async () => {
    const emulator = await started({ consent: 'deny' });
    const client = await connected(emulator.endpoint);
    const answer = client.request('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
    await expect(answer).rejects.toMatchObject({ code: 5000 });
  });

  it('reports rule violations of an activity when the fixture requests warnings', async () => {
    const fixture = {
      me: '7',
      activity_rules: 'warn',
      users: [{ id: '7', username: 'seven' }],
    };
    const emulator = await started({ fixture });
    const client = await connected(emulator.endpoint);
    const activity = { party: { id: 'the-party', size: [5, 2] as const } };
    expect(await client.request('SET_ACTIVITY', { pid: 1, activity } as never)).toMatchObject(activity);
    const [doubt, ...others] = await emulator.doubts();
    expect(doubt).toMatchObject({
      clientId: APP,
      field: 'activity.party.size',
      reason: expect.stringContaining('5'),
    });
    expect(others).toEqual([]);
    const quiet = await started({ fixture: { ...fixture, activity_rules: 'as-client' } });
    const other = await connected(quiet.endpoint);
    await other.request('SET_ACTIVITY', { pid: 1, activity } as never);
    expect(await quiet.doubts()).toEqual([]);
    const strict = startEmulator({ fixture: { ...fixture, activity_rules: 'refused' } });
    await expect(strict).rejects.toMatchObject({ message: expect.stringContaining('activity_rules') });
  });

  it('reports fields that were requested over HTTP and are not offered', async () => {
    const emulator = await started();
    expect(await emulator.missing()).toEqual([]);
    const answer = await fetch(`${emulator.api}/v10/applications/@me`, {
      method: 'PATCH',
      headers: {
        authorization: `Bot ${Buffer.from(APP).toString('base64url')}.emulator.bot`,
        'content-type': 'application/json',
      },
      body: '{"tags":["sea"]}',
    });
    expect(answer.status).toBe(501);
    expect(await emulator.missing()).toEqual([
      { what: 'the field "tags" of update_my_application', times: 1 },
    ]);
  });

  it('lists the violations of strict mode, also after a restart, but for a refusal that the test asserts', async () => {
    const emulator = await started({ strict: true });
    const headers = { authorization: `Bot ${Buffer.from(APP).toString('base64url')}.emulator.bot` };
    await fetch(`${emulator.api}/v10/users/12`, { headers });
    await emulator.restart();
    await fetch(`${emulator.api}/v10/channels/12`, { headers });
    await fetch(`${emulator.api}/v10/channels/12?cursor=1`, { headers });
    expect(await emulator.violations()).toMatchObject([
      { rule: 'unhandled-refusal', where: 'GET /users/12 (get_user)', what: '404 10013 Unknown User' },
      { rule: 'unhandled-refusal', where: 'GET /channels/12 (get_channel)' },
      { rule: 'unknown-field', where: 'GET /channels/12 (get_channel)', what: 'there is no field "?cursor"' },
      { rule: 'unhandled-refusal', where: 'GET /channels/12 (get_channel)' },
    ]);
    await expect(emulator.expect('GET /channels/{id}').toHaveFailed(403)).rejects.toThrow(
      'failed with 10003',
    );
    expect(await emulator.violations()).toHaveLength(4);
    await emulator.expect('GET /channels/{id}').toHaveFailed(10003);
    expect((await emulator.violations()).map(({ rule }) => rule)).toEqual([
      'unhandled-refusal',
      'unknown-field',
    ]);
  });

  it('reads a fixture file', async () => {
    const path = join(temporaryPlace().folder, 'world.toml');
    writeFileSync(path, 'me = "7"\n[[users]]\nid = "7"\nusername = "seven"\n');
    const emulator = await started({ fixture: path });
    expect(await emulator.operations.call('summary')).toMatchObject({ user: { id: '7' }, guilds: [] });
  });

  it('runs beside another emulator, and removes its folder at close', async () => {
    const [one, two] = await Promise.all([startEmulator(), startEmulator()]);
    expect(one.endpoint).not.toBe(two.endpoint);
    await one.close();
    await one.close();
    expect(existsSync(one.folder)).toBe(false);
    await connected(two.endpoint);
    await two[Symbol.asyncDispose]();
    expect(existsSync(two.folder)).toBe(false);
  });

  it('accepts a fixture as an object', async () => {
    const fixture = { me: 'seven', users: [{ id: '7', username: 'seven' }] };
    const emulator = await started({ fixture });
    fixture.users.pop();
    expect(await emulator.operations.call('summary')).toMatchObject({ user: { id: '7' }, guilds: [] });
  });

  it('runs fifty emulators at once without a warning, and leaves no listener', async () => {
    const before = process.listenerCount('exit');
    const warnings: string[] = [];
    const hear = ({ name, message }: Error): void => void warnings.push(`${name}: ${message}`);
    process.on('warning', hear);
    onTestFinished(() => void process.off('warning', hear));
    const emulators = await Promise.all(Array.from({ length: 50 }, () => startEmulator()));
    expect(new Set(emulators.map(({ endpoint }) => endpoint)).size).toBe(50);
    await Promise.all(emulators.map((emulator) => emulator.close()));
    // A warning is told in a turn of its own.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
    expect(process.listenerCount('exit')).toBe(before);
  });

  it('rejects operations once it closes', async () => {
    const emulator = await started();
    const closing = emulator.close();
    const closed = { code: 'FOOTBRIDGE_CLOSED', message: expect.stringContaining('voice.set') };
    const call = () => emulator.operations.call('voice.set', { key: 'mute', value: true });
    await expect(call()).rejects.toMatchObject(closed);
    await closing;
    await expect(call()).rejects.toMatchObject(closed);
  });

  it('rejects impossible calls with a code', async () => {
    const emulator = await started();
    const { operations } = emulator;
    for (const name of [undefined, 5, Symbol('summary')]) {
      await expect(operations.call(name as unknown as 'summary')).rejects.toThrow(
        'operations.call: the name must be a text',
      );
    }
    await expect(operations.call('no.such' as 'summary')).rejects.toMatchObject({
      code: 'FOOTBRIDGE_UNKNOWN_OPERATION',
    });
    await expect(operations.call('emulator.ban' as 'summary')).rejects.toThrow('Did you mean "user.ban"?');
    await expect(emulator.operations.call('voice.set', { key: 1 } as never)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_ARGUMENTS',
    });
    await expect(emulator.operations.call('voice.set', { key: 'volume', value: '1' })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_SETTING',
    });
    await expect(startEmulator({ fixture: '/nowhere.toml' })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_FIXTURE',
    });
  });
});

describe('operations', () => {
  it('accept numbers and booleans as values', async () => {
    const { operations } = await started();
    for (const [key, value] of [
      ['input.volume', 42],
      ['input.volume', 42.5],
      ['mute', true],
      ['mute', false],
      ['mode.type', 'PUSH_TO_TALK'],
    ] as const) {
      const settings = await operations.call('voice.set', { key, value });
      expect(key.split('.').reduce((at: unknown, step) => Reflect.get(at as object, step), settings)).toBe(
        value,
      );
    }
    for (const value of [{}, null, Number.NaN, Number.POSITIVE_INFINITY, 1n, undefined]) {
      const wrong = operations.call('voice.set', { key: 'mute', value } as never);
      await expect(wrong).rejects.toMatchObject({ code: 'FOOTBRIDGE_ARGUMENTS' });
    }
    await expect(operations.call('voice.set', { key: 'mute', value: 5 })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_SETTING',
    });
  });

  it('are those that a bridge offers, with the same arguments', async () => {
    const { env } = await started();
    const offered = await new Promise<{ name: string; args: string[] }[]>((resolve, reject) => {
      const where = {
        socketPath: env['FOOTBRIDGE_CONTROL'],
        path: '/v1/operations',
        headers: { host: 'footbridge' },
      };
      get(where, (response) => {
        const text = response.toArray().then((parts) => parts.join(''));
        text.then((json) => resolve(JSON.parse(json) as { name: string; args: string[] }[]), reject);
      }).on('error', reject);
    });
    const declared = adminDeclarations.map(({ name, args }) => [
      name,
      Object.keys((Reflect.get(args(), 'shape') as object | undefined) ?? {}),
    ]);
    // The bridge of a test has no console.
    expect(Object.fromEntries(offered.map(({ name, args }) => [name, args]))).toEqual(
      Object.fromEntries(declared.filter(([name]) => name !== 'console.address')),
    );
  });

  it('return the activities of apps', async () => {
    const emulator = await started();
    expect(await emulator.activities()).toEqual([]);
    const one = await connected(emulator.endpoint);
    expect(await emulator.activities()).toMatchObject([{ clientId: APP, activity: null }]);
    expect(await emulator.presence(APP)).toBeNull();
    await one.setActivity({ details: 'first', secrets: { join: 'not for others' } });
    expect(await emulator.presence('Harbour Example')).toMatchObject({ details: 'first' });
    expect(JSON.stringify(await emulator.activities())).not.toContain('not for others');
    const two = await connected(emulator.endpoint);
    expect(await emulator.presence(APP)).toMatchObject({ details: 'first' });
    await two.setActivity({ details: 'second' });
    expect(await emulator.presence(APP)).toMatchObject({ details: 'second' });
    expect(await emulator.activities()).toMatchObject([
      { activity: { details: 'first' } },
      { activity: { details: 'second' } },
    ]);
    await one.clearActivity();
    await two.clearActivity();
    expect(await emulator.presence(APP)).toBeNull();
    expect(await emulator.presence('300000000000000099')).toBeNull();
    await expect(emulator.presence('Harbor')).rejects.toMatchObject({
      code: 'FOOTBRIDGE_ARGUMENTS',
      message: 'presence: there is no application "Harbor"; give its id as text, or its exact name.',
    });
    await expect(emulator.presence(5 as never)).rejects.toThrow('presence: there is no application 5;');
  });
});

describe('the options of startEmulator', () => {
  const wrong: [unknown, string][] = [
    [5, 'options: must be an object with fixture, consent, strict, not 5.'],
    [null, 'options: must be an object with fixture, consent, strict, not null.'],
    ['allow', 'options: must be an object with fixture, consent, strict, not "allow".'],
    [[], 'options: must be an object with fixture, consent, strict, not an array.'],
    [new Date(0), 'options: must be an object with fixture, consent, strict, not a value of type object.'],
    [{ consent: 'Allow' }, 'consent: must be one of ask, allow, deny, not "Allow".'],
    [{ consent: null }, 'consent: must be one of ask, allow, deny, not null.'],
    [{ nope: 1 }, 'there is no option "nope". It takes fixture, consent, strict.'],
    [
      { concent: 'ask' },
      'there is no option "concent". Did you mean "consent"? It takes fixture, consent, strict.',
    ],
    [{ strict: 'yes' }, 'strict: must be true or false, not "yes".'],
    [{ fixture: 5 }, 'fixture: must be the path of a file, or an object as one holds, not 5.'],
    [{ fixture: '' }, 'fixture: must be the path of a file, or an object as one holds, not "".'],
    [{ fixture: [] }, 'fixture: must be the path of a file, or an object as one holds, not an array.'],
    [
      { fixture: new Map() },
      'fixture: must be the path of a file, or an object as one holds, not a value of type object.',
    ],
    [
      { fixture: {} },
      'fixture: is empty, and a fixture has at least "me" and "users". Leave it out for the built-in one.',
    ],
  ];

  it.each(wrong)('%j are rejected with the name of the wrong one', async (options, message) => {
    await expect(startEmulator(options as StartEmulatorOptions)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_OPTIONS',
      message: `startEmulator: ${message}`,
    });
  });

  it('with a wrong fixture are rejected with the key in it', async () => {
    const users = [{ id: 7, username: 'seven' }];
    await expect(startEmulator({ fixture: { me: 'seven', users } })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_FIXTURE',
      message: expect.stringMatching(/^fixture: users\[0\]\.id: must be in quotes/),
    });
  });
});

it('the clock of an emulator can be frozen, set, advanced and reset', async () => {
  const { clock, operations } = await started();
  expect(Math.abs((await clock.now()).getTime() - Date.now())).toBeLessThan(60_000);
  await clock.freeze();
  const day = new Date('2031-05-06T00:00:00Z');
  expect(await clock.set(day)).toEqual(day);
  expect(await clock.advance('2h')).toEqual(new Date('2031-05-06T02:00:00Z'));
  expect(await operations.call('clock.now')).toMatchObject({ now: '2031-05-06T02:00:00.000Z', frozen: true });
  await clock.run();
  expect((await clock.reset()).getTime()).toBeLessThan(day.getTime());
  for (const wrong of ['2031-05-06', new Date(Number.NaN), undefined]) {
    await expect(async () => clock.set(wrong as never)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_ARGUMENTS',
    });
  }
  await expect(clock.advance('soon')).rejects.toMatchObject({ code: 'FOOTBRIDGE_SETTING' });
});
