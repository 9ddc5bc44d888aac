import { AuthenticationCodeChallengeMethod, IntegrationType } from './enums.ts';
import { choice, type Field, number64, objectOf, part, text, unsetChoice, unsetText } from './fields.ts';
import { nullObject } from './object.ts';
import { optionalText } from './values.ts';

/** The public half of a PKCE pair; the game passes it in {@link AuthorizationArgs}. */
export class AuthorizationCodeChallenge extends objectOf({
  /** The setter throws RangeError for any value except S256; undefined resets it to S256. */
  Method: choice<AuthenticationCodeChallengeMethod>(
    AuthenticationCodeChallengeMethod,
    AuthenticationCodeChallengeMethod.S256,
  ),
  Challenge: text,
}) {
  static readonly nullobj = nullObject(
    'AuthorizationCodeChallenge',
    new AuthorizationCodeChallenge(),
    new AuthorizationCodeChallenge(),
  );
}

const challenge = part(AuthorizationCodeChallenge);

const neededChallenge: Field<AuthorizationCodeChallenge, AuthorizationCodeChallenge | undefined> = {
  initial: new AuthorizationCodeChallenge(),
  check: (name, value) => challenge.check(name, value) ?? new AuthorizationCodeChallenge(),
};

/** A PKCE pair; the verifier stays in the game until `GetToken`. */
export class AuthorizationCodeVerifier extends objectOf({
  /** Returns a copy; changes to the copy have no effect on the verifier. */
  Challenge: neededChallenge,
  Verifier: text,
}) {
  static readonly nullobj = nullObject(
    'AuthorizationCodeVerifier',
    new AuthorizationCodeVerifier(),
    new AuthorizationCodeVerifier(),
  );

  protected override get secrets(): readonly string[] {
    return ['verifier'];
  }
}

const scheme: Field<string | undefined, string | undefined> = {
  initial: undefined,
  check: (name, value) => {
    const text = optionalText(name, value);
    if (text === undefined || /^[a-z][a-z\d+.-]*$/i.test(text)) return text;
    throw new TypeError(`${name}: must be a URI scheme: a letter, then letters, digits, "+", "." and "-"`);
  },
};

/** Arguments of `Client.Authorize`. A setter called with undefined unsets its field. */
export class AuthorizationArgs extends objectOf({
  /** The game's application. 0n means unset; the client then uses the value of `Client.SetApplicationId`. */
  ClientId: number64,
  /** Space-separated. */
  Scopes: text,
  /** OAuth2 state. Leave it unset: each Authorize then generates a secure random value. */
  State: unsetText,
  /** OpenID Connect nonce, of use to back ends that read the id_token. */
  Nonce: unsetText,
  /** Returns a copy of the challenge. `Client.GetToken` needs one. */
  CodeChallenge: challenge,
  /** The setter throws RangeError for any value except GuildInstall, UserInstall and undefined. */
  IntegrationType: unsetChoice<IntegrationType>(IntegrationType),
  /**
   * Scheme of the redirect address on a phone: `<scheme>:/authorize/callback`. The setter throws TypeError for a value
   * that is not a URI scheme (RFC 3986 section 3.1).
   */
  CustomSchemeParam: scheme,
}) {
  static readonly nullobj = nullObject('AuthorizationArgs', new AuthorizationArgs(), new AuthorizationArgs());

  protected override get secrets(): readonly string[] {
    return ['state', 'nonce'];
  }
}
