import { describe, expect, it } from 'vitest';
import { checkScopes, describeScope, mayBeRemembered } from '../../../src/emulator/oauth2/scopes.ts';
import { SCOPES } from '../../../src/protocol/scope.ts';

describe('checkScopes', () => {
  it('keeps the order and drops repetitions', () => {
    expect(checkScopes(['rpc', 'identify', 'rpc'], false)).toEqual(['rpc', 'identify']);
  });

  it('U-2, A-14: accepts every scope for a partner, and all but one for others', () => {
    const all = Object.keys(SCOPES);
    expect(checkScopes(all, true)).toEqual(all);
    for (const scope of all.filter((name) => name !== 'identify.premium')) checkScopes([scope], false);
    expect(() => checkScopes(['identify', 'identify.premium'], false)).toThrow(
      /^invalid_scope: .*identify\.premium/,
    );
  });

  it.each([
    [[], /No scope/],
    [[''], /Unknown scope/],
    [['identify', 'rpc.local'], /"rpc\.local"/],
    [['rpc.private'], /"rpc\.private"/],
    [['Identify'], /"Identify"/],
    [['constructor', '__proto__'], /"constructor", "__proto__"/],
    [['a', 'b', 'c', 'd', 'e'], /"a", "b", "c" and 2 more/],
    [['\u202Ex\n'], /"x"/],
  ])('refuses %j', (scopes, message) => {
    expect(() => checkScopes(scopes, true)).toThrow(message);
    expect(() => checkScopes(scopes, true)).toThrow(/^invalid_scope: /);
  });

  it('keeps the error short whatever is asked', () => {
    const scopes = Array.from({ length: 1000 }, (_, index) => `${index}${'x'.repeat(1000)}`);
    try {
      checkScopes(scopes, false);
      expect.unreachable();
    } catch (error) {
      expect((error as Error).message.length).toBeLessThan(300);
    }
  });
});

it.each([
  [['identify', 'rpc'], true],
  [['identify', 'bot'], false],
  [['webhook.incoming'], false],
])('an answer for %j may be remembered: %s', (scopes, expected) => {
  expect(mayBeRemembered(scopes)).toBe(expected);
});

it('describes what it does not know without failing', () => {
  expect(describeScope('identify')).toMatch(/user name/);
  expect(describeScope('constructor')).toBe('Unknown');
});
