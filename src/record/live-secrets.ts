import { createHash, randomBytes } from 'node:crypto';

const HIDDEN = '[hidden]';

/** Alternative names of one secret: the member in a request to the member in the answer that issued the secret. */
const SAME: Readonly<Record<string, string>> = { token: 'access_token' };
/** Placeholder for an unknown secret: a server that does not require the real secret accepts any text. */
const ANY = 'any';

/**
 * Secrets that the server of this run issued, by name. They replace the hidden secrets of the record; of several with
 * one name the latest counts.
 */
export class LiveSecrets {
  readonly #known = new Map<string, string>();
  /** Verifier of our own (RFC 7636), because the verifier of the recorded challenge is unknown. */
  readonly #verifier = randomBytes(32).toString('base64url');

  /** Stores each secret of an answer under the name of its member. */
  learn(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (typeof member === 'string' && /(?:token|code|secret|verifier)$/.test(key))
        this.#known.set(key, member);
      else this.learn(member);
    }
  }

  /** Returns a copy of a recorded value in which the stored secrets replace the hidden ones. */
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

  /** Returns a recorded Authorization header with the stored access token in place of the hidden one. */
  authorization(recorded: string | undefined): string | undefined {
    return recorded?.replace(HIDDEN, this.#known.get('access_token') ?? ANY);
  }
}
