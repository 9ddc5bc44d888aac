import { invalidForm } from '../api/api-error.ts';
import { present } from '../api/present.ts';
import type { FieldFault } from '../kernel/errors.ts';
import { faultsOfChoosing } from '../messages/select-faults.ts';
import type { ModalRequest } from './modal-body.ts';
import type { Component, Modal } from './records.ts';

type Sent = ModalRequest['components'][number];
type SentInput = Extract<Sent, { component: unknown }>['component'];

const TEXT_INPUT = 4;
const RADIO_GROUP = 21;
const CHECKBOX_GROUP = 22;
const CHECKBOX = 23;
const ROW = 1;

/** Path of a modal's components in the request body. */
const PATH = ['data', 'components'] as const;

/** Validates a modal and fills in its defaults. @throws ApiError 50035 with every validation error and its path. */
export function modalOf(sent: ModalRequest, max: number): Modal {
  const faults = [
    ...envelopeFaults(sent, max),
    ...inputsOf(sent).flatMap(({ path, input }) => faultsOf(path, input)),
  ];
  if (faults.length > 0) throw invalidForm(faults);
  const taken = new Set(sent.components.flatMap((one) => [one.id, ...below(one).map((inner) => inner.id)]));
  let next = 1;
  const idOf = ({ id }: { readonly id?: number | undefined }): number => {
    if (id) return id;
    while (taken.has(next)) next += 1;
    next += 1;
    return next - 1;
  };
  const { custom_id, title } = sent;
  const components = sent.components.map((one) => {
    const known = { ...one, id: idOf(one) };
    if ('components' in known)
      return { ...known, components: known.components.map((input) => storedInput(input, idOf)) };
    return 'component' in known ? { ...known, component: storedInput(known.component, idOf) } : known;
  });
  return present({ custom_id, title, components });
}

/** Stored form of an input field: with its defaults, without empty fields. */
function storedInput(input: SentInput, idOf: (of: SentInput) => number): Component {
  const { disabled: _, ...rest } = input as SentInput & { disabled?: boolean };
  return present({
    ...rest,
    id: idOf(input),
    required: isRequired(input),
    ...bounds(input),
  }) as Component;
}

function isRequired(input: SentInput): boolean {
  return 'required' in input && input.required;
}

/** Minimum and maximum number of chosen values; an empty object for fields without a choice of several values. */
function bounds(input: SentInput): { readonly min_values?: number; readonly max_values?: number } {
  if (input.type === TEXT_INPUT || input.type === CHECKBOX || input.type === RADIO_GROUP) return {};
  const { min_values = 1 } = input;
  const defaultMax = input.type === CHECKBOX_GROUP ? input.options.length : 1;
  return { min_values, max_values: input.max_values ?? defaultMax };
}

function below(one: Sent): readonly SentInput[] {
  if ('component' in one) return [one.component];
  return 'components' in one ? (one.components as readonly SentInput[]) : [];
}

interface Placed {
  readonly path: readonly (string | number)[];
  readonly input: SentInput;
}

function inputsOf({ components }: ModalRequest): Placed[] {
  return components.flatMap((one, index): Placed[] =>
    below(one).map((input, inner) => ({
      path: 'component' in one ? [...PATH, index, 'component'] : [...PATH, index, 'components', inner],
      input,
    })),
  );
}

/** Validation errors of the modal as a whole. */
function envelopeFaults(sent: ModalRequest, max: number): FieldFault[] {
  const faults: FieldFault[] = [];
  if (sent.components.length > max) {
    const message = `Must be between 1 and ${max} in length.`;
    faults.push({ path: PATH, code: 'BASE_TYPE_BAD_LENGTH', message });
  }
  for (const [index, one] of sent.components.entries()) {
    if (one.type !== ROW || below(one).length === 1) continue;
    const message = 'The specified component exceeds the maximum width';
    faults.push({
      path: [...PATH, index, 'components', 1],
      code: 'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
      message,
    });
  }
  const names = new Set<string>();
  for (const { path, input } of inputsOf(sent)) {
    if (names.has(input.custom_id)) {
      const message = 'Component custom id cannot be duplicated';
      faults.push({ path: [...path, 'custom_id'], code: 'COMPONENT_CUSTOM_ID_DUPLICATED', message });
    }
    names.add(input.custom_id);
  }
  const ids = sent.components.flatMap((one) => [one.id, ...below(one).map(({ id }) => id)]).filter(Boolean);
  if (new Set(ids).size < ids.length) {
    const message = 'Component id cannot be duplicated';
    faults.push({ path: PATH, code: 'COMPONENT_ID_DUPLICATED', message });
  }
  return faults;
}

function faultsOf(path: FieldFault['path'], input: SentInput): FieldFault[] {
  if (input.type === CHECKBOX) return [];
  if (input.type === TEXT_INPUT) return faultsOfText(path, input);
  if (input.type === RADIO_GROUP) return faultsOfChoosing(path, { options: input.options });
  const faults = faultsOfChoosing(path, { ...input, ...bounds(input) });
  const options = 'options' in input ? input.options : undefined;
  if (isRequired(input) && input.min_values === 0) {
    const message = 'int value should be greater than or equal to 1.';
    faults.push({ path: [...path, 'min_values'], code: 'NUMBER_TYPE_MIN', message });
  }
  const max = input.max_values ?? 1;
  if (options !== undefined && max > options.length) {
    const message = `Must be between ${max} and ${input.type === CHECKBOX_GROUP ? 10 : 25} in length.`;
    faults.push({ path: [...path, 'options'], code: 'BASE_TYPE_BAD_LENGTH', message });
  }
  return faults;
}

function faultsOfText(path: FieldFault['path'], input: Extract<SentInput, { style: number }>): FieldFault[] {
  const { min_length: min = 0, max_length: max = 4000, value } = input;
  const faults: FieldFault[] = [];
  if (min > max) {
    const message = `int value should be less than or equal to ${max}.`;
    faults.push({ path: [...path, 'min_length'], code: 'NUMBER_TYPE_MAX', message });
  }
  if (value !== undefined && value.length > max) {
    const message = `Must be ${max} or fewer in length.`;
    faults.push({ path: [...path, 'value'], code: 'BASE_TYPE_MAX_LENGTH', message });
  }
  return faults;
}
