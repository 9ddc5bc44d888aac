import type * as z from 'zod';
import { present } from '../api/present.ts';
import type { FieldFault } from '../kernel/errors.ts';
import { faultsInside } from './component-faults.ts';
import type { components } from './components.ts';

// Checks of a message's components as a whole. They are separate from the schema of components, which is loaded only
// with the first request.

type Components = z.output<typeof components>;

interface Component {
  readonly type: number;
  readonly id?: number | undefined;
  readonly components?: readonly Component[];
  readonly accessory?: Component;
  readonly custom_id?: string | undefined;
  readonly content?: string;
  readonly [key: string]: unknown;
}

/** Type of a row, and maximum numbers of components and of rows. Other top-level types need version 2 of components. */
const ROW = 1;
const MAX_COMPONENTS = 40;
const MAX_ROWS = 5;
/** Maximum length of all text displays of a message together (characters). */
const MAX_TEXT_CHARS = 4000;

/** Validation errors of a message's components as a whole. */
export function faultsOfComponents(sent: Components, isV2: boolean): FieldFault[] {
  if (sent.length === 0) return [];
  const path = ['components'];
  const all = [...walk(sent as readonly Component[])];
  if (!isV2) {
    const index = sent.findIndex(({ type }) => type !== ROW);
    if (index !== -1) {
      const message = 'Components of this type need the flag IS_COMPONENTS_V2';
      return [{ path: [...path, index, 'type'], code: 'UNION_TYPE_CHOICES', message }];
    }
    if (sent.length > MAX_ROWS) {
      return [
        { path, code: 'BASE_TYPE_BAD_LENGTH', message: `Must be between 1 and ${MAX_ROWS} in length.` },
      ];
    }
  }
  if (all.length > MAX_COMPONENTS) {
    const message = `A message has at most ${MAX_COMPONENTS} components`;
    return [{ path, code: 'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED', message }];
  }
  if (displayedLength(all) > MAX_TEXT_CHARS) {
    const message = `Components displayable text size exceeds maximum size of ${MAX_TEXT_CHARS}`;
    return [{ path, code: 'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED', message }];
  }
  const named = all.flatMap(({ custom_id }) => (custom_id === undefined ? [] : [custom_id]));
  if (new Set(named).size !== named.length) {
    return [
      { path, code: 'COMPONENT_CUSTOM_ID_DUPLICATED', message: 'Component custom id cannot be duplicated' },
    ];
  }
  const ids = all.flatMap((one) => (one.id ? [one.id] : []));
  if (new Set(ids).size !== ids.length) {
    return [{ path, code: 'COMPONENT_ID_DUPLICATED', message: 'Component id cannot be duplicated' }];
  }
  return faultsInside(sent as readonly Component[], path);
}

/** Validation error for a field that a message with version 2 of components cannot have. */
export function legacyFault(name: string): FieldFault {
  const message = `The '${name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`;
  return { path: [name], code: 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2', message };
}

/** Length of the texts of text displays, which are the only components with `content`. */
function displayedLength(all: readonly Component[]): number {
  return all.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
}

const BUTTON = 2;
const LINK = 5;
/** Types of selects, in order: texts, users, roles, mentionables, channels. */
const SELECTS: readonly number[] = [3, 5, 6, 7, 8];

/** Whether the use of any component would send an interaction. */
export function areInteractive(sent: Components): boolean {
  return [...walk(sent as readonly Component[])].some(
    (one) => SELECTS.includes(one.type) || (one.type === BUTTON && one['style'] !== LINK),
  );
}

/** Stored form of components. Each component has a unique id, and so has each of its pictures and files. */
export function withIds(
  sent: Components,
  nextId: () => string,
): readonly Readonly<Record<string, unknown>>[] {
  const taken = new Set([...walk(sent as readonly Component[])].map((one) => one.id));
  let next = 1;
  const number = (one: Component): Component => {
    let own = one.id;
    if (!own) {
      while (taken.has(next)) next += 1;
      own = next;
      next += 1;
    }
    return {
      ...(withMediaIds(one, nextId) as Component),
      id: own,
      ...(one.components === undefined ? {} : { components: one.components.map(number) }),
      ...(one.accessory === undefined ? {} : { accessory: number(one.accessory) }),
    };
  };
  return present((sent as readonly Component[]).map(number));
}

/** Adds ids to the pictures and files of a component, as the stored form requires. */
function withMediaIds(
  one: Readonly<Record<string, unknown>>,
  nextId: () => string,
): Readonly<Record<string, unknown>> {
  const withId = (value: unknown): unknown => ({ ...(value as object), id: nextId() });
  return {
    ...one,
    ...(one['media'] === undefined ? {} : { media: withId(one['media']) }),
    ...(one['file'] === undefined ? {} : { file: withId(one['file']) }),
    ...(Array.isArray(one['items']) ? { items: one['items'].map((item) => withMediaIds(item, nextId)) } : {}),
  };
}

function* walk(nodes: readonly Component[]): Generator<Component> {
  for (const one of nodes) {
    yield one;
    yield* walk(one.components ?? []);
    if (one.accessory !== undefined) yield one.accessory;
  }
}
