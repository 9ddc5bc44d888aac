import { type Acting, commandLine } from './quoted.ts';
import type { ComponentView } from './views.ts';

const BUTTON = 2;
const LINK = 5;
const PREMIUM = 6;
const STRING_SELECT = 3;
const TEXT_DISPLAY = 10;
const THUMBNAIL = 11;
const GALLERY = 12;
const FILE = 13;

/** Entities that a select without its own options offers, by component type. */
const LISTS: Readonly<Record<number, string>> = {
  5: 'users',
  6: 'roles',
  7: 'users and roles',
  8: 'channels',
};

/** One line for each component of a message, with the command that operates the component. */
export function componentLines(
  components: readonly ComponentView[],
  message: string,
  acting: Acting,
): readonly string[] {
  return components.flatMap((one): readonly string[] => {
    const inner = [...(one.components ?? []), ...(one.accessory === undefined ? [] : [one.accessory])];
    if (inner.length > 0) return componentLines(inner, message, acting);
    switch (one.type) {
      case BUTTON:
        return [buttonLine(one, message, acting)];
      case STRING_SELECT:
        return [selectLine(one, listOf(one), message, acting)];
      case TEXT_DISPLAY:
        return (one.content ?? '').split('\n');
      case THUMBNAIL:
        return [`[picture] ${one.media?.url ?? ''}`];
      case GALLERY:
        return (one.items ?? []).map(({ media }) => `[picture] ${media?.url ?? ''}`);
      case FILE:
        return [`[file] ${one.file?.url ?? ''}`];
      default:
        return one.type in LISTS ? [selectLine(one, LISTS[one.type] ?? '', message, acting)] : [];
    }
  });
}

function buttonLine(one: ComponentView, message: string, acting: Acting): string {
  const { label = one.emoji?.name ?? '', custom_id, style, url = '', sku_id = '' } = one;
  const named = `[button] ${label}`;
  if (style === LINK) return `${named}: a link to ${url}`;
  if (style === PREMIUM) return `[button] sells the SKU ${sku_id}`;
  if (one.disabled === true) return `${named}: disabled`;
  return `${named}: ${commandLine('click', acting, [message, custom_id ?? ''])}`;
}

function selectLine(one: ComponentView, from: string, message: string, acting: Acting): string {
  const { placeholder = '', custom_id = '' } = one;
  const named = `[select] ${placeholder}`.trimEnd();
  if (one.disabled === true) return `${named}: disabled`;
  return `${named}: ${countOf(one)} of ${from}: ${commandLine('choose', acting, [message, custom_id])} VALUE`;
}

/** Allowed number of chosen values. */
export function countOf({ min_values: min = 1, max_values: max = 1 }: ComponentView): string {
  return min === max ? String(min) : `${min} to ${max}`;
}

/** Options by value, with the label where it differs. */
export function listOf({ options = [] }: ComponentView): string {
  return options.map(({ value, label }) => (value === label ? value : `${value} (${label})`)).join(', ');
}
