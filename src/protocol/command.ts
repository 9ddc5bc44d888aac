import type * as z from 'zod';
import { type Check, compile } from '../base/compile.ts';
import type { TransportKind } from '../wire/connection.ts';
import type { ErrorCode } from './error-code.ts';
import type { Scope, ScopeRule, Thing } from './scope.ts';

/**
 * How a command is treated. `served`: the core answers from real state. `recorded`: it waits for the user.
 * `refused`: it is known, and always answered with its documented error.
 */
export type CommandClass = 'served' | 'recorded' | 'refused';

/** Services of the session for a command that does more than call the core. */
export interface Call {
  readonly clientId: string;
  readonly transport: TransportKind;
  /** The outer `evt` of SUBSCRIBE and UNSUBSCRIBE. */
  readonly evt: string | undefined;
  /** Calls the client core, and validates its answer against the command's result schema. */
  forward(args: unknown): unknown;
  /** Runs `task` unless the session is, or is just becoming, authorized (error 4002). */
  exclusively<T>(step: 'authorizing' | 'authenticating', task: () => Promise<T>): Promise<T>;
  /** Marks the session as authenticated with these scopes; a revocation names `token`. */
  authenticated(grant: { readonly token: string; readonly scopes: readonly Scope[] }): void;
  /** A promise where the core needs time; so do the two below. */
  subscribe(evt: string, args: unknown): void | Promise<void>;
  unsubscribe(evt: string, args: unknown): void | Promise<void>;
}

/** How a recorded command ends once the user has answered it. */
export interface Recorded<A extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  /** Question for the user, as a verb phrase: "open a link". */
  readonly what: string;
  accepted(args: z.output<A>): z.input<R>;
  /** Data where the protocol documents a refusal inside the result, else an error. */
  readonly declined: { readonly data: z.input<R> } | Refusal;
}

/** The documented error of something that is refused. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** One command of the protocol; its export's name is its name on the wire. */
export interface Command<A extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  readonly class: CommandClass;
  readonly scope: ScopeRule;
  /** User data it opens, where a scope of a token opens it; the sentences of those scopes name them. */
  readonly about?: readonly Thing[];
  /** A transport that the command is never served on, with any scope: ERROR 4002. */
  readonly notOver?: TransportKind;
  /** Error codes of its own, besides 4000 (arguments), 4006 (scope) and 1000 (anything else). */
  readonly errors?: readonly ErrorCode[];
  /** Built on first use: the whole registry declared eagerly would cost 10 MiB. */
  readonly args: () => A;
  /** Compiled from `args` on first use: the check that most requests pass. */
  readonly accept: () => Check;
  readonly result: () => R;
  /**
   * Its answer is state that seldom changes: where a core is trusted to answer with immutable objects, the JSON of an
   * object is printed once, and reused while the core answers with that same object.
   */
  readonly steady?: true;
  /** Present on such a command: the JSON of its answer. */
  readonly textOf?: (data: object) => string;
  /** Present on a `recorded` command: the core parks the request until the user answers. */
  readonly recorded?: Recorded<A, R>;
  /** Present on a `refused` command. */
  readonly refusal?: Refusal;
  /** Rules that a schema cannot state: across fields, or of one transport. Throws RpcError. */
  check?(args: z.output<A>, call: Pick<Call, 'transport'>): void;
  /** Present when the session handles part of it; without it the core is called. */
  handle?(call: Call, args: z.output<A>): z.input<R> | Promise<z.input<R>>;
}

/** Input of {@link defineCommand}; the class of the command follows from it. */
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
    // Arguments parsed for this request alone are not copied.
    accept: once(() => compile(args(), 'same')),
    result: once(declaration.result),
    ...(declaration.steady ? { textOf: keptText() } : {}),
  };
}

function keptText(): (data: object) => string {
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

/** Calls `make` at most once. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
