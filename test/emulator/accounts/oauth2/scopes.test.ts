import { describe, expect, it } from 'vitest';
import {
  checkScopes,
  describeScope,
  mayBeRemembered,
} from '../../../../src/emulator/accounts/oauth2/scopes.ts';
import { SCOPES } from '../../../../src/protocol/scope.ts';

const plain = { partner: false, public_client: false };
const partner = { partner: true, public_client: false };

describe('checkScopes', () => {
  it('preserves the order and drops repetitions', () => {
    expect(checkScopes(['rpc', 'identify', 'rpc'], plain)).toEqual(['rpc', 'identify']);
  });

  it('accepts every scope for a partner, and all but one for others [U-2, A-14]', () => {
    const all = Object.keys(SCOPES);
    expect(checkScopes(all, partner)).toEqual(all);
    for (const scope of all.filter((name) => name !== 'identify.premium')) checkScopes([scope], plain);
    expect(() => checkScopes(['identify', 'identify.premium'], plain)).toThrow(
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
    expect(() => checkScopes(scopes, partner)).toThrow(message);
    expect(() => checkScopes(scopes, partner)).toThrow(/^invalid_scope: /);
  });

  it('refuses scopes that a public client cannot protect', () => {
    const publicClient = { partner: true, public_client: true };
    expect(() => checkScopes(['role_connections.write'], publicClient)).toThrow(
      /^invalid_scope: .*public client.*role_connections\.write/,
    );
    expect(checkScopes(['role_connections.write'], plain)).toEqual(['role_connections.write']);
  });

  it('limits the length of its error, whatever is requested', () => {
    const scopes = Array.from({ length: 1000 }, (_, index) => `${index}${'x'.repeat(1000)}`);
    try {
      checkScopes(scopes, plain);
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
])('consent to %j may be remembered: %s', (scopes, expected) => {
  expect(mayBeRemembered(scopes)).toBe(expected);
});

it('describeScope describes an unknown scope without failing', () => {
  expect(describeScope('identify')).toMatch(/user name/);
  expect(describeScope('constructor')).toBe('Unknown');
});
