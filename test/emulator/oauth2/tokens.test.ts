import { describe, expect, it } from 'vitest';
import { digest } from '../../../src/emulator/oauth2/random.ts';
import { TokenVault } from '../../../src/emulator/oauth2/tokens.ts';
import { ManualClock } from '../../helpers/manual-clock.ts';

const owner = { userId: '1', clientId: '2', scopes: ['rpc'] };
const week = 7 * 86_400_000;
const exists = () => true;

function setUp() {
  const clock = new ManualClock();
  return { clock, vault: new TokenVault(clock, []) };
}

describe('a token', () => {
  it('is kept as its hash only', () => {
    const { vault } = setUp();
    const pair = vault.issue(owner);
    const kept = JSON.stringify(vault.families());
    expect(kept).not.toContain(pair.accessToken);
    expect(kept).not.toContain(pair.refreshToken);
    expect(vault.find(pair.accessToken)?.token.hash).toBe(digest(pair.accessToken));
    expect(vault.find(pair.refreshToken)).toBeUndefined();
    expect(vault.find(digest(pair.accessToken))).toBeUndefined();
  });

  it('says when it expires, and is found after that as well', () => {
    const { vault, clock } = setUp();
    const { accessToken } = vault.issue(owner);
    expect(vault.find(accessToken)?.token.expires).toBe(clock.now() + week);
    clock.advance(week);
    expect(vault.find(accessToken)).toBeDefined();
  });
});

describe('rotation', () => {
  it('gives a new pair; the old access token lives on', () => {
    const { vault } = setUp();
    const first = vault.issue(owner);
    const rotation = vault.rotate(first.refreshToken, '2', exists);
    if (rotation.kind !== 'rotated') throw new Error(rotation.kind);
    expect(vault.find(first.accessToken)).toBeDefined();
    expect(vault.find(rotation.pair.accessToken)).toBeDefined();
    expect(vault.families()).toHaveLength(1);
  });

  it('a second use drops the family, and only that one', () => {
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

  it('another application can neither use nor burn it', () => {
    const { vault } = setUp();
    const first = vault.issue(owner);
    expect(vault.rotate(first.refreshToken, '3', exists).kind).toBe('invalid');
    expect(vault.rotate(first.refreshToken, '2', exists).kind).toBe('rotated');
    expect(vault.rotate(first.refreshToken, '3', exists).kind).toBe('invalid');
    expect(vault.families()).toHaveLength(1);
  });

  it('works after the access token has expired, and not after 90 days', () => {
    const { vault, clock } = setUp();
    const { refreshToken } = vault.issue(owner);
    clock.advance(week + 1);
    const rotation = vault.rotate(refreshToken, '2', exists);
    if (rotation.kind !== 'rotated') throw new Error(rotation.kind);
    expect(rotation.family.access).toHaveLength(1);
    clock.advance(90 * 86_400_000);
    expect(vault.rotate(rotation.pair.refreshToken, '2', exists).kind).toBe('invalid');
  });

  it('ends with the user', () => {
    const { vault } = setUp();
    expect(vault.rotate(vault.issue(owner).refreshToken, '2', () => false).kind).toBe('invalid');
  });

  it('survives a client that refreshes every ten minutes for a week without growing', () => {
    const { vault, clock } = setUp();
    let { refreshToken } = vault.issue(owner);
    for (let i = 0; i < 1008; i += 1) {
      clock.advance(600_000);
      const rotation = vault.rotate(refreshToken, '2', exists);
      if (rotation.kind !== 'rotated') throw new Error(`${rotation.kind} after ${i}`);
      refreshToken = rotation.pair.refreshToken;
    }
    expect(vault.families()[0]?.access).toHaveLength(16);
    expect(vault.families()[0]?.spent).toHaveLength(16);
  });
});

describe('limits', () => {
  it('an application that collects more than 32 families loses its oldest', () => {
    const { vault } = setUp();
    const other = vault.issue({ ...owner, clientId: '3' });
    const pairs = Array.from({ length: 40 }, () => vault.issue(owner));
    expect(vault.families()).toHaveLength(33);
    expect(vault.find(pairs[7]?.accessToken ?? '')).toBeUndefined();
    expect(vault.find(pairs[8]?.accessToken ?? '')).toBeDefined();
    expect(vault.find(other.accessToken)).toBeDefined();
  });

  it('refuses beyond 4096 families until some have expired', () => {
    const clock = new ManualClock();
    const family = new TokenVault(clock, []);
    family.issue(owner);
    const [sample] = family.families();
    if (sample === undefined) throw new Error('nothing issued');
    const full = Array.from({ length: 4096 }, (_, index) => ({ ...sample, clientId: String(index + 10) }));
    const vault = new TokenVault(clock, full);
    expect(() => vault.issue(owner)).toThrow(/^temporarily_unavailable: /);
    clock.advance(90 * 86_400_000);
    vault.issue(owner);
    expect(vault.families()).toHaveLength(1);
  });
});

it('finds the family by either token and removes every family of a user and an application', () => {
  const { vault } = setUp();
  const first = vault.issue(owner);
  const second = vault.issue(owner);
  vault.issue({ ...owner, userId: '9' });
  expect(vault.familyOf(first.refreshToken)).toBe(vault.familyOf(first.accessToken));
  expect(vault.familyOf('nope')).toBeUndefined();
  expect(vault.remove('1', '2')).toEqual([digest(first.accessToken), digest(second.accessToken)]);
  expect(vault.families()).toHaveLength(1);
  expect(vault.remove('1', '2')).toEqual([]);
});
