// What an operator can do to a bridge, declared once: the control API, the command line with its help and completion, the console,
// the typed calls in tests and the reference all derive from these declarations.
import type { OperatorCommand } from './operator-command.ts';
import type { ReadonlyDeep } from './read-only.ts';

type Awaitable<T> = T | Promise<T>;

/** What checks a value: a schema of zod, of any version, or whatever else has this method. */
export interface ValueSchema<A = unknown> {
  /** `params` gives words to the issues of a schema that has none of its own. */
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

/** Takes a text that comes in parts. Each call throws an Error with a plain message to refuse, after which nothing is kept. */
export interface TextTaker {
  write(part: string): void;
  /** That was all; what the operation answers, which must be JSON. */
  end(): Awaitable<unknown>;
  /** Who sends it is gone. */
  discard(): void;
}

/** What an operation says or takes as a text of any length, part by part. */
export type OperationText = { readonly says: () => Iterable<string> } | { readonly takes: () => TextTaker };

/** Who calls an operation. */
export interface AdminCaller {
  readonly pid?: number;
  readonly program?: string;
  /**
   * On whose behalf it calls, by its own word: each has to be allowed as well. `unknown`: the system should know them, and
   * does not.
   */
  readonly forProcesses?: readonly number[] | 'unknown' | undefined;
  /**
   * `control`: over the private socket; `terminal`: the person in front of `footbridge run`; `notification`: a button that
   * the desktop showed to the user.
   */
  readonly via: 'control' | 'terminal' | 'notification';
}

/** A named operation for people: `control` mounts it, the command line calls it. */
export interface AdminOperation<A = unknown> {
  /** One line for people. */
  readonly summary: string;
  readonly args: () => ValueSchema<A>;
  /** What a caller has to know besides. */
  readonly about?: string | undefined;
  /** The shape of its result, where the operation declares it. */
  readonly result?: () => ValueSchema;
  /** Largest arguments in bytes of JSON, looked up for each call; 1 MiB unless given. */
  readonly maxBytes?: number | undefined;
  /** The same over the control API, as a text that neither side ever has as a whole. */
  readonly text?: OperationText;
  /** Its result must be JSON. Throw an Error with a plain message to refuse. */
  run(args: A, caller: AdminCaller): Awaitable<unknown>;
  /**
   * For an operation that allows what an app asked a person for: which process asked, null where nobody knows. The bridge
   * does not run it for that process, nor for one that it started. A module whose `requests.approve` lacks it is not taken.
   */
  requester?(args: A): Awaitable<number | null>;
}

/** Operations by name. */
export interface AdminOperations {
  readonly [name: string]: AdminOperation;
}

/** One operation: everything there is to know of it. `Needs` is what it works with. */
export interface AdminDeclaration<Needs, Name extends string = string, A = unknown, R = unknown> {
  readonly name: Name;
  /** One line for people. */
  readonly summary: string;
  /** What a caller has to know besides, such as what an argument or a field of the result means. */
  readonly about?: string;
  readonly args: () => ValueSchema<A>;
  readonly result: () => ValueSchema<R>;
  readonly command?: OperatorCommand<NoInfer<A>, NoInfer<R>>;
  /** Largest arguments in bytes of JSON, looked up for each call; 1 MiB unless given. */
  readonly maxBytes?: (needs: Needs) => number;
  readonly text?: (needs: Needs) => OperationText;
  /** Throw an Error with a plain message to refuse. */
  run(needs: Needs, args: NoInfer<A>, caller: AdminCaller): Awaitable<ReadonlyDeep<NoInfer<R>>>;
  /** Makes a list of declarations hold only what its needs cover. */
  readonly needs?: (needs: Needs) => void;
}

/** Returns what declares operations that work with `Needs`, with the types of arguments and results inferred. */
export function adminOperationsFor<Needs>() {
  return <const Name extends string, A, R>(
    declaration: AdminDeclaration<Needs, Name, A, R>,
  ): AdminDeclaration<Needs, Name, A, R> => declaration;
}

/** The operations of some declarations, by name, on what they work with. */
export function boundOperations<Needs>(
  declarations: readonly AdminDeclaration<Needs>[],
  needs: Needs,
): AdminOperations {
  return Object.fromEntries(declarations.map((one) => [one.name, bound(one, needs)]));
}

function bound<Needs>(declaration: AdminDeclaration<Needs>, needs: Needs): AdminOperation {
  const { summary, about, args, result, maxBytes, text } = declaration;
  return {
    summary,
    about,
    args,
    result,
    get maxBytes() {
      return maxBytes?.(needs);
    },
    ...(text && { text: text(needs) }),
    run: (input, caller) => declaration.run(needs, input, caller),
  };
}
