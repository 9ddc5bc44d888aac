import type * as z from 'zod';
import { type Check, compile } from '../base/compile.ts';
import { once } from '../base/once.ts';
import type { TransportKind } from '../wire/connection.ts';
import type { ErrorCode } from './error-code.ts';
import type { Scope, ScopeRule, Thing } from './scope.ts';

/**
 * How the bridge treats a command. `served`: the core answers from its state. `recorded`: the request waits for the
 * user. `refused`: the command is known, and always answered with its documented error.
 */
export type CommandClass = 'served' | 'recorded' | 'refused';

/** Services of the session for a command that does more than call the core. */
export interface Call {
  readonly clientId: string;
  readonly transport: TransportKind;
  /** The `evt` member of a SUBSCRIBE or UNSUBSCRIBE request. */
  readonly evt: string | undefined;
  /** Calls the client core, and validates its answer against the command's result schema. */
  forward(args: unknown): unknown;
  /** Runs `task`. Fails with error 4002 if the session is already authorized, or an authorization is in progress. */
  exclusively<T>(step: 'authorizing' | 'authenticating', task: () => Promise<T>): Promise<T>;
  /**
   * Marks the session as authenticated with these scopes, and returns those that the answer names. A later revocation
   * refers to `token`.
   */
  authenticated(grant: { readonly token: string; readonly scopes: readonly Scope[] }): readonly Scope[];
  /** Subscribes the session to an event. Returns a promise if the core needs time; `unsubscribe` does the same. */
  subscribe(evt: string, args: unknown): void | Promise<void>;
  unsubscribe(evt: string, args: unknown): void | Promise<void>;
}

/** How a recorded command ends after the user has answered. */
export interface Recorded<A extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  /** Question for the user, as a verb phrase: "open a link". */
  readonly what: string;
  accepted(args: z.output<A>): z.input<R>;
  /**
   * Result for a refusal by the user: data if the protocol documents a refusal inside the result, otherwise an error.
   */
  readonly declined: { readonly data: z.input<R> } | Refusal;
}

/** The documented error of a refused command or subscription. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** One command of the protocol. The name of its export is its name in the protocol. */
export interface Command<A extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  readonly class: CommandClass;
  readonly scope: ScopeRule;
  /**
   * User data that the command gives access to, if a scope of a token grants this access. The sentences of those scopes
   * must mention this data.
   */
  readonly about?: readonly Thing[];
  /** A transport that the command never works on, whatever its scopes: ERROR 4002. */
  readonly notOver?: TransportKind;
  /** Error codes of this command, in addition to 4000 (arguments), 4006 (scope) and 1000 (any other error). */
  readonly errors?: readonly ErrorCode[];
  /**
   * Schema of the arguments. It is built on first use, because declaring the whole registry at once would cost 10 MiB.
   */
  readonly args: () => A;
  /** Fast check that most requests pass; compiled from `args` on first use. */
  readonly accept: () => Check;
  readonly result: () => R;
  /**
   * The command's answer is state that seldom changes. If a core is trusted to answer with immutable objects, the JSON
   * of an answer is printed once and reused while the core answers with the same object.
   */
  readonly steady?: true;
  /** Returns the JSON of an answer; present on a `steady` command. */
  readonly textOf?: (data: object) => string;
  /** Present on a `recorded` command: the core holds the request until the user answers. */
  readonly recorded?: Recorded<A, R>;
  /** Present on a `refused` command. */
  readonly refusal?: Refusal;
  /** Checks rules that a schema cannot express, across fields or for one transport. Throws RpcError. */
  check?(args: z.output<A>, call: Pick<Call, 'transport'>): void;
  /** Present when the session handles a part of the command; otherwise only the core is called. */
  handle?(call: Call, args: z.output<A>): z.input<R> | Promise<z.input<R>>;
}

/** Input of {@link defineCommand}, which determines the class of the command from it. */
export type CommandDeclaration<A extends z.ZodType, R extends z.ZodType> = Omit<
  Command<A, R>,
  'class' | 'accept' | 'textOf'
>;

/** Declares a command. */
export function defineCommand<A extends z.ZodType, R extends z.ZodType>(
  declaration: CommandDeclaration<A, R>,
): Command<A, R> {
  const args = once(declaration.args);
  return {
    ...declaration,
    class: declaration.recorded ? 'recorded' : declaration.refusal ? 'refused' : 'served',
    args,
    // The arguments were parsed only for this request, so the check returns them without a copy.
    accept: once(() => compile(args(), 'same')),
    result: once(declaration.result),
    ...(declaration.steady ? { textOf: cachedText() } : {}),
  };
}

function cachedText(): (data: object) => string {
  const texts = new WeakMap<object, string>();
  return (data) => {
    let text = texts.get(data);
    if (text === undefined) {
      text = JSON.stringify(data);
      texts.set(data, text);
    }
    return text;
  };
}
