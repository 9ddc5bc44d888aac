import { countOf, listOf } from './components.ts';
import type { ComponentView } from './views.ts';

const ROW = 1;
const TEXT_DISPLAY = 10;
const LABEL = 18;

/** Fields of a modal: label, custom id and accepted values. */
export function fieldLines(components: readonly ComponentView[]): readonly string[] {
  return components.flatMap((one): readonly string[] => {
    if (one.type === TEXT_DISPLAY) return (one.content ?? '').split('\n');
    if (one.type === ROW) return fieldLines(one.components ?? []);
    if (one.type === LABEL && one.component !== undefined) {
      return [titleOf(one), `  ${fieldLine(one.component)}`];
    }
    return one.custom_id === undefined ? [] : [`${titleOf(one)}`.trimEnd(), `  ${fieldLine(one)}`];
  });
}

/** Custom ids of the fields. */
export function fieldNames(components: readonly ComponentView[]): readonly string[] {
  return components.flatMap((one) => [
    ...(one.custom_id === undefined ? [] : [one.custom_id]),
    ...fieldNames(one.components ?? []),
    ...(one.component === undefined ? [] : fieldNames([one.component])),
  ]);
}

function titleOf({ label = '', description }: ComponentView): string {
  return description === undefined ? label : `${label} (${description})`;
}

function fieldLine(field: ComponentView): string {
  const optional = field.required === false ? ', optional' : '';
  const stands = standsIn(field);
  const unless = stands === '' ? '' : `; ${stands} unless given`;
  return `${field.custom_id ?? ''}=: ${kindOf(field)}${optional}${unless}`;
}

function kindOf(field: ComponentView): string {
  switch (field.type) {
    case 3:
    case 22:
      return `${countOf({ max_values: field.type === 22 ? (field.options?.length ?? 1) : 1, ...field })} of ${listOf(field)}`;
    case 4: {
      const { min_length: min = 0, max_length: max = 4000 } = field;
      return `text of ${min} to ${max} characters`;
    }
    case 5:
      return `${countOf(field)} of the users here`;
    case 6:
      return `${countOf(field)} of the roles here`;
    case 7:
      return `${countOf(field)} of the users and roles here`;
    case 8:
      return `${countOf(field)} of the channels here`;
    case 19: {
      const types = field.file_types ?? [];
      return `${countOf(field)} files, each as @PATH${types.length === 0 ? '' : ` (${types.join(', ')})`}`;
    }
    case 21:
      return `one of ${listOf(field)}`;
    case 23:
      return 'true or false';
    default:
      return `a component of type ${field.type}`;
  }
}

function standsIn({ value, options = [] }: ComponentView): string {
  if (value !== undefined && value !== '') return JSON.stringify(value);
  return options
    .filter((one) => one.default === true)
    .map((one) => one.value)
    .join(', ');
}
