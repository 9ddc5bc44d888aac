import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/protocol/command.ts';
import { findCommand } from '../../src/protocol/registry.ts';
import { activity } from '../../src/protocol/shapes/activity.ts';
import type { TransportKind } from '../../src/wire/connection.ts';

const CLIENT_ID = '300000000000000001';

/** A session that notes what a command does with it. */
function session(transport: TransportKind = 'ipc', result: unknown = {}) {
  const noted: unknown[][] = [];
  const call: Call = {
    clientId: CLIENT_ID,
    transport,
    evt: undefined,
    forward(args) {
      noted.push(['forward', args]);
      return result;
    },
    async exclusively(step, task) {
      noted.push([step]);
      return task();
    },
    authenticated(grant) {
      noted.push(['authenticated', grant]);
      return ['of the session'];
    },
    subscribe: () => {},
    unsubscribe: () => {},
  };
  return { call, noted };
}

const handle = async (name: string, call: Call, args: object) => findCommand(name)?.handle?.(call, args);
const refusal = (code: number, about: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(about) as string }) as Error;

describe('AUTHORIZE', () => {
  it.each([
    [{}, 4007, 'client_id: the id of the application is required'],
    [{ client_id: '' }, 4007, 'client_id: the id'],
    [{ client_id: '1' }, 4007, "client_id: is not this connection's application"],
    [{ client_id: CLIENT_ID, response_type: 'token' }, 4002, 'response_type: only "code" is supported'],
    [{ client_id: CLIENT_ID, response_type: '' }, 4002, 'response_type'],
  ])('refuses %j without a request to the core', async (args, code, about) => {
    const { call, noted } = session();
    await expect(handle('AUTHORIZE', call, args)).rejects.toThrow(refusal(code, about));
    expect(noted).toEqual([]);
  });
  it.each([{}, { response_type: 'code' }])('forwards %j to the core, one request at a time', async (more) => {
    const { call, noted } = session('ipc', { code: 'c' });
    const args = { client_id: CLIENT_ID, ...more };
    expect(await handle('AUTHORIZE', call, args)).toEqual({ code: 'c' });
    expect(noted).toEqual([['authorizing'], ['forward', args]]);
  });
});

describe('AUTHENTICATE', () => {
  const result = { access_token: 'obtained', scopes: ['identify'] };
  it.each(['http', 'websocket'] as const)('requires a token over %s', async (transport) => {
    for (const args of [{}, { access_token: null }, { access_token: '' }]) {
      const { call, noted } = session(transport, result);
      await expect(handle('AUTHENTICATE', call, args)).rejects.toThrow(refusal(4009, 'access_token'));
      expect(noted).toEqual([]);
    }
  });
  it.each([
    ['ipc', {}, 'obtained'],
    ['ipc', { access_token: 'sent' }, 'sent'],
    ['websocket', { access_token: 'sent' }, 'sent'],
  ] as const)(
    'over %s with %j grants the session the scopes of the token',
    async (transport, args, token) => {
      const { call, noted } = session(transport, result);
      expect(await handle('AUTHENTICATE', call, args)).toEqual({ ...result, scopes: ['of the session'] });
      const grant = { token, scopes: result.scopes };
      expect(noted).toEqual([['authenticating'], ['forward', args], ['authenticated', grant]]);
    },
  );
  it('fails when the core returns no token', async () => {
    const { call, noted } = session('ipc', { scopes: ['identify'] });
    await expect(handle('AUTHENTICATE', call, {})).rejects.toThrow(refusal(4009, 'access_token'));
    expect(noted).not.toContainEqual(['authenticated', expect.anything()]);
  });
});

describe('SET_ACTIVITY', () => {
  const check = (args: object, transport: TransportKind = 'ipc') => {
    const set = findCommand('SET_ACTIVITY');
    set?.check?.(set.args().parse(args), { transport });
  };
  const secrets = { join: 'join secret', spectate: 'spectate secret' };
  const party = (id: string) => ({ id });
  const button = { label: 'Watch', url: 'https://example.test/' };

  it('requires the pid over ipc only', () => {
    for (const args of [{}, { pid: null }]) {
      expect(() => check(args)).toThrow(refusal(4002, 'pid'));
      expect(() => check(args, 'websocket')).not.toThrow();
    }
    expect(() => check({ pid: 0 })).not.toThrow();
  });
  it.each([
    [{}],
    [{ secrets }],
    [{ secrets: {}, buttons: [button] }],
    [{ party: party('pp') }],
    [{ secrets, party: party('join') }],
    [{ secrets, party: {} }],
  ])('accepts %j', (value) => {
    expect(() => check({ pid: 1, activity: value })).not.toThrow();
  });
  it.each([
    [{ secrets, party: party('join secret') }, 'party id'],
    [{ secrets, party: party('spectate secret') }, 'party id'],
    [{ secrets: { join: 'same', match: 'same' } }, 'differ'],
    [{ secrets, buttons: [button] }, 'buttons'],
  ])('refuses the secrets of %j', (value, about) => {
    expect(() => check({ pid: 1, activity: value })).toThrow(refusal(5005, about));
  });
});

it.each([
  ['name', 1, 128],
  ['state', 2, 128],
  ['details', 2, 128],
])('an activity has a %s of %i to %i UTF-16 units', (field, min, max) => {
  const takes = (length: number) => activity().safeParse({ [field]: 'x'.repeat(length) }).success;
  expect([min - 1, min, max, max + 1].map(takes)).toEqual([false, true, true, false]);
  // A character beyond the basic plane is two units.
  const pairs = (count: number) => activity().safeParse({ [field]: '😀'.repeat(count) }).success;
  expect([max / 2, max / 2 + 1].map(pairs)).toEqual([true, false]);
});
