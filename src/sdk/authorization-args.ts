import { AuthenticationCodeChallengeMethod, IntegrationType } from './enums.ts';
import { nullObject, SdkObject } from './object.ts';
import { optionalEnum, optionalText, uint64 } from './values.ts';

/** The public half of a PKCE pair; the game passes it in {@link AuthorizationArgs}. */
export class AuthorizationCodeChallenge extends SdkObject<{
  method: AuthenticationCodeChallengeMethod;
  challenge: string;
}> {
  static readonly nullobj = nullObject(
    'AuthorizationCodeChallenge',
    new AuthorizationCodeChallenge(),
    new AuthorizationCodeChallenge(),
  );

  constructor(other?: AuthorizationCodeChallenge) {
    super(other, { method: AuthenticationCodeChallengeMethod.S256, challenge: '' });
  }

  Method(): AuthenticationCodeChallengeMethod {
    return this.read('method');
  }

  /** Throws RangeError for any value except S256; undefined resets it to S256. */
  SetMethod(value: AuthenticationCodeChallengeMethod | undefined): void {
    const method = optionalEnum('Method', value, AuthenticationCodeChallengeMethod);
    this.write('method', method ?? AuthenticationCodeChallengeMethod.S256);
  }

  Challenge(): string {
    return this.read('challenge');
  }

  SetChallenge(value: string | undefined): void {
    this.write('challenge', optionalText('Challenge', value) ?? '');
  }
}

/** A PKCE pair; the verifier stays in the game until `GetToken`. */
export class AuthorizationCodeVerifier extends SdkObject<{
  challenge: AuthorizationCodeChallenge;
  verifier: string;
}> {
  static readonly nullobj = nullObject(
    'AuthorizationCodeVerifier',
    new AuthorizationCodeVerifier(),
    new AuthorizationCodeVerifier(),
  );

  constructor(other?: AuthorizationCodeVerifier) {
    super(other, { challenge: new AuthorizationCodeChallenge(), verifier: '' });
  }

  protected override get secrets(): readonly string[] {
    return ['verifier'];
  }

  /** Returns a copy; changes to the copy have no effect on the verifier. */
  Challenge(): AuthorizationCodeChallenge {
    return this.read('challenge');
  }

  SetChallenge(value: AuthorizationCodeChallenge | undefined): void {
    this.write('challenge', asChallenge('Challenge', value) ?? new AuthorizationCodeChallenge());
  }

  Verifier(): string {
    return this.read('verifier');
  }

  SetVerifier(value: string | undefined): void {
    this.write('verifier', optionalText('Verifier', value) ?? '');
  }
}

interface ArgsFields {
  clientId: bigint;
  scopes: string;
  state: string | undefined;
  nonce: string | undefined;
  codeChallenge: AuthorizationCodeChallenge | undefined;
  integrationType: IntegrationType | undefined;
  customSchemeParam: string | undefined;
}

const UNSET: ArgsFields = {
  clientId: 0n,
  scopes: '',
  state: undefined,
  nonce: undefined,
  codeChallenge: undefined,
  integrationType: undefined,
  customSchemeParam: undefined,
};

/** Arguments of `Client.Authorize`. A setter called with undefined unsets its field. */
export class AuthorizationArgs extends SdkObject<ArgsFields> {
  static readonly nullobj = nullObject('AuthorizationArgs', new AuthorizationArgs(), new AuthorizationArgs());

  constructor(other?: AuthorizationArgs) {
    super(other, { ...UNSET });
  }

  protected override get secrets(): readonly string[] {
    return ['state', 'nonce'];
  }

  /** The game's application. 0n means unset; the client then uses the value of `Client.SetApplicationId`. */
  ClientId(): bigint {
    return this.read('clientId');
  }

  /** A bigint or its decimal text. Throws TypeError for a number, RangeError outside 0 … 2^64-1. */
  SetClientId(value: bigint | string | undefined): void {
    this.write('clientId', value === undefined ? 0n : uint64('ClientId', value));
  }

  /** Space-separated. */
  Scopes(): string {
    return this.read('scopes');
  }

  SetScopes(value: string | undefined): void {
    this.write('scopes', optionalText('Scopes', value) ?? '');
  }

  /** OAuth2 state. Leave it unset: each Authorize then generates a secure random value. */
  State(): string | undefined {
    return this.read('state');
  }

  SetState(value: string | undefined): void {
    this.write('state', optionalText('State', value));
  }

  /** OpenID Connect nonce, of use to back ends that read the id_token. */
  Nonce(): string | undefined {
    return this.read('nonce');
  }

  SetNonce(value: string | undefined): void {
    this.write('nonce', optionalText('Nonce', value));
  }

  /** Returns a copy of the challenge. `Client.GetToken` needs one. */
  CodeChallenge(): AuthorizationCodeChallenge | undefined {
    return this.read('codeChallenge');
  }

  SetCodeChallenge(value: AuthorizationCodeChallenge | undefined): void {
    this.write('codeChallenge', asChallenge('CodeChallenge', value));
  }

  IntegrationType(): IntegrationType | undefined {
    return this.read('integrationType');
  }

  /** Throws RangeError for any value except GuildInstall, UserInstall and undefined. */
  SetIntegrationType(value: IntegrationType | undefined): void {
    this.write('integrationType', optionalEnum('IntegrationType', value, IntegrationType));
  }

  /** Scheme of the redirect address on a phone: `<scheme>:/authorize/callback`. */
  CustomSchemeParam(): string | undefined {
    return this.read('customSchemeParam');
  }

  /** Throws TypeError for a value that is not a URI scheme (RFC 3986 section 3.1). */
  SetCustomSchemeParam(value: string | undefined): void {
    const scheme = optionalText('CustomSchemeParam', value);
    if (scheme !== undefined && !/^[a-z][a-z\d+.-]*$/i.test(scheme)) {
      throw new TypeError(
        'CustomSchemeParam: must be a URI scheme: a letter, then letters, digits, "+", "." and "-"',
      );
    }
    this.write('customSchemeParam', scheme);
  }
}

function asChallenge(
  field: string,
  value: AuthorizationCodeChallenge | undefined,
): AuthorizationCodeChallenge | undefined {
  if (value === undefined || value instanceof AuthorizationCodeChallenge) return value;
  throw new TypeError(`${field}: must be an AuthorizationCodeChallenge, or undefined to unset it`);
}
