import type { AuthorizeContext } from './authorize.ts';
import type { AuthorizeOptions } from './authorize-options.ts';
import { decide } from './decision.ts';

/** A question about a token, which is withdrawn once the token is no more. */
interface Question {
  readonly isAlive: () => boolean;
  readonly withdraw: () => void;
}

/** What confirming works with. */
type ConfirmContext = AuthorizeContext & { readonly questions: Questions };

/** The questions about tokens that wait for an answer. */
export class Questions {
  readonly #open = new Set<Question>();

  /** Withdraws those about tokens that are no more. */
  settle(): void {
    for (const question of this.#open) if (!question.isAlive()) question.withdraw();
  }

  /** Has `ask` done with a signal that aborts with `signal`, and when the token is no more. */
  async during<T>(
    isAlive: () => boolean,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const ended = new AbortController();
    const withdraw = (): void => ended.abort();
    const question = { isAlive, withdraw };
    this.#open.add(question);
    if (signal.aborted) withdraw();
    else signal.addEventListener('abort', withdraw, { once: true });
    try {
      return await ask(ended.signal);
    } finally {
      signal.removeEventListener('abort', withdraw);
      this.#open.delete(question);
    }
  }
}

/**
 * Has an access token decided about that somebody allowed in the user's place, before it opens the user's client: by the
 * policy, by what the user once allowed the same application over the same transport, or by the user. About any other token,
 * also one that nobody knows or that ends meanwhile, nothing is asked.
 * @throws OAuth2Error `access_denied`.
 */
export async function confirm(
  context: ConfirmContext,
  accessToken: string,
  { peer, signal }: Pick<AuthorizeOptions, 'peer' | 'signal'>,
): Promise<void> {
  const family = context.vault.find(accessToken)?.family;
  const known = family && context.application(family.clientId);
  if (family?.deputy === undefined || known === undefined) return;
  const { userId, scopes } = family;
  const isAlive = (): boolean => context.vault.find(accessToken) !== undefined;
  const asked = context.questions.during(isAlive, signal, (withdrawn) =>
    decide(context, known, { userId, scopes, prompt: 'none', peer, signal: withdrawn }),
  );
  try {
    if ((await asked).isNews) await context.persist();
  } catch (error) {
    // Whoever looks at the token finds that it is not good.
    if (isAlive() || signal.aborted) throw error;
  }
}
