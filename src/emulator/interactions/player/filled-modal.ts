import { readFiles, type SentFile } from '../../files/input-files.ts';
import { SettingError } from '../../kernel/errors.ts';
import type { Component, Modal, Resolves } from '../records.ts';
import { type Chooser, checkCount, choose, optionsOf, optionValue } from './choices.ts';
import { allOf, SELECTS, STRING_SELECT } from './component.ts';
import { type Filled, listed, oneText, quoted, texts, yesOrNo } from './input-values.ts';

const ROW = 1;
const TEXT_INPUT = 4;
const LABEL = 18;
const FILE_UPLOAD = 19;
const RADIO_GROUP = 21;
const CHECKBOX_GROUP = 22;
const CHECKBOX = 23;
const FIELDS: readonly number[] = [
  TEXT_INPUT,
  ...SELECTS,
  FILE_UPLOAD,
  RADIO_GROUP,
  CHECKBOX_GROUP,
  CHECKBOX,
];
const MAX_TEXT_CHARS = 4000;

/** A filled field. Its payload has no file ids yet. */
interface FilledField {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly resolves: Resolves;
  readonly files: readonly SentFile[];
}

/** A filled modal. */
export interface FilledModal {
  readonly resolves: Resolves;
  /** Files by the custom id of their field; they are stored before the payload is built. */
  readonly files: ReadonlyMap<string, readonly SentFile[]>;
  /** Builds the payload for the application, with the ids of the stored files. */
  components(ids: ReadonlyMap<string, readonly string[]>): readonly object[];
}

/** Rules for files in a modal. */
export interface FileRule {
  /** Maximum size of a file (bytes). */
  readonly maxBytes: number;
  readonly takes: (types: readonly string[] | undefined, filename: string) => boolean;
}

/** The fields of a modal, in order. */
function fieldsOf({ components }: Modal): readonly (Component & { readonly custom_id: string })[] {
  return [...allOf(components)].flatMap((one) =>
    FIELDS.includes(one.type) && one.custom_id !== undefined ? { ...one, custom_id: one.custom_id } : [],
  );
}

/**
 * Fills a modal with a user's input; fields without input keep their defaults. @throws SettingError for an unknown
 * field, and for input that the client would not accept.
 */
export function fillIn(chooser: Chooser, modal: Modal, input: Filled, rule: FileRule): FilledModal {
  const fields = fieldsOf(modal);
  const known = fields.map(({ custom_id }) => custom_id);
  const unknown = [...Object.keys(input.values), ...Object.keys(input.files)].find(
    (name) => !known.includes(name),
  );
  if (unknown !== undefined) {
    throw new SettingError(
      '',
      `the modal has no field ${quoted(unknown)}; its fields are ${listed(known.map(quoted))}`,
    );
  }
  const filled = new Map(fields.map((field) => [field.custom_id, fieldOf(chooser, field, input, rule)]));
  const all = [...filled.values()];
  return {
    resolves: mergedResolves(all.map(({ resolves }) => resolves)),
    files: new Map([...filled].flatMap(([name, { files }]) => (files.length > 0 ? [[name, files]] : []))),
    components: (ids) => modal.components.map((one) => payloadOf(one, filled, ids)),
  };
}

/** Union of the ids. */
function mergedResolves(all: readonly Resolves[]): Resolves {
  const merged: Record<string, string[]> = {};
  for (const one of all) {
    for (const [list, ids] of Object.entries(one) as [string, readonly string[]][]) {
      merged[list] = [...new Set([...(merged[list] ?? []), ...ids])];
    }
  }
  return merged;
}

/** Payload of a component: only the user's input, without the component's labels and other texts. */
function payloadOf(
  one: Component,
  filled: ReadonlyMap<string, FilledField>,
  ids: ReadonlyMap<string, readonly string[]>,
): object {
  const base = { type: one.type, ...(one.id === undefined ? {} : { id: one.id }) };
  if (one.type === LABEL && one.component !== undefined) {
    return { ...base, component: payloadOf(one.component, filled, ids) };
  }
  if (one.type === ROW)
    return { ...base, components: (one.components ?? []).map((each) => payloadOf(each, filled, ids)) };
  const { custom_id } = one;
  const field = filled.get(custom_id ?? '');
  if (custom_id === undefined || field === undefined) return base;
  const files = one.type === FILE_UPLOAD ? { values: ids.get(custom_id) ?? [] } : {};
  return { ...base, custom_id, ...field.payload, ...files };
}

