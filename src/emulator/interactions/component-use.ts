import { didYouMean } from '../../../platform/nearest.ts';
import { SettingError } from '../errors.ts';
import type { Message } from '../messages/records.ts';
import { type Choosable, type Chooser, type Chosen, checkCount, chosenOf } from './choosing.ts';
import type { InteractionData } from './records.ts';

/** A button or a select of a message. */
export interface UsableComponent extends Choosable {
  readonly id: number;
  readonly style?: number | undefined;
  readonly label?: string | undefined;
  readonly min_values?: number | undefined;
  readonly max_values?: number | undefined;
  readonly disabled?: boolean | undefined;
}

interface Part {
  readonly components?: readonly Part[];
  readonly accessory?: Part;
  readonly custom_id?: string;
}

const BUTTON = 2;

/** The component of a message that somebody uses. @throws SettingError for one that is not there, or is disabled. */
export function componentOf(
  { components = [] }: Pick<Message, 'components'>,
  customId: string,
): UsableComponent {
  const named = [...partsOf(components as readonly Part[])].filter(
    ({ custom_id }) => custom_id !== undefined,
  );
  const found = named.find(({ custom_id }) => custom_id === customId) as UsableComponent | undefined;
  if (found === undefined) {
    const ids = named.map(({ custom_id = '' }) => custom_id);
    const known = ids.length === 0 ? 'it has none' : `it has ${ids.join(', ')}`;
    const shown = JSON.stringify(customId.slice(0, 100));
    throw new SettingError(
      'component',
      `the message has no component ${shown}; ${known}.${didYouMean(customId, ids)}`,
    );
  }
  if (found.disabled === true) throw new SettingError('component', `${JSON.stringify(customId)} is disabled`);
  return found;
}

/**
 * What the use of a component is told as, for `begin`: a button takes no values, a select as many as it says.
 * @throws SettingError with the custom id as its key.
 */
export function checkSelect(
  chooser: Chooser,
  component: UsableComponent,
  given: readonly string[] = [],
): Pick<Chosen, 'resolves'> & { readonly data: InteractionData } {
  const { type, id, custom_id, min_values: least = 1, max_values: most = 1 } = component;
  const data = { custom_id, component_type: type, id };
  if (type === BUTTON) {
    if (given.length > 0)
      throw new SettingError(custom_id, 'is a button, which is clicked and takes no values');
    return { data, resolves: {} };
  }
  checkCount(custom_id, given.length, least, most);
  const { values, resolves } = chosenOf(chooser, component, given);
  return { data: { ...data, values }, resolves };
}

function* partsOf(components: readonly Part[]): Generator<Part> {
  for (const one of components) {
    yield one;
    yield* partsOf(one.components ?? []);
    if (one.accessory !== undefined) yield one.accessory;
  }
}
