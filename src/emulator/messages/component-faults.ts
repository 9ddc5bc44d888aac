import type { FieldFault } from '../kernel/errors.ts';
import { type Choosing, faultsOfChoosing } from './select-faults.ts';

// Validation of single components of a message, after the check of the shape for their type.

interface Component {
  readonly type: number;
  readonly components?: readonly Component[];
  readonly accessory?: Component;
  readonly [key: string]: unknown;
}

type Path = FieldFault['path'];

const ROW = 1;
const BUTTON = 2;
const STRING_SELECT = 3;
const LINK = 5;
const PREMIUM = 6;
/** Allowed types of a select's default values, by its type. */
const NAMED: Readonly<Record<number, readonly string[]>> = {
  5: ['user'],
  6: ['role'],
  7: ['user', 'role'],
  8: ['channel'],
};

/** Validation errors of components and of the components nested in them; `path` is the path of their parent. */
export function faultsInside(components: readonly Component[], path: Path): FieldFault[] {
  return components.flatMap((one, index) => faultsOf(one, [...path, index]));
}

function faultsOf(one: Component, path: Path): FieldFault[] {
  return [
    ...(one.type === ROW ? widthFaults(one, path) : []),
    ...(one.type === BUTTON ? buttonFaults(one, path) : []),
    ...(one.type === STRING_SELECT || one.type in NAMED ? selectFaults(one, path) : []),
    ...faultsInside(one.components ?? [], [...path, 'components']),
    ...(one.accessory === undefined ? [] : faultsOf(one.accessory, [...path, 'accessory'])),
  ];
}

/** A row may contain five buttons or one select. */
function widthFaults({ components = [] }: Component, path: Path): FieldFault[] {
  if (components.length < 2) return [];
  const first = components.findIndex(({ type }) => type !== BUTTON);
  if (first === -1) return [];
  const message = 'The specified component exceeds the maximum width';
  const index = Math.max(first, 1);
  return [{ path: [...path, 'components', index], code: 'COMPONENT_LAYOUT_WIDTH_EXCEEDED', message }];
}

/** Required and forbidden fields of a button per style. The platform does not publish the codes. */
function buttonFaults(button: Component, path: Path): FieldFault[] {
  const { style, label, emoji } = button;
  const key = style === LINK ? 'url' : style === PREMIUM ? 'sku_id' : 'custom_id';
  const keys = ['custom_id', 'url', 'sku_id', ...(style === PREMIUM ? ['label', 'emoji'] : [])];
  const isSilent = style !== PREMIUM && !label && emoji === undefined;
  return [
    ...(button[key] === undefined || button[key] === '' ? [required(path, key)] : []),
    ...keys.flatMap((other) => {
      if (other === key || button[other] === undefined) return [];
      const message = `A button of this style has no ${other}`;
      return [{ path: [...path, other], code: 'BUTTON_COMPONENT_INVALID_FIELD', message }];
    }),
    ...(isSilent ? [required(path, 'label')] : []),
  ];
}

function required(path: Path, key: string): FieldFault {
  return { path: [...path, key], code: 'BASE_TYPE_REQUIRED', message: 'This field is required' };
}

interface Default {
  readonly type: string;
}

function selectFaults(select: Component, path: Path): FieldFault[] {
  const named = NAMED[select.type];
  const defaults = (select['default_values'] ?? []) as readonly Default[];
  return [
    ...faultsOfChoosing(path, select as Choosing),
    ...defaults.flatMap(({ type }, index) => {
      if (named === undefined || named.includes(type)) return [];
      const message = `Value must be one of {${named.map((name) => `'${name}'`).join(', ')}}.`;
      return [{ path: [...path, 'default_values', index, 'type'], code: 'BASE_TYPE_CHOICES', message }];
    }),
  ];
}
