// Operations of an operator on a bridge, declared once: the control API, the command line with its help and completion,
// the console, the typed calls in tests and the reference all derive from these declarations.
import type { Awaitable } from './later.ts';
import type { CommandForm, OperatorCommand } from './operator-command.ts';
import type { ReadonlyDeep } from './read-only.ts';

/** Validator of a value: a schema of zod, of any version, or any object with this method. */
export interface ValueSchema<A = unknown> {
  /** `params` supplies messages for issues whose schema has none of its own. */
  safeParse(
    value: unknown,
    params?: object,
  ):
    | { readonly success: true; readonly data: A }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
        };
      };
}

/**
 * Takes a text that comes in parts. Each call throws an Error with a plain message to refuse, after which the text
 * is discarded.
 */
export interface TextTaker {
  write(part: string): void;
  /** Completes the text and returns the result of the operation, which must be JSON. */
  end(): Awaitable<unknown>;
  /** The sender has disconnected. */
  discard(): void;
}

/** Text of any length that an operation outputs or takes, part by part. */
export type OperationText =
  | { readonly outputs: () => Iterable<string> }
  | { readonly takes: () => TextTaker };

/** Caller of an operation. */
export interface AdminCaller {
  readonly pid?: number;
  readonly program?: string;
  /**
   * Processes for which the caller claims to act: the operation must be allowed for each of them, too. `unknown`: the
   * system should know the processes, but does not.
   */
  readonly forProcesses?: readonly number[] | 'unknown' | undefined;
  /**
   * `control`: over the private socket; `terminal`: the user in front of `footbridge run`; `notification`: a button of
   * a desktop notification.
   */
  readonly via: 'control' | 'terminal' | 'notification';
  /** Aborts when the caller's connection ends; present where the caller keeps the connection open for the result. */
  readonly held?: AbortSignal | undefined;
}

/** A named operation for operators: `control` mounts it, the command line calls it. */
export interface AdminOperation<A = unknown> {
  /** One line of help. */
  readonly summary: string;
  readonly args: () => ValueSchema<A>;
  /** Further facts for a caller. */
  readonly about?: string | undefined;
  /** Schema of the result, where the operation declares a result. */
  readonly result?: () => ValueSchema;
  /** Maximum size of the arguments in bytes of JSON, read for each call; default 1 MiB. */
  readonly maxBytes?: number | undefined;
  /** The command `footbridge emulator …` that calls the operation. */
  readonly command?: CommandForm | undefined;
  /** Streamed form of the operation over the control API: neither side ever holds the whole text. */
  readonly text?: OperationText;
  /** Whether the result lives as long as the caller's connection. */
  readonly holds?: true | undefined;
  /** Runs the operation. Its result must be JSON. Throw an Error with a plain message to refuse. */
  run(args: A, caller: AdminCaller): Awaitable<unknown>;
  /**
   * For an operation that approves an app's request to the user: the requesting process, null where it is unknown. The
   * bridge does not run the operation for that process, nor for a process that it started. A module whose
   * `requests.approve` lacks this method is rejected.
   */
  requester?(args: A): Awaitable<number | null>;
}

/** Operations by name. */
export interface AdminOperations {
  readonly [name: string]: AdminOperation;
}

/** One declared operation. `Needs` are the services it uses. */
export interface AdminDeclaration<Needs, Name extends string = string, A = unknown, R = unknown> {
  readonly name: Name;
  /** One line of help. */
  readonly summary: string;
  /** Further facts for a caller, such as the meaning of an argument or of a field of the result. */
  readonly about?: string;
  readonly args: () => ValueSchema<A>;
  readonly result: () => ValueSchema<R>;
  readonly command?: OperatorCommand<NoInfer<A>, NoInfer<R>>;
  /** Maximum size of the arguments in bytes of JSON, read for each call; default 1 MiB. */
  readonly maxBytes?: (needs: Needs) => number;
  readonly text?: (needs: Needs) => OperationText;
  /** Whether the result lives as long as the caller's connection, `held` of the caller. */
  readonly holds?: true;
  /** Runs the operation. Throw an Error with a plain message to refuse. */
  run(needs: Needs, args: NoInfer<A>, caller: AdminCaller): Awaitable<ReadonlyDeep<NoInfer<R>>>;
  /** Type check: restricts a list of declarations to the services of its needs. */
  readonly needs?: (needs: Needs) => void;
}

/** Returns a function that declares operations on `Needs`, with the types of arguments and results inferred. */
export function adminOperationsFor<Needs>() {
  return <const Name extends string, A, R>(
    declaration: AdminDeclaration<Needs, Name, A, R>,
  ): AdminDeclaration<Needs, Name, A, R> => declaration;
}

/** The operations of some declarations, by name, bound to their services. */
export function boundOperations<Needs>(
  declarations: readonly AdminDeclaration<Needs>[],
  needs: Needs,
): AdminOperations {
  return Object.fromEntries(declarations.map((one) => [one.name, bound(one, needs)]));
}

function bound<Needs>(declaration: AdminDeclaration<Needs>, needs: Needs): AdminOperation {
  const { summary, about, args, result, maxBytes, text, holds, command } = declaration;
  return {
    summary,
    about,
    args: () => recentArgs(args),
    result,
    ...(command && { command: { name: command.name, syntax: command.syntax ?? {} } }),
    get maxBytes() {
      return maxBytes?.(needs);
    },
    ...(text && { text: text(needs) }),
    ...(holds && { holds }),
    run: (input, caller) => declaration.run(needs, input, caller),
  };
}

/** Schemas of arguments that are in memory: to make one and to check the first value takes longer than most operations. */
const recent = new WeakMap<object, WeakRef<object>>();

function recentArgs<A>(make: () => ValueSchema<A>): ValueSchema<A> {
  const known = recent.get(make)?.deref() as ValueSchema<A> | undefined;
  if (known !== undefined) return known;
  const made = make();
  recent.set(make, new WeakRef(made));
  return made;
}
