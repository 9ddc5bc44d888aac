import type { FieldFault } from '../kernel/errors.ts';

/** Maximum number of options in a select. */
const MAX_OPTIONS = 25;

/** A component with a choice of values: a select or a checkbox group. */
export interface Choosing {
  readonly min_values?: number | undefined;
  readonly max_values?: number | undefined;
  readonly options?: readonly { readonly value: string; readonly default?: boolean | undefined }[];
  readonly default_values?: readonly unknown[] | undefined;
}

/** Validation errors of the limits, options and defaults of a choice; `path` is the path of the component. */
export function faultsOfChoosing(path: FieldFault['path'], select: Choosing): FieldFault[] {
  const { min_values: min = 1, max_values: max = 1, options, default_values: defaults } = select;
  const faults: FieldFault[] = [];
  if (min > max) {
    const message = `int value should be less than or equal to ${max}.`;
    faults.push({ path: [...path, 'min_values'], code: 'NUMBER_TYPE_MAX', message });
  }
  if (options !== undefined && min > options.length) {
    const message = `Must be between ${min} and ${MAX_OPTIONS} in length.`;
    faults.push({ path: [...path, 'options'], code: 'BASE_TYPE_BAD_LENGTH', message });
  }
  const before = new Set<string>();
  for (const [index, { value }] of (options ?? []).entries()) {
    if (before.has(value)) {
      const code = 'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED';
      const message = 'The specified option value is already used';
      faults.push({ path: [...path, 'options', index, 'value'], code, message });
    }
    before.add(value);
  }
  const chosen = options?.filter((option) => option.default === true).length ?? defaults?.length ?? 0;
  const where = [...path, options === undefined ? 'default_values' : 'options'];
  if (chosen > max) {
    const code = 'SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES';
    const message = 'The specified number of default values exceeds the specified maximum values';
    faults.push({ path: where, code, message });
  } else if (options === undefined && chosen > 0 && chosen < min) {
    const message = `Must be between ${min} and ${max} in length.`;
    faults.push({ path: where, code: 'BASE_TYPE_BAD_LENGTH', message });
  }
  return faults;
}
