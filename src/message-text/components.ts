import { listOf, numberOf, objectOf } from './shape.ts';

/** Numbers of the component types of messages and modals. */
export const COMPONENT = {
  row: 1,
  button: 2,
  textSelect: 3,
  textInput: 4,
  userSelect: 5,
  roleSelect: 6,
  mentionableSelect: 7,
  channelSelect: 8,
  section: 9,
  textDisplay: 10,
  thumbnail: 11,
  gallery: 12,
  file: 13,
  separator: 14,
  container: 17,
  label: 18,
  fileUpload: 19,
  radioGroup: 21,
  checkboxGroup: 22,
  checkbox: 23,
} as const;

/** Types of the components of messages. */
export const MESSAGE_COMPONENTS = [
  COMPONENT.row,
  COMPONENT.button,
  COMPONENT.textSelect,
  COMPONENT.userSelect,
  COMPONENT.roleSelect,
  COMPONENT.mentionableSelect,
  COMPONENT.channelSelect,
  COMPONENT.section,
  COMPONENT.textDisplay,
  COMPONENT.thumbnail,
  COMPONENT.gallery,
  COMPONENT.file,
  COMPONENT.separator,
  COMPONENT.container,
] as const;

/** Types of the fields of modals. */
export const MODAL_FIELDS = [
  COMPONENT.textSelect,
  COMPONENT.textInput,
  COMPONENT.userSelect,
  COMPONENT.roleSelect,
  COMPONENT.mentionableSelect,
  COMPONENT.channelSelect,
  COMPONENT.fileUpload,
  COMPONENT.radioGroup,
  COMPONENT.checkboxGroup,
  COMPONENT.checkbox,
] as const;

/** Kind of what a select offers, by the type of the select. */
const SELECT_KINDS = {
  [COMPONENT.textSelect]: 'text',
  [COMPONENT.userSelect]: 'user',
  [COMPONENT.roleSelect]: 'role',
  [COMPONENT.mentionableSelect]: 'mentionable',
  [COMPONENT.channelSelect]: 'channel',
} as const;

export type SelectKind = (typeof SELECT_KINDS)[keyof typeof SELECT_KINDS];

/** Kind of a select by its type; undefined for a component of any other type. */
export function selectKind(type: number): SelectKind | undefined {
  return Object.entries(SELECT_KINDS).find(([one]) => Number(one) === type)?.[1];
}

/** Placeholder of a select without one. */
export const PLACEHOLDERS: Readonly<Record<SelectKind, string>> = {
  text: 'Make a selection',
  user: 'Select a user',
  role: 'Select a role',
  mentionable: 'Select a user or a role',
  channel: 'Select a channel',
};

/** Style of a link button. */
export const LINK_BUTTON = 5;
/** Style of a button that sells something. */
export const PREMIUM_BUTTON = 6;

/** Maximum depth of components within components, and maximum number of drawn components of one list. */
export const MAX_COMPONENT_DEPTH = 6;
export const MAX_COMPONENTS = 50;
/** Maximum number of components of a message; a tree with more, which only a world's file can have, is not drawn. */
const MAX_TREE = 200;

/** Whether a tree has more components than a message can have; it is not counted further. */
export function areTooMany(components: readonly object[]): boolean {
  const waiting = [...components];
  for (let count = 1; waiting.length > 0; count += 1) {
    if (count > MAX_TREE) return true;
    const next = waiting.pop();
    waiting.push(...listOf(next, 'components'), ...[objectOf(next, 'accessory') ?? []].flat());
  }
  return false;
}

/** Whether components are separators alone, of which a client draws nothing. */
export function areSeparators(components: readonly object[]): boolean {
  return components.every((one) => numberOf(one, 'type') === COMPONENT.separator);
}
