import { describe, expect, it } from 'vitest';
import { isStoredState } from '../../../../../src/emulator/accounts/oauth2/storage/state.ts';
import { digest } from '../../../../../src/emulator/kernel/secrets.ts';

const grant = {
  id: 'abc23',
  userId: '200000000000000001',
  clientId: '300000000000000001',
  transport: 'ipc',
  scopes: ['identify'],
  always: true,
  decidedBy: { kind: 'person', via: 'terminal', program: 'curl', pid: 4242 },
  grantedAt: 1,
};
const token = {
  id: 'fam1',
  userId: '200000000000000001',
  clientId: '300000000000000001',
  scopes: ['identify'],
  issuedAt: 1,
  access: [{ hash: digest('a'), expires: 1 }],
  refresh: { hash: digest('r'), expires: 1 },
  spent: [digest('s')],
  parent: 'fam0',
  deputy: 'secret',
};
const key = { kty: 'RSA', kid: 'k', n: 'n', e: 'AQAB', d: 'd' };
const whole = { grants: [grant], tokens: [token], keys: [key] };

/** A state whose member at a path is another; undefined removes it. */
function changed(path: string, value: unknown): unknown {
  const copy = structuredClone(whole);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const at = names.reduce<Record<string, unknown>>(
    (node, name) => node[name] as Record<string, unknown>,
    copy as unknown as Record<string, unknown>,
  );
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

it('isStoredState accepts a complete state, and one without its optional members', () => {
  expect(isStoredState(whole)).toBe(true);
  for (const path of ['tokens.0.id', 'tokens.0.parent', 'tokens.0.deputy', 'grants.0.decidedBy.pid'])
    expect(isStoredState(changed(path, undefined)), path).toBe(true);
  expect(isStoredState(changed('grants.0.decidedBy', { kind: 'policy' }))).toBe(true);
  expect(isStoredState(changed('grants.0.decidedBy', { kind: 'secret' }))).toBe(true);
  expect(isStoredState(changed('grants.0.later', { any: 'thing' }))).toBe(true);
});

describe('isStoredState refuses', () => {
  const wrong: [path: string, values: unknown[]][] = [
    ['grants', [undefined, {}, null, [null], ['x']]],
    ['tokens', [undefined, {}, [1]]],
    ['keys', [undefined, {}, [[]]]],
    ['grants.0.id', [undefined, 1, '', 'x'.repeat(4097)]],
    ['grants.0.userId', [undefined, 1, '', '0x1']],
    ['grants.0.clientId', [undefined, 1, 'me']],
    ['grants.0.transport', [undefined, '', 1]],
    ['grants.0.scopes', [undefined, 'identify', [''], ['A'], [1], ['x'.repeat(65)], ['a b']]],
    ['grants.0.always', [undefined, 1, 'true']],
    ['grants.0.decidedBy', [undefined, null, {}, { kind: 'me' }, { kind: 'person' }]],
    ['grants.0.decidedBy.via', [undefined, '', 1]],
    ['grants.0.decidedBy.program', ['', 1]],
    ['grants.0.decidedBy.pid', ['1', -1, 1.5]],
    ['grants.0.grantedAt', [undefined, '1', -1, 0.5, Number.NaN, 2 ** 53]],
    ['tokens.0.id', ['', 1, 'a-b', 'x'.repeat(65)]],
    ['tokens.0.userId', [undefined, 1]],
    ['tokens.0.clientId', [undefined, 1]],
    ['tokens.0.scopes', [undefined, ['A']]],
    ['tokens.0.issuedAt', [undefined, -1]],
    ['tokens.0.access', [undefined, {}, [{}]]],
    ['tokens.0.access.0.hash', [undefined, 'short', `${digest('a')}x`, `x${digest('a')}`, 1]],
    ['tokens.0.access.0.expires', [undefined, '1']],
    ['tokens.0.refresh', [undefined, null, {}]],
    ['tokens.0.spent', [undefined, ['x'], digest('s')]],
    ['tokens.0.parent', ['', 1, 'a b']],
    ['tokens.0.deputy', ['me', 1, 'person']],
    ['keys.0.kty', [undefined, 'EC']],
    ['keys.0.kid', [undefined, '']],
    ['keys.0.n', [undefined, 1]],
    ['keys.0.e', [undefined, 1]],
    ['keys.0.d', [undefined, 1]],
  ];
  it.each(wrong)('an invalid %s', (path, values) => {
    expect(values.filter((value) => isStoredState(changed(path, value)))).toEqual([]);
  });
  it('a value that is not an object, and inherited members', () => {
    for (const value of [null, undefined, 1, 'x', [], Object.create(whole)])
      expect(isStoredState(value)).toBe(false);
  });
});
