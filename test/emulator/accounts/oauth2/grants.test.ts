import { describe, expect, it } from 'vitest';
import { type GrantKey, GrantStore } from '../../../../src/emulator/accounts/oauth2/grants.ts';
import type { Decider } from '../../../../src/emulator/api/waiting-request.ts';

const key: GrantKey = { userId: '1', clientId: '2', transport: 'ipc' };
const person: Decider = { kind: 'person', via: 'test', pid: 5 };
const policy: Decider = { kind: 'policy' };
const consent = (scopes: string[], more: { always?: boolean; decidedBy?: Decider } = {}) => ({
  scopes,
  always: false,
  decidedBy: person,
  grantedAt: 1,
  ...more,
});

describe('GrantStore.covering', () => {
  const book = new GrantStore([]);
  book.record(key, consent(['identify', 'rpc']));

  it.each<[string, Partial<GrantKey>, string[], boolean]>([
    ['the same', {}, ['identify', 'rpc'], true],
    ['the same in another order', {}, ['rpc', 'identify'], true],
    ['less', {}, ['rpc'], true],
    ['one more scope', {}, ['identify', 'rpc', 'guilds'], false],
    ['another scope', {}, ['guilds'], false],
    ['another application', { clientId: '3' }, ['rpc'], false],
    ['another account', { userId: '3' }, ['rpc'], false],
    ['another transport', { transport: 'websocket http://a' }, ['rpc'], false],
    ['another origin', { transport: 'ipc ' }, ['rpc'], false],
  ])('compares a grant with %s', (_, other, scopes, expected) => {
    expect(book.covering({ ...key, ...other }, scopes, false) !== undefined).toBe(expected);
    expect(book.covering({ ...key, ...other }, scopes, true)).toBeUndefined();
  });

  it('does not combine two grants', () => {
    const two = new GrantStore([]);
    two.record(key, consent(['identify'], { always: true }));
    two.record(key, consent(['rpc'], { always: true }));
    expect(two.list()).toHaveLength(2);
    expect(two.covering(key, ['identify', 'rpc'], false)).toBeUndefined();
    expect(two.covering(key, ['rpc'], true)).toBeDefined();
  });

  it('does not return a grant of the policy', () => {
    const record = new GrantStore([]);
    record.record(key, consent(['rpc'], { decidedBy: policy }));
    expect(record.covering(key, ['rpc'], false)).toBeUndefined();
    expect(record.list()).toHaveLength(1);
  });
});

describe('the grant store', () => {
  it.each<[string, [string[], boolean, Decider], [string[], boolean, Decider], number]>([
    ['more replaces less', [['a'], false, person], [['a', 'b'], false, person], 1],
    ['the same replaces the same', [['a'], false, person], [['a'], false, person], 1],
    ['less does not replace more', [['a', 'b'], false, person], [['a'], false, person], 2],
    ['once does not undo always', [['a'], true, person], [['a'], false, person], 2],
    ['always replaces once', [['a'], false, person], [['a'], true, person], 1],
    ['policy does not undo a person', [['a'], false, person], [['a', 'b'], false, policy], 2],
    ['a person replaces the policy', [['a'], false, policy], [['a'], false, person], 1],
  ])('records by the rule: %s', (_, first, second, count) => {
    const book = new GrantStore([]);
    for (const [scopes, always, decidedBy] of [first, second])
      book.record(key, consent(scopes, { always, decidedBy }));
    expect(book.list()).toHaveLength(count);
  });

  it('stores at most sixteen grants of one key, and leaves the others unchanged', () => {
    const book = new GrantStore([]);
    book.record({ ...key, userId: '9' }, consent(['z']));
    for (let i = 0; i < 40; i += 1) book.record(key, consent([`s${i}`]));
    expect(book.list().filter((grant) => grant.userId === '1')).toHaveLength(16);
    expect(book.covering(key, ['s39'], false)).toBeDefined();
    expect(book.covering(key, ['s0'], false)).toBeUndefined();
    expect(book.covering({ ...key, userId: '9' }, ['z'], false)).toBeDefined();
  });

  it('displaces grants of the policy when it is full, and never grants of a user', () => {
    const book = new GrantStore([]);
    for (let i = 0; i < 1023; i += 1) book.record({ ...key, clientId: String(i) }, consent(['a']));
    book.record({ ...key, clientId: 'policy' }, consent(['a'], { decidedBy: policy }));
    book.checkRoom();
    book.record({ ...key, clientId: 'new' }, consent(['a']));
    expect(book.list()).toHaveLength(1024);
    expect(book.list().some((grant) => grant.clientId === 'policy')).toBe(false);
    expect(() => book.checkRoom()).toThrow(/^access_denied: /);
  });

  it('assigns a unique id to every grant', () => {
    const book = new GrantStore([]);
    for (let i = 0; i < 500; i += 1) book.record({ ...key, clientId: String(i) }, consent(['a']));
    expect(new Set(book.list().map((grant) => grant.id)).size).toBe(500);
  });
});

it('the grant store removes the grants of a user and an application over all transports', () => {
  const book = new GrantStore([]);
  book.record(key, consent(['a']));
  book.record({ ...key, transport: 'websocket x' }, consent(['a']));
  book.record({ ...key, clientId: '3' }, consent(['a']));
  expect(book.remove('1', '2').map(({ transport }) => transport)).toEqual(['ipc', 'websocket x']);
  expect(book.remove('1', '2')).toEqual([]);
  expect(book.list()).toHaveLength(1);
});

it('the grant store displaces grants of the policy before grants of a user, in either order', () => {
  const book = new GrantStore([]);
  const kept = book.record(key, consent(['identify', 'rpc'], { always: true }));
  for (let i = 0; i < 20; i += 1) book.record(key, consent([`scope.${i}`], { decidedBy: policy }));
  expect(book.list()).toHaveLength(16);
  expect(book.list()).toContainEqual(kept);
});
