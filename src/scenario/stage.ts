/** Where scenarios are played: a bridge with the emulator, in this process or over its control socket. */
export interface Stage {
  /** Calls an operation of the bridge. */
  call(operation: string, args: object): Promise<unknown>;
  /** Resolves with what became of the bot when its program ends, such as `exited with 1`; absent without a program. */
  readonly ended?: Promise<string> | undefined;
}
