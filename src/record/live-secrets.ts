import { createHash, randomBytes } from 'node:crypto';

const HIDDEN = '[hidden]';

/** Names of one secret in different contexts. */
const SAME: Readonly<Record<string, string>> = { token: 'access_token' };
/** A server that does not require a real secret accepts any. */
const ANY = 'any';

/** Secrets that a server issued in place of the hidden ones of the record, by name; the latest counts. */
export class LiveSecrets {
  readonly #known = new Map<string, string>();
  /** A proof of our own (RFC 7636): the verifier of the recorded challenge is unknown. */
  readonly #verifier = randomBytes(32).toString('base64url');

  /** Stores every text of an answer under the name of a secret. */
  learn(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (typeof member === 'string' && /(?:token|code|secret|verifier)$/.test(key))
        this.#known.set(key, member);
      else this.learn(member);
    }
  }

  /** The same value with hidden secrets replaced by known ones. */
  filled(value: unknown, key = ''): unknown {
    if (key === 'code_challenge') return createHash('sha256').update(this.#verifier).digest('base64url');
    if (key === 'code_verifier') return this.#verifier;
    if (value === HIDDEN) return this.#known.get(key) ?? this.#known.get(SAME[key] ?? '') ?? ANY;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.filled(item, key));
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.filled(member, name)]),
    );
  }

  /** A recorded Authorization header with the token that is known. */
  authorization(recorded: string | undefined): string | undefined {
    return recorded?.replace(HIDDEN, this.#known.get('access_token') ?? ANY);
  }
}
