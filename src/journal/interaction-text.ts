import { objectOf } from './exchange-facts.ts';
import { isHiddenText } from './secret-names.ts';
import { textsText } from './value-facts.ts';

/** Type of an interaction, by its number in the platform's API. */
const [COMMAND, COMPONENT, COMPLETION, MODAL] = [2, 3, 4, 5];
const BUTTON = 2;
/** Type of a command that is written with a slash; the others are in menus. */
const SLASH = 1;
/** Flag of a message that only one user sees. */
const EPHEMERAL = 64;

/** Kinds of callbacks without a content, by their number in the platform's API. */
const CALLBACKS: Readonly<Record<number, string>> = {
  1: 'pong',
  6: 'update follows',
  12: 'launches the activity',
};

/** An interaction in words, such as `/berth by ana` or `button book by ben`; undefined for one of another kind. */
export function interactionText(interaction: unknown): string | undefined {
  const { type, data, member, user } = objectOf(interaction);
  const { name, type: commandType = SLASH, custom_id, component_type } = objectOf(data);
  const person = textOf(objectOf(user ?? objectOf(member)['user'])['username']);
  const command = `${commandType === SLASH ? '/' : ''}${textOf(name)}`;
  const control = component_type === BUTTON ? 'button' : 'select';
  const what = new Map([
    [COMMAND, command],
    [COMPONENT, `${control} ${textOf(custom_id)}`],
    [COMPLETION, `completion of ${command}`],
    [MODAL, `modal ${textOf(custom_id)}`],
  ]).get(Number(type));
  return what === undefined ? undefined : [what.trim(), person].filter(Boolean).join(' by ');
}

/** The answer to an interaction in words, such as `message with 1 embed`; undefined for one of another kind. */
export function callbackText(callback: unknown): string | undefined {
  const { type, data } = objectOf(callback);
  const { content, embeds, components, choices, title, flags } = objectOf(data);
  const ephemeral = Number(flags) & EPHEMERAL ? 'ephemeral ' : '';
  switch (type) {
    case 4:
    case 7: {
      const parts = [counted(embeds, 'embed'), counted(components, 'component')].filter(Boolean);
      const text = textOf(content);
      const what = type === 4 ? `${ephemeral}message` : 'update of the message';
      return `${what}${text === '' ? '' : ` "${text}"`}${parts.length === 0 ? '' : ` with ${parts.join(' and ')}`}`;
    }
    case 5:
      return `${ephemeral}message follows`;
    case 8:
      return counted(choices, 'choice') || 'no choices';
    case 9:
      return `modal ${textOf(title)}`.trim();
    default:
      return CALLBACKS[Number(type)];
  }
}

/** An event of a message or a guild in words, such as `message "Low tide" by ana`; undefined for any other event. */
export function eventText(event: string, data: unknown): string | undefined {
  const { author, name } = objectOf(data);
  if (event === 'GUILD_CREATE') return `guild ${textOf(name)}`.trim();
  if (event !== 'MESSAGE_CREATE' && event !== 'MESSAGE_UPDATE') return undefined;
  const person = textOf(objectOf(author)['username']);
  const message = callbackText({ type: event === 'MESSAGE_CREATE' ? 4 : 7, data });
  return [message, person].filter(Boolean).join(' by ');
}

function counted(list: unknown, what: string): string {
  const count = Array.isArray(list) ? list.length : 0;
  if (count === 0) return '';
  return `${count} ${what}${count === 1 ? '' : 's'}${textsText(list as readonly unknown[])}`;
}

/** A text; empty where the journal hides it. */
function textOf(value: unknown): string {
  return typeof value === 'string' && !isHiddenText(value) ? value : '';
}
