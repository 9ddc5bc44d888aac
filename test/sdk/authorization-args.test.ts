import { describe, expect, it } from 'vitest';
import { AuthorizationArgs, AuthorizationCodeChallenge, IntegrationType } from '../../src/sdk/index.ts';

describe('each of the seven members of AuthorizationArgs [A-8]', () => {
  const challenge = new AuthorizationCodeChallenge();
  const values = {
    ClientId: 18n,
    Scopes: 'openid',
    State: 'state',
    Nonce: 'nonce',
    CodeChallenge: challenge,
    IntegrationType: IntegrationType.UserInstall,
    CustomSchemeParam: 'game',
  };
  const unset = { ClientId: 0n, Scopes: '' };

  it.each(Object.entries(values))('%s has a getter Name() and a setter SetName(v)', (name, value) => {
    const args = new AuthorizationArgs() as unknown as Record<string, (value?: unknown) => unknown>;
    const initial = name in unset ? unset[name as keyof typeof unset] : undefined;
    const get = (): unknown => args[name]?.();
    const set = (given: unknown): unknown => args[`Set${name}`]?.(given);
    expect(get()).toBe(initial);
    expect(set(value)).toBeUndefined();
    expect(get()).toEqual(value);
    set(undefined);
    expect(get()).toBe(initial);
  });
});

describe('the optional uint64 ClientId [A-1]', () => {
  const args = new AuthorizationArgs();

  it.each<[bigint | string, bigint]>([
    [1n, 1n],
    ['1', 1n],
    [2n ** 64n - 1n, 18446744073709551615n],
    ['18446744073709551615', 18446744073709551615n],
    ['207646673902501888', 207646673902501888n],
  ])('accepts %s', (given, held) => {
    args.SetClientId(given);
    expect(args.ClientId()).toBe(held);
  });

  it.each([1, 1.5, Number.NaN, null, true, {}, '', '-1', '0x10', '1e3', ' 1', '1n', '1'.repeat(21)])(
    'throws TypeError for %j',
    (given) => {
      expect(() => args.SetClientId(given as never)).toThrow(
        new TypeError('ClientId: must be a bigint or a decimal string'),
      );
    },
  );

  it.each([-1n, 2n ** 64n, '18446744073709551616'])('throws RangeError for %s', (given) => {
    expect(() => args.SetClientId(given)).toThrow(new RangeError('ClientId: must be from 0 to 2^64-1'));
  });

  it('retains its value when a new value is refused', () => {
    args.SetClientId(7n);
    expect(() => args.SetClientId(-1n)).toThrow();
    expect(args.ClientId()).toBe(7n);
  });
});

it.each([0, 1])('IntegrationType, with GuildInstall = 0 and UserInstall = 1, accepts %i [A-6]', (value) => {
  const args = new AuthorizationArgs();
  args.SetIntegrationType(value as IntegrationType);
  expect(args.IntegrationType()).toBe(value);
});

it.each([2, -1, '0', null])('IntegrationType refuses %j [A-6]', (value) => {
  expect(() => new AuthorizationArgs().SetIntegrationType(value as never)).toThrow(
    'IntegrationType: must be one of GuildInstall (0), UserInstall (1)',
  );
});

it.each(['1game', '', 'my game', 'game:', 'spiel/ö', '-x'])(
  'CustomSchemeParam refuses %j, which is not a URI scheme [A-7]',
  (value) => {
    expect(() => new AuthorizationArgs().SetCustomSchemeParam(value)).toThrow(/^CustomSchemeParam: /);
  },
);

it('the challenge method can only be S256 [A-5]', () => {
  const challenge = new AuthorizationCodeChallenge();
  expect(challenge.Method()).toBe(0);
  expect(() => challenge.SetMethod(1 as never)).toThrow('Method: must be one of S256 (0)');
});

it.each(['SetScopes', 'SetState', 'SetNonce', 'SetCustomSchemeParam', 'SetCodeChallenge'] as const)(
  '%s refuses a value of another type, and names the field',
  (setter) => {
    const args = new AuthorizationArgs();
    for (const wrong of [5, null, {}, ['openid']]) {
      expect(() => args[setter](wrong as never)).toThrow(new RegExp(`^${setter.slice(3)}: must be an? `));
    }
  },
);
