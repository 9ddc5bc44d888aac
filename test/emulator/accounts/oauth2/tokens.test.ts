import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TokenFamily, TokenStore } from '../../../../src/emulator/accounts/oauth2/tokens.ts';
import { digest } from '../../../../src/emulator/kernel/secrets.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';

const owner = { userId: '1', clientId: '2', scopes: ['rpc'] };
const week = 7 * 86_400_000;
const exists = () => true;

function setUp() {
  const clock = new ManualClock();
  return { clock, vault: new TokenStore(clock, []) };
}

describe('a token', () => {
  it('is stored as its hash only', () => {
    const { vault } = setUp();
    const pair = vault.issue(owner);
    const kept = JSON.stringify(vault.families());
    expect(kept).not.toContain(pair.accessToken);
    expect(kept).not.toContain(pair.refreshToken);
    expect(vault.find(pair.accessToken)?.token.hash).toBe(digest(pair.accessToken));
    expect(vault.find(pair.refreshToken)).toBeUndefined();
    expect(vault.find(digest(pair.accessToken))).toBeUndefined();
  });

  it('has an expiry, and is found after that as well', () => {
    const { vault, clock } = setUp();
    const { accessToken } = vault.issue(owner);
    expect(vault.find(accessToken)?.token.expires).toBe(clock.now() + week);
    clock.advance(week);
    expect(vault.find(accessToken)).toBeDefined();
  });
});

describe('an access token without renewal', () => {
  it('has no refresh token, and its family expires with it', () => {
    const { vault, clock } = setUp();
    const token = vault.issueAccess(owner);
    expect(vault.find(token)?.family.scopes).toEqual(owner.scopes);
    const [family] = vault.families();
    expect(family?.refresh.expires).toBe(family?.access[0]?.expires);
    clock.advance(week - 1);
    expect(vault.familyOf(token)).toBeDefined();
    vault.remove('1', '2');
    expect(vault.find(token)).toBeUndefined();
  });
});

describe('the rotation of a refresh token', () => {
  it('returns a new pair, and the old access token stays valid', () => {
    const { vault } = setUp();
    const first = vault.issue(owner);
    const rotation = vault.rotate(first.refreshToken, '2', exists);
    if (rotation.kind !== 'rotated') throw new Error(rotation.kind);
    expect(vault.find(first.accessToken)).toBeDefined();
    expect(vault.find(rotation.pair.accessToken)).toBeDefined();
    expect(vault.families()).toHaveLength(1);
  });

  it('for the second time drops the family, and only that one', () => {
    const { vault } = setUp();
    const first = vault.issue(owner);
    const other = vault.issue(owner);
    const rotation = vault.rotate(first.refreshToken, '2', exists);
    if (rotation.kind !== 'rotated') throw new Error(rotation.kind);
    expect(vault.rotate(first.refreshToken, '2', exists).kind).toBe('replayed');
    expect(vault.find(first.accessToken)).toBeUndefined();
    expect(vault.find(rotation.pair.accessToken)).toBeUndefined();
    expect(vault.rotate(rotation.pair.refreshToken, '2', exists).kind).toBe('invalid');
    expect(vault.find(other.accessToken)).toBeDefined();
  });

  it.each([1, 16, 17, 100])('detects a replay after %i rotations', (rotations) => {
    const { vault } = setUp();
    const first = vault.issue(owner);
    let last = first;
    for (let i = 0; i < rotations; i += 1) {
      const rotation = vault.rotate(last.refreshToken, '2', exists);
      if (rotation.kind !== 'rotated') throw new Error(rotation.kind);
      last = rotation.pair;
    }
    expect(vault.rotate(first.refreshToken, '2', exists).kind).toBe('replayed');
    expect(vault.find(last.accessToken)).toBeUndefined();
    expect(vault.rotate(last.refreshToken, '2', exists).kind).toBe('invalid');
  });

  it('continues a family that release 0.1.0 stored, and detects its replays', () => {
    const clock = new ManualClock();
    const expires = clock.now() + week;
    const kept = {
      ...owner,
      issuedAt: clock.now(),
      access: [{ hash: digest('access'), expires }],
      refresh: { hash: digest('B'.repeat(30)), expires },
      spent: [digest('A'.repeat(30))],
    };
    for (const replayed of ['A', 'B'] as const) {
      const vault = new TokenStore(clock, [kept]);
      const rotation = vault.rotate('B'.repeat(30), '2', exists);
      if (rotation.kind !== 'rotated') throw new Error(rotation.kind);
      expect(vault.rotate(replayed.repeat(30), '2', exists).kind).toBe('replayed');
      expect(vault.families()).toEqual([]);
    }
  });

  it('by another application fails, and leaves the token valid', () => {
    const { vault } = setUp();
    const first = vault.issue(owner);
    expect(vault.rotate(first.refreshToken, '3', exists).kind).toBe('invalid');
    expect(vault.rotate(first.refreshToken, '2', exists).kind).toBe('rotated');
    expect(vault.rotate(first.refreshToken, '3', exists).kind).toBe('invalid');
    expect(vault.families()).toHaveLength(1);
  });

  it('succeeds after the access token has expired, but not after 90 days', () => {
    const { vault, clock } = setUp();
    const { refreshToken } = vault.issue(owner);
    clock.advance(week + 1);
    const rotation = vault.rotate(refreshToken, '2', exists);
    if (rotation.kind !== 'rotated') throw new Error(rotation.kind);
    expect(rotation.family.access).toHaveLength(1);
    clock.advance(90 * 86_400_000);
    expect(vault.rotate(rotation.pair.refreshToken, '2', exists).kind).toBe('invalid');
  });

  it('fails when the user is removed', () => {
    const { vault } = setUp();
    expect(vault.rotate(vault.issue(owner).refreshToken, '2', () => false).kind).toBe('invalid');
  });

  it('every ten minutes for a week succeeds, and the family does not grow', () => {
    const { vault, clock } = setUp();
    let { refreshToken } = vault.issue(owner);
    for (let i = 0; i < 1008; i += 1) {
      clock.advance(600_000);
      const rotation = vault.rotate(refreshToken, '2', exists);
      if (rotation.kind !== 'rotated') throw new Error(`${rotation.kind} after ${i}`);
      refreshToken = rotation.pair.refreshToken;
    }
    expect(vault.families()[0]?.access).toHaveLength(16);
    expect(vault.families()[0]?.spent).toEqual([]);
  });
});

