import { createHash, randomBytes } from 'node:crypto';

const HIDDEN = '[hidden]';

/** Names by which one secret goes in different places. */
const SAME: Readonly<Record<string, string>> = { token: 'access_token' };
/** Whoever is not asked for a real one takes any. */
const ANY = 'any';

/** What a server has given in the place of what the record hides, by name; the latest counts. */
export class LiveSecrets {
  readonly #known = new Map<string, string>();
  /** A proof of our own (RFC 7636): what belongs to the recorded challenge nobody knows any more. */
  readonly #verifier = randomBytes(32).toString('base64url');

  /** Remembers every text of an answer that goes by the name of a secret. */
  learn(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (typeof member === 'string' && /(?:token|code|secret|verifier)$/.test(key))
        this.#known.set(key, member);
      else this.learn(member);
    }
  }

  /** The same value with what is known in the place of what is hidden. */
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
