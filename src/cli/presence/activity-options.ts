import { ACTIVITY_TYPES } from '../../base/activity-types.ts';
import { messageOf } from '../../base/local-error.ts';
import { parseDuration } from '../../emulator/kernel/time-text.ts';
import { textOption } from '../command.ts';
import { usage } from '../parse.ts';

/** Types that an app can set (protocol: SET_ACTIVITY refuses the others). */
const SETTABLE_TYPES = ['playing', 'listening', 'watching', 'competing'] as const;

/** Options that describe an activity. */
export const activityOptions = {
  'client-id': textOption('ID', 'application that shows it'),
  name: textOption('TEXT', 'name (default: that of the application)'),
  type: textOption('TYPE', 'playing, listening, watching or competing', { choices: SETTABLE_TYPES }),
  details: textOption('TEXT', 'first line'),
  state: textOption('TEXT', 'second line'),
  'large-image': textOption('KEY|URL', 'large picture'),
  'large-text': textOption('TEXT', 'text of the large picture'),
  'small-image': textOption('KEY|URL', 'small picture'),
  'small-text': textOption('TEXT', 'text of the small picture'),
  button: textOption('LABEL=URL', 'a button'),
} as const;

type Values = { readonly [O in keyof typeof activityOptions]?: string | undefined };

/** The application and the activity of the options. Throws a usage error. */
export function activityOf(
  values: Values,
  command: string,
): { readonly clientId: string; readonly activity: Record<string, unknown> } {
  const { name, type, details, state, button, 'client-id': clientId } = values;
  if (clientId === undefined) throw usage('--client-id ID names the application.', { name: command });
  const assets = Object.fromEntries(
    (['large-image', 'large-text', 'small-image', 'small-text'] as const).flatMap((option) =>
      values[option] === undefined ? [] : [[option.replace('-', '_'), values[option]]],
    ),
  );
  const activity = {
    ...(name === undefined ? {} : { name }),
    ...(type === undefined ? {} : { type: ACTIVITY_TYPES[type as keyof typeof ACTIVITY_TYPES] }),
    ...(details === undefined ? {} : { details }),
    ...(state === undefined ? {} : { state }),
    ...(Object.keys(assets).length === 0 ? {} : { assets }),
    ...(button === undefined ? {} : { buttons: [buttonOf(button, command)] }),
  };
  return { clientId, activity };
}

function buttonOf(text: string, command: string): { readonly label: string; readonly url: string } {
  const at = text.indexOf('=');
  if (at < 1) throw usage(`--button: "${text}" is not LABEL=URL.`, { name: command });
  return { label: text.slice(0, at), url: text.slice(at + 1) };
}

/** The end of a time from now on (ms since the Unix epoch); null without a time. Throws a usage error. */
export function endOf(duration: string | undefined, command: string): number | null {
  if (duration === undefined) return null;
  try {
    const ms = parseDuration(duration);
    if (ms > 0) return Date.now() + ms;
  } catch (error) {
    throw usage(`--for: ${messageOf(error).replace(/^time:? ?/, '')}.`, { name: command });
  }
  throw usage('--for: a duration such as 30m or 2h is expected.', { name: command });
}
