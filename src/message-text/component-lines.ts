import {
  areTooMany,
  COMPONENT,
  LINK_BUTTON,
  MAX_COMPONENT_DEPTH,
  MAX_COMPONENTS,
  PLACEHOLDERS,
  selectKind,
} from './components.ts';
import { emojiText, indented, plainTextOf, type Reading } from './plain.ts';
import { isTrue, listOf, numberOf, objectOf, textOf } from './shape.ts';

/** Components of a message as text, one entry for each; each may have several lines. */
export function componentLines(components: readonly object[], reading: Reading): string[] {
  return areTooMany(components) ? ['too many components'] : linesAt(components, reading, 0);
}

function linesAt(components: readonly object[], reading: Reading, depth: number): string[] {
  if (depth > MAX_COMPONENT_DEPTH) return components.length === 0 ? [] : ['…'];
  return components.slice(0, MAX_COMPONENTS).flatMap((one) => componentLine(one, reading, depth));
}

function componentLine(one: object, reading: Reading, depth: number): readonly string[] {
  const inside = (): string[] => linesAt(listOf(one, 'components'), reading, depth + 1);
  const type = numberOf(one, 'type') ?? 0;
  switch (type) {
    case COMPONENT.row:
      return [inside().join(' ')];
    case COMPONENT.button:
      return [`[${buttonText(one)}${isTrue(one, 'disabled') ? ', disabled' : ''}]`];
    case COMPONENT.section: {
      const accessory = objectOf(one, 'accessory');
      return [...inside(), ...(accessory === undefined ? [] : componentLine(accessory, reading, depth + 1))];
    }
    case COMPONENT.textDisplay:
      return [plainTextOf(textOf(one, 'content'), reading)];
    case COMPONENT.thumbnail:
      return [pictureLine(one)];
    case COMPONENT.gallery:
      return listOf(one, 'items', 10).map(pictureLine);
    case COMPONENT.file:
      return [
        `[${isTrue(one, 'spoiler') ? 'spoiler ' : ''}file ${textOf(one, 'name') || textOf(objectOf(one, 'file'), 'url').slice(0, 200)}]`,
      ];
    case COMPONENT.separator:
      return [isTrue(one, 'divider') ? '────────' : ''];
    case COMPONENT.container:
      return [indented([...(isTrue(one, 'spoiler') ? ['(spoiler)'] : []), ...inside()].join('\n'), '┃ ')];
    default: {
      const kind = selectKind(type);
      if (kind === undefined) return [`[component of type ${type}]`];
      const options = listOf(one, 'options', 25).map(
        (option) => `${textOf(option, 'label')}${isTrue(option, 'default') ? ' (chosen)' : ''}`,
      );
      const offered = options.length === 0 ? '' : `: ${options.join(', ')}`;
      return [
        `(${textOf(one, 'placeholder') || PLACEHOLDERS[kind]} ▾${isTrue(one, 'disabled') ? ', disabled' : ''}${offered})`,
      ];
    }
  }
}

function buttonText(button: object): string {
  const emoji = objectOf(button, 'emoji');
  const sign = emoji === undefined ? '' : emojiText(emoji);
  const label = [sign, textOf(button, 'label')].filter((part) => part !== '').join(' ');
  if (numberOf(button, 'style') === LINK_BUTTON) return `${label} <${textOf(button, 'url').slice(0, 200)}>`;
  return label === '' && textOf(button, 'sku_id') !== '' ? 'Buy' : label;
}

function pictureLine(item: object): string {
  const description = textOf(item, 'description') || textOf(objectOf(item, 'media'), 'url').slice(0, 200);
  return `[${isTrue(item, 'spoiler') ? 'spoiler ' : ''}picture: ${description}]`;
}
