import { didYouMean } from '../../../platform/nearest.ts';
import { takesFile } from '../commands/file-types.ts';
import { SettingError } from '../errors.ts';
import { type Chooser, checkCount, chosenOf } from './choosing.ts';
import type { Modal, ModalInput } from './modal.ts';
import type { InteractionData, Resolves } from './records.ts';

/**
 * What somebody fills in: a text, yes or no, or several. A file is given by the id that `keepFile` gave it, anything of a
 * select of users and the like by its id, an option by its value or label.
 */
export type ModalValue = string | boolean | readonly string[];

/** A modal as it is submitted, for `begin`. */
export interface Submitted {
  readonly data: InteractionData;
  readonly resolves: Resolves;
}

const TEXT_INPUT = 4;
const FILE_UPLOAD = 19;
const RADIO_GROUP = 21;
const CHECKBOX_GROUP = 22;
const CHECKBOX = 23;

/**
 * What a modal is submitted as with these values, by custom id; what is left out stays as it was opened.
 * @throws SettingError with the custom id as its key: what the client would not submit.
 */
export function checkSubmit(
  chooser: Chooser,
  { custom_id, components }: Modal,
  values: Readonly<Record<string, ModalValue>>,
): Submitted {
  const inputs = components.flatMap((one) =>
    one.type === 18 ? [one.component] : one.type === 1 ? [...one.components] : [],
  );
  const names = inputs.map((input) => input.custom_id);
  for (const key of Object.keys(values)) {
    if (names.includes(key)) continue;
    const known = names.length === 0 ? 'it asks nothing' : `it asks ${names.join(', ')}`;
    throw new SettingError(
      key.slice(0, 100),
      `is nothing that the modal asks; ${known}.${didYouMean(key, names)}`,
    );
  }
  const filled = new Map(
    inputs.map((input) => {
      const value = Object.hasOwn(values, input.custom_id) ? values[input.custom_id] : undefined;
      return [input, filledIn(chooser, input, value)] as const;
    }),
  );
  const told = (input: ModalInput) => {
    const { type, id, custom_id: name } = input;
    return { type, id, custom_id: name, ...filled.get(input)?.told };
  };
  return {
    data: {
      custom_id,
      components: components.map((one) => {
        const { type, id } = one;
        if (one.type === 18) return { type, id, component: told(one.component) };
        return one.type === 1 ? { type, id, components: one.components.map(told) } : { type, id };
      }),
    },
    resolves: together([...filled.values()].map(({ resolves }) => resolves)),
  };
}

/** What is told of one input. */
interface Filled {
  readonly told: { readonly value: string | boolean | null } | { readonly values: readonly string[] };
  readonly resolves: Resolves;
}

function filledIn(chooser: Chooser, input: ModalInput, given: ModalValue | undefined): Filled {
  switch (input.type) {
    case TEXT_INPUT:
      return { told: { value: textOf(input, given) }, resolves: {} };
    case CHECKBOX:
      return { told: { value: tickOf(input, given) }, resolves: {} };
    case RADIO_GROUP: {
      const [value = null] = severalOf(chooser, { ...input, min_values: 1, max_values: 1 }, given).values;
      return { told: { value }, resolves: {} };
    }
    case FILE_UPLOAD: {
      const attachments = filesOf(chooser, input, given);
      return { told: { values: attachments }, resolves: attachments.length === 0 ? {} : { attachments } };
    }
    default: {
      const { values, resolves } = severalOf(chooser, input, given);
      return { told: { values }, resolves };
    }
  }
}

function textOf(
  { custom_id: key, value = '', required, ...bounds }: ModalInput,
  given: ModalValue = value,
): string {
  if (typeof given !== 'string') throw new SettingError(key, 'takes a text');
  if (given === '' && !required) return '';
  const { min_length: least = 0, max_length: most = 4000 } = bounds;
  const lowest = required ? Math.max(1, least) : least;
  if (given.length >= lowest && given.length <= most) return given;
  throw new SettingError(key, `must be of ${lowest} to ${most} characters, and is of ${given.length}`);
}

function tickOf(
  { custom_id: key, default: otherwise = false }: ModalInput,
  given: ModalValue = otherwise,
): boolean {
  if (given === true || given === 'true') return true;
  if (given === false || given === 'false') return false;
  throw new SettingError(key, 'must be true or false');
}

function listOf(given: ModalValue, key: string): readonly string[] {
  if (typeof given === 'boolean') throw new SettingError(key, 'takes what is chosen, not true or false');
  if (typeof given === 'string') return given === '' ? [] : [given];
  return given;
}

function severalOf(chooser: Chooser, input: ModalInput, given: ModalValue | undefined) {
  const { custom_id: key, options, default_values: defaults = [] } = input;
  const before =
    options?.filter((option) => option.default === true).map(({ value }) => value) ??
    defaults.map(({ id }) => id);
  const list = listOf(given ?? before, key);
  checkChosen(input, list.length);
  return chosenOf(chooser, input, list);
}

function filesOf({ tables }: Chooser, input: ModalInput, given: ModalValue = []): readonly string[] {
  const { custom_id: key, file_types: types = [] } = input;
  const files = listOf(given, key);
  checkChosen(input, files.length);
  for (const id of files) {
    const file = tables.ephemeral_attachments.get(id);
    if (file === undefined) throw new SettingError(key, 'names a file that was not uploaded');
    if (!takesFile(types, file.filename)) {
      throw new SettingError(key, `takes ${types.join(', ')}, and not ${file.filename}`);
    }
  }
  return files;
}

/** Nothing is enough where nothing is required; of a group of checkboxes as of anything else. */
function checkChosen(input: ModalInput, count: number): void {
  if (count === 0 && !input.required) return;
  const { min_values: least = 1, max_values: most = 1 } = input;
  const isGroup = input.type === CHECKBOX_GROUP;
  checkCount(input.custom_id, count, input.required && !isGroup ? Math.max(1, least) : least, most);
}

function together(all: readonly Resolves[]): Resolves {
  const of = (name: keyof Resolves) => {
    const ids = all.flatMap((one) => one[name] ?? []);
    return ids.length === 0 ? {} : { [name]: [...new Set(ids)] };
  };
  return { ...of('users'), ...of('roles'), ...of('channels'), ...of('messages'), ...of('attachments') };
}
