import { SettingError } from '../../kernel/errors.ts';
import type { Message } from '../../messages/records.ts';
import type { Component } from '../records.ts';
import { listed, quoted } from './input-values.ts';

const BUTTON = 2;
/** Types of selects for texts, users, roles, mentionables, and channels. */
export const STRING_SELECT = 3;
export const SELECTS: readonly number[] = [3, 5, 6, 7, 8];
const LINK = 5;
const PREMIUM = 6;

/** Yields every component, including nested ones. */
export function* allOf(components: readonly Component[]): Generator<Component> {
  for (const one of components) {
    yield one;
    yield* allOf(one.components ?? []);
    for (const inner of [one.component, one.accessory]) if (inner !== undefined) yield* allOf([inner]);
  }
}

/** The components of a message. */
function componentsOf({ components = [] }: Pick<Message, 'components'>): readonly Component[] {
  return [...allOf(components as unknown as readonly Component[])];
}

/**
 * A button of a message, found by its custom id or its label. @throws SettingError for a button that cannot be clicked
 */
export function buttonOf(message: Message, name: string): Component & { readonly custom_id: string } {
  const found = named(message, name, [BUTTON]);
  if (SELECTS.includes(found.type)) throw cannot(message, name, `is a select: choose from it`);
  if (found['style'] === LINK) {
    const url = typeof found['url'] === 'string' ? found['url'] : '';
    throw cannot(
      message,
      name,
      `is a link to ${url.slice(0, 200)}: no application is notified when it is opened`,
    );
  }
  if (found['style'] === PREMIUM) {
    throw cannot(
      message,
      name,
      `offers the SKU ${String(found['sku_id'])}: start a subscription, or add an entitlement by a patch`,
    );
  }
  return usable(message, name, found);
}

/**
 * A select of a message, found by its custom id. @throws SettingError when the user can choose nothing from the select
 */
export function selectOf(message: Message, name: string): Component & { readonly custom_id: string } {
  const found = named(message, name, SELECTS);
  if (found.type === BUTTON) throw cannot(message, name, 'is a button: click it');
  return usable(message, name, found);
}

function usable(message: Message, name: string, found: Component) {
  const { custom_id } = found;
  if (custom_id === undefined)
    throw cannot(message, name, 'has no custom id, so the application cannot be notified');
  if (found.disabled === true) throw cannot(message, name, 'is disabled');
  return { ...found, custom_id };
}

function named(message: Message, name: string, wanted: readonly number[]): Component {
  const all = componentsOf(message);
  const own = all.find(({ custom_id }) => custom_id === name);
  if (own !== undefined) return own;
  const called = all.filter(({ type, label }) => type === BUTTON && label === name);
  const [first, second] = called;
  if (first !== undefined && second === undefined) return first;
  const known = all
    .filter(({ type }) => wanted.includes(type))
    .map(({ custom_id, label }) => custom_id ?? label ?? '')
    .filter((one) => one !== '');
  const what = wanted.includes(BUTTON) ? 'button' : 'select';
  const has = known.length === 0 ? `it has no ${what}` : `it has ${listed(known.map(quoted))}`;
  throw new SettingError('', `message ${message.id} has no ${what} ${quoted(name)}; ${has}`);
}

function cannot(message: Message, name: string, why: string): SettingError {
  return new SettingError('', `${quoted(name)} of message ${message.id} ${why}`);
}
