import type { OfferedCommand } from './types.ts';

/** Option of a command, in the form of the HTTP API. */
export interface Option {
  readonly type: number;
  readonly name: string;
  readonly description: string;
  readonly required?: boolean | undefined;
  readonly autocomplete?: boolean | undefined;
  readonly choices?: readonly { readonly name: string; readonly value: string | number }[] | undefined;
  readonly min_value?: number | undefined;
  readonly max_value?: number | undefined;
  readonly min_length?: number | undefined;
  readonly max_length?: number | undefined;
  readonly options?: readonly Option[] | undefined;
}

/** A command without subcommands, or one of its subcommands: the words after the slash, and the options. */
export interface Leaf {
  readonly path: string;
  readonly options: readonly Option[];
}

const [SUBCOMMAND, GROUP] = [1, 2];

/** What of a command can be used. */
export function leavesOf({ name, options }: Pick<OfferedCommand, 'name' | 'options'>): readonly Leaf[] {
  const all = options as unknown as readonly Option[];
  return within(name, all);
}

function within(path: string, options: readonly Option[]): readonly Leaf[] {
  const inner = options.filter(({ type }) => type === SUBCOMMAND || type === GROUP);
  if (inner.length === 0) return [{ path, options }];
  return inner.flatMap((one) => within(`${path} ${one.name}`, one.options ?? []));
}