function fieldOf(
  chooser: Chooser,
  field: Component & { readonly custom_id: string },
  { values, files }: Filled,
  rule: FileRule,
): FilledField {
  const { custom_id: key, type } = field;
  const entered = Object.hasOwn(values, key) ? values[key] : undefined;
  const sent = Object.hasOwn(files, key) ? (files[key] ?? []) : [];
  if (type === FILE_UPLOAD) return { payload: {}, resolves: {}, files: uploads(field, entered, sent, rule) };
  const plain = (value: unknown): FilledField => ({ payload: { value }, resolves: {}, files: [] });
  switch (type) {
    case TEXT_INPUT:
      return plain(textIn(field, oneText(key, entered)));
    case RADIO_GROUP:
      return plain(radioIn(field, oneText(key, entered)));
    case CHECKBOX: {
      const text = oneText(key, entered);
      return plain(text === undefined ? field['default'] === true : yesOrNo(key, text));
    }
    case CHECKBOX_GROUP: {
      const options = optionsOf(field);
      const wanted = entered === undefined ? defaults(field) : withoutNone(texts(entered));
      const checked = [...new Set(wanted.map((text) => optionValue(key, options, text)))];
      checkCount(key, field, checked.length, options.length);
      return { payload: { values: checked }, resolves: {}, files: [] };
    }
    default: {
      const { values: chosen, resolves } = choose(
        chooser,
        field,
        entered === undefined ? defaults(field) : texts(entered),
      );
      return { payload: { values: chosen }, resolves, files: [] };
    }
  }
}

function withoutNone(choices: readonly string[]): readonly string[] {
  return choices.length === 1 && choices[0] === 'none' ? [] : choices;
}

/** Default values of a field. */
function defaults(field: Component): readonly string[] {
  if (field.type === STRING_SELECT || field.type === CHECKBOX_GROUP || field.type === RADIO_GROUP) {
    return optionsOf(field).flatMap((option) => (option.default === true ? option.value : []));
  }
  const values = field['default_values'];
  return Array.isArray(values) ? (values as readonly { readonly id: string }[]).map(({ id }) => id) : [];
}

function textIn(field: Component & { readonly custom_id: string }, entered: string | undefined): string {
  const text = entered ?? (typeof field['value'] === 'string' ? field['value'] : '');
  const {
    required = true,
    min_length = 0,
    max_length = MAX_TEXT_CHARS,
  } = field as {
    readonly required?: boolean;
    readonly min_length?: number;
    readonly max_length?: number;
  };
  if (text === '' && !required) return text;
  if (text === '') throw new SettingError(field.custom_id, 'must be filled in');
  if (text.length < min_length || text.length > max_length) {
    throw new SettingError(
      field.custom_id,
      `must have ${min_length} to ${max_length} characters, not ${text.length}`,
    );
  }
  return text;
}

function radioIn(
  field: Component & { readonly custom_id: string },
  entered: string | undefined,
): string | null {
  const options = optionsOf(field);
  const wanted = entered === 'none' && !options.some(({ value }) => value === 'none') ? undefined : entered;
  const text = entered === undefined ? defaults(field)[0] : wanted;
  if (text !== undefined) return optionValue(field.custom_id, options, text);
  if (field['required'] === false) return null;
  const known = listed(options.map(({ value }) => quoted(value)));
  throw new SettingError(field.custom_id, `must be chosen from ${known}`);
}

function uploads(
  field: Component & { readonly custom_id: string },
  entered: unknown,
  sent: Filled['files'][string],
  rule: FileRule,
): readonly SentFile[] {
  const key = field.custom_id;
  if (sent.length === 0 && entered !== undefined && entered !== 'none') {
    throw new SettingError(key, `takes files: ${key}=@PATH`);
  }
  const types = Array.isArray(field['file_types']) ? (field['file_types'] as readonly string[]) : undefined;
  const wrong = sent.find(({ filename }) => !rule.takes(types, filename));
  if (wrong !== undefined) {
    throw new SettingError(
      key,
      `does not take ${quoted(wrong.filename)}; it takes ${(types ?? []).join(', ')}`,
    );
  }
  checkCount(key, field, sent.length);
  return readFiles(key, sent, rule.maxBytes);
}
