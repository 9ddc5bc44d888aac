import { execFile } from 'node:child_process';
import { describe, expect, it, vi } from 'vitest';
import {
  Activity,
  AuthorizationArgs,
  AuthorizationTokenType,
  Client,
  ErrorType,
  LoggingSeverity,
  StatusType,
  VoiceSettings,
} from '../../src/sdk/index.ts';
import { bundledModule } from '../helpers/bundled.ts';
import { asynchronous, listening, others } from './entry-points.ts';
import { applicationId, argsWith, game } from './harness.ts';

const wrongCallbacks: readonly unknown[] = ['x', 5, {}, [], null, true, Promise.resolve(), Symbol('x')];

it('the lists of this test name every entry point of the client', () => {
  const names: string[] = [];
  for (let at: object = Client.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    names.push(...Object.getOwnPropertyNames(at));
  const known = [...Object.keys(asynchronous), ...Object.keys(listening), ...others];
  expect([...new Set(names)].toSorted()).toEqual(known.toSorted());
});

describe.each([...Object.entries(asynchronous), ...Object.entries(listening)])('%s', (_name, call) => {
  it('throws at once for a callback that is no function, and has no effect', () => {
    const client = new Client('http://127.0.0.1:9/api', '');
    const log = vi.fn();
    client.AddLogCallback(log, LoggingSeverity.Verbose);
    for (const wrong of wrongCallbacks) {
      expect(() => call(client, wrong as never)).toThrow(new TypeError('callback: must be a function'));
    }
    expect(log).not.toHaveBeenCalled();
  });
});

const wrongObjects: readonly unknown[] = [undefined, null, {}, 5, 'x', [], () => {}];

it.each(wrongObjects)('Authorize throws at once for %o as its arguments', async (wrong) => {
  const { client, server } = await game();
  for (const args of [wrong, new Activity()]) {
    expect(() => client.Authorize(args as never)).toThrow(
      new TypeError('args: must be an AuthorizationArgs; make one with new AuthorizationArgs()'),
    );
  }
  expect(server.peers.flatMap((peer) => peer.requests('AUTHORIZE'))).toEqual([]);
});

it.each(wrongObjects)('UpdateRichPresence throws at once for %o as the activity', async (wrong) => {
  const { client } = await game();
  for (const activity of [wrong, new AuthorizationArgs()]) {
    expect(() => client.UpdateRichPresence(activity as never)).toThrow(
      new TypeError('activity: must be an Activity; make one with new Activity()'),
    );
  }
});

it('the Client constructor throws at once for settings and addresses of another type', () => {
  const make = (...given: unknown[]) => Reflect.construct(Client, given) as Client;
  const wrong: [unknown[], string][] = [
    [[undefined, ''], 'apiBase: must be a string'],
    [['', 5], 'webBase: must be a string'],
    [['', '', null], 'settings: must be an object'],
    [['', '', 'x'], 'settings: must be an object'],
    [['', '', { anyOwner: 'no' }], 'settings.anyOwner: must be a boolean'],
    [['', '', { paths: '/x' }], 'settings.paths: must be a list of strings'],
    [['', '', { paths: [5] }], 'settings.paths: must be a list of strings'],
    [['', '', { openUrl: 'firefox' }], 'settings.openUrl: must be a function'],
  ];
  for (const [given, message] of wrong) expect(() => make(...given)).toThrow(new TypeError(message));
});

it('GetRelationshipsByGroup throws at once for an unknown group', () => {
  const client = new Client('', '');
  for (const wrong of [undefined, 3, 'Offline']) {
    expect(() => client.GetRelationshipsByGroup(wrong as never)).toThrow(/^group: must be one of /);
  }
});

it('SearchFriendsByUsername and ProvisionalUserMergeCompleted throw at once for an argument of another type', () => {
  const client = new Client('', '');
  for (const wrong of [undefined, null, 5, {}, Symbol('x')]) {
    expect(() => client.SearchFriendsByUsername(wrong as never)).toThrow(
      new TypeError('searchStr: must be a string'),
    );
    expect(() => client.ProvisionalUserMergeCompleted(wrong as never)).toThrow(
      new TypeError('success: must be a boolean'),
    );
  }
});

it('SetOnlineStatus, FetchCurrentUser and SendUserMessageWithMetadata name the wrong argument in their result', async () => {
  const client = new Client('http://127.0.0.1:9/api', '');
  const { Bearer, User } = AuthorizationTokenType;
  for (const wrong of [undefined, null, 'Online', {}, Symbol('x')]) {
    const answers = [
      await client.SetOnlineStatus(wrong as never),
      await client.FetchCurrentUser(wrong as never, 'token'),
      await client.SendUserMessageWithMetadata(1n, 'text', wrong as never),
    ];
    expect(answers.map(({ result }) => [result.Type(), result.Error().split(':')[0]])).toEqual([
      [ErrorType.ValidationError, 'status'],
      [ErrorType.ValidationError, 'tokenType'],
      wrong === undefined || wrong === null || typeof wrong !== 'object'
        ? [ErrorType.ValidationError, 'metadata']
        : [ErrorType.ClientNotReady, 'token'],
    ]);
  }
  const { Offline, Blocked, Streaming, Unknown } = StatusType;
  for (const status of [Offline, Blocked, Streaming, Unknown, 8])
    expect((await client.SetOnlineStatus(status as never)).result.Type()).toBe(ErrorType.ValidationError);
  expect((await client.FetchCurrentUser(User, 'token')).result.Error()).toBe(
    'tokenType: only Bearer is offered',
  );
  for (const token of ['', undefined, 5, {}])
    expect((await client.FetchCurrentUser(Bearer, token as never)).result.Error()).toMatch(
      /^token: must be /,
    );
});

it('GetToken names a verifier or an address that is no string in its result', async () => {
  const { client } = await game({ AUTHORIZE: () => ({ code: 'a code' }) });
  const pair = client.CreateAuthorizationCodeVerifier();
  await client.Authorize(argsWith((args) => args.SetCodeChallenge(pair.Challenge())));
  for (const wrong of [undefined, null, 5, {}, Symbol('x')]) {
    const one = await client.GetToken(applicationId, 'code', wrong as never, '');
    expect(one.result.Error()).toMatch(/^codeVerifier: must be 43 to 128/);
    const two = await client.GetToken(applicationId, 'code', pair.Verifier(), wrong as never);
    expect([two.result.Type(), two.result.Error()]).toEqual([
      ErrorType.ValidationError,
      'redirectUri: must be a string',
    ]);
  }
});

it('Authorize reports the error that openUrl threw', async () => {
  const openUrl = (): void => {
    throw new Error('no browser here');
  };
  const client = new Client('', 'http://127.0.0.1:9', { paths: ['/nowhere/discord-ipc-0'], openUrl });
  client.SetApplicationId(applicationId);
  const { result } = await client.Authorize(argsWith());
  expect([result.Type(), result.Error()]).toEqual([
    ErrorType.AuthorizationFailed,
    'settings.openUrl: threw: no browser here',
  ]);
  await client.Disconnect();
});

it('the VoiceSettings constructor throws its own name for null', () => {
  expect(() => new VoiceSettings(null as never)).toThrow(/^VoiceSettings: /);
});

/** Runs a program against the library; resolves with what it wrote to stderr. */
function program(text: string): Promise<string> {
  const source = `import { Client, LoggingSeverity } from ${bundledModule('sdk')};
    const client = new Client('http://127.0.0.1:9/api', '', { paths: ['/nowhere/discord-ipc-0'] });
    ${text}`;
  return new Promise((resolve) => {
    const args = ['--input-type=module', '--eval', source];
    execFile(process.execPath, args, (_error, _stdout, stderr) => resolve(stderr));
  });
}

describe('a callback that throws', () => {
  it('ends the process with its own error, whose stack names the callback', async () => {
    const stderr = await program(
      `client.GetVoiceSettings(function ofTheGame() { throw new Error('a bug of the game'); });`,
    );
    expect(stderr).toMatch(/Error: a bug of the game\n\s+at ofTheGame/);
  });

  it.each([
    ['GetVoiceSettings', `client.GetVoiceSettings(() => { throw 'a text'; });`, '"a text"'],
    ['GetGuildChannels', `client.GetGuildChannels(1n, () => { throw null; });`, 'null'],
    [
      'AddLogCallback',
      `client.AddLogCallback(() => { throw undefined; }, LoggingSeverity.Verbose); client.GetVoiceSettings();`,
      'undefined',
    ],
  ])(
    '%s: a thrown value that is no Error is reported with the name of the entry point',
    async (name, text, thrown) => {
      expect(await program(text)).toContain(`Error: The callback given to ${name} threw ${thrown}`);
    },
  );
});
