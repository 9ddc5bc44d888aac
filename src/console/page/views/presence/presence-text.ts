/** An activity of an app; any value may be of any type. */
export type Activity = Readonly<Record<string, unknown>>;

const TYPE_LINES = ['Playing', 'Streaming', 'Listening to', 'Watching', '', 'Competing in'];

/** Line above an activity, as a chat client writes it. */
export function typeLine({ type = 0 }: Activity): string {
  return TYPE_LINES[Number(type)] ?? 'Playing';
}

/** A text of an activity; undefined for any other value. */
export function textIn(activity: unknown, key: string): string | undefined {
  const value = fieldIn(activity, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The second line of an activity with the size of its party. */
export function stateLine(activity: Activity): string | undefined {
  const state = textIn(activity, 'state');
  const size = fieldIn(activity['party'], 'size');
  if (!Array.isArray(size)) return state;
  const [current, max] = size.map(Number);
  return [state, `(${current} of ${max})`].filter((part) => part !== undefined).join(' ');
}

/** Labels of the buttons of an activity. */
export function buttonLabels({ buttons }: Activity): readonly string[] {
  return Array.isArray(buttons) ? buttons.flatMap((button: unknown) => textIn(button, 'label') ?? []) : [];
}

/** Time since the start of an activity, or until its end, such as `1:02:03 elapsed`. */
export function timeLine({ timestamps }: Activity, now: number): string | undefined {
  const end = timeIn(timestamps, 'end', now);
  if (end !== undefined) return `${clock(end - now)} left`;
  const start = timeIn(timestamps, 'start', now);
  return start === undefined ? undefined : `${clock(now - start)} elapsed`;
}

/** Fields of an activity that others do not see as the app has set them. */
export function changedFields(activity: Activity, shown: Activity): readonly string[] {
  return Object.keys(activity).filter((key) => JSON.stringify(activity[key]) !== JSON.stringify(shown[key]));
}

function fieldIn(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** A time of an app in ms: apps may set seconds. */
function timeIn(timestamps: unknown, key: string, now: number): number | undefined {
  const value = Number(fieldIn(timestamps, key) ?? Number.NaN);
  if (!Number.isFinite(value) || value <= 0) return undefined;
  return value < now / 100 ? value * 1000 : value;
}

function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number): string => String(Math.floor(value) % 60).padStart(2, '0');
  const minutes =
    seconds < 3600 ? String(Math.floor(seconds / 60)) : `${Math.floor(seconds / 3600)}:${two(seconds / 60)}`;
  return `${minutes}:${two(seconds)}`;
}
