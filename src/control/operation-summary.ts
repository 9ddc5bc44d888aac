/** One entry of `GET /v1/operations`. */
export interface OperationSummary {
  readonly name: string;
  readonly summary: string;
  /** Names of the arguments. */
  readonly args: readonly string[];
}

/** Answer of `GET /v1/operations/NAME`. */
export interface OperationDetails extends OperationSummary {
  readonly about: string | null;
  /** JSON Schema of the operation's arguments and of its result; null where the client core declares none. */
  readonly schema: { readonly args: unknown; readonly result: unknown };
}