describe('the limits of token families', () => {
  it('drop the oldest family of an application with more than 32', () => {
    const { vault } = setUp();
    const other = vault.issue({ ...owner, clientId: '3' });
    const pairs = Array.from({ length: 40 }, () => vault.issue(owner));
    expect(vault.families()).toHaveLength(33);
    expect(vault.find(pairs[7]?.accessToken ?? '')).toBeUndefined();
    expect(vault.find(pairs[8]?.accessToken ?? '')).toBeDefined();
    expect(vault.find(other.accessToken)).toBeDefined();
  });

  it('refuse a new family beyond 4096, until some have expired', () => {
    const clock = new ManualClock();
    const family = new TokenStore(clock, []);
    family.issue(owner);
    const [sample] = family.families();
    if (sample === undefined) throw new Error('nothing issued');
    const full = Array.from({ length: 4096 }, (_, index) => ({
      ...sample,
      id: `family${index}`,
      refresh: { ...sample.refresh, hash: `refresh${index}` },
      access: [],
      clientId: String(index + 10),
    }));
    const vault = new TokenStore(clock, full);
    expect(() => vault.issue(owner)).toThrow(/^temporarily_unavailable: /);
    clock.advance(90 * 86_400_000);
    vault.issue(owner);
    expect(vault.families()).toHaveLength(1);
  });
});

it('the token store finds a family by either token, and removes every family of a user and an application', () => {
  const { vault } = setUp();
  const first = vault.issue(owner);
  const second = vault.issue(owner);
  vault.issue({ ...owner, userId: '9' });
  expect(vault.familyOf(first.refreshToken)).toBe(vault.familyOf(first.accessToken));
  expect(vault.familyOf('nope')).toBeUndefined();
  vault.remove('1', '2');
  expect(vault.families()).toMatchObject([{ userId: '9' }]);
  expect(vault.find(second.accessToken)).toBeUndefined();
});

it('after any steps, no refresh token works twice, and a replay revokes only its own family', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('issue' as const), clientId: fc.constantFrom('2', '3') }),
    fc.record({ kind: fc.constant('refresh' as const), pick: fc.nat(99) }),
    fc.record({ kind: fc.constant('remove' as const), clientId: fc.constantFrom('2', '3') }),
    fc.record({ kind: fc.constant('reload' as const) }),
    fc.record({ kind: fc.constant('wait' as const), days: fc.nat(30) }),
  );
  type Family = { clientId: string; alive: boolean; current: string; expires: number; access: string[] };
  const run = (steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]): void => {
    const clock = new ManualClock();
    let vault = new TokenStore(clock, []);
    const families: Family[] = [];
    const given: { token: string; family: Family }[] = [];
    const give = (family: Family, token: string, access: string): void => {
      family.current = token;
      family.expires = clock.now() + 90 * 86_400_000;
      family.access.push(access);
      given.push({ token, family });
    };
    for (const one of steps) {
      switch (one.kind) {
        case 'issue': {
          const family = { clientId: one.clientId, alive: true, current: '', expires: 0, access: [] };
          families.push(family);
          const pair = vault.issue({ userId: '1', clientId: one.clientId, scopes: ['rpc'] });
          give(family, pair.refreshToken, pair.accessToken);
          break;
        }
        case 'refresh': {
          const { token, family } = given[one.pick % Math.max(1, given.length)] ?? {};
          if (token === undefined || family === undefined) break;
          const isCurrent = family.current === token;
          const works = family.alive && isCurrent && clock.now() < family.expires;
          const rotation = vault.rotate(token, family.clientId, exists);
          if (works) {
            if (rotation.kind !== 'rotated') throw new Error(rotation.kind);
            give(family, rotation.pair.refreshToken, rotation.pair.accessToken);
          } else {
            // A family that nobody used for so long may have been swept away before its replay.
            const expected = family.alive && !isCurrent ? ['replayed', 'invalid'] : ['invalid'];
            expect(expected).toContain(rotation.kind);
            if (clock.now() < family.expires && family.alive && !isCurrent)
              expect(rotation.kind).toBe('replayed');
            if (!isCurrent) family.alive = false;
          }
          break;
        }
        case 'remove':
          vault.remove('1', one.clientId);
          for (const family of families) if (family.clientId === one.clientId) family.alive = false;
          break;
        case 'reload':
          vault = new TokenStore(clock, JSON.parse(JSON.stringify(vault.families())) as TokenFamily[]);
          break;
        case 'wait':
          clock.advance(one.days * 86_400_000);
          break;
      }
      for (const { alive, expires, access } of families) {
        const isKept = vault.find(access.at(-1) ?? '') !== undefined;
        if (!alive) expect(isKept).toBe(false);
        else if (clock.now() < expires) expect(isKept).toBe(true);
      }
    }
  };
  fc.assert(fc.property(fc.array(step, { maxLength: 30, size: 'max' }), run), { numRuns: 300 });
});
