import { ACTIVITY_TYPES } from '../../base/activity-types.ts';
import { LocalError } from '../../base/local-error.ts';
import { didYouMean } from '../../base/nearest.ts';
import { type Style, styleFor } from '../../base/style.ts';
import { localTime, printable } from '../../base/text.ts';
import type { Io } from '../../daemon/io.ts';
import type { PresenceView } from '../../daemon/presence/view.ts';
import { quote } from '../parse.ts';

/** Answer of `presence.list`. */
export interface PresenceList {
  readonly revision: number;
  readonly paused?: number | null;
  readonly entries: readonly PresenceView[];
  readonly unusedRules: readonly string[];
  /** Settings that have no effect, each with the reason. */
  readonly problems: readonly string[];
}

/** Fields that a template of `--format` may name. */
export const TEMPLATE_FIELDS = [
  'app',
  'id',
  'program',
  'pid',
  'state',
  'why',
  'name',
  'type',
  'details',
  'line',
  'large_text',
  'small_text',
  'clients',
  'since',
] as const;

type Activity = Readonly<Record<string, unknown>>;

/** Name of an app for the user: that of its application, of its program, or its id. */
export function appName({ application, program, clientId }: PresenceView): string {
  return application ?? program ?? clientId;
}

/**
 * The entry that the user means by an id, else by the name of an application, else of a program, whatever its case. A
 * program may call itself as it likes, so a name that several apps have is refused with `LocalError` FOOTBRIDGE_PRESENCE.
 */
export function entryOf(word: string, entries: readonly PresenceView[]): PresenceView | undefined {
  const wanted = word.trim().toLowerCase();
  const [found, other] =
    (['clientId', 'application', 'program'] as const)
      .map((key) => entries.filter((entry) => entry[key]?.toLowerCase() === wanted))
      .find(({ length }) => length > 0) ?? [];
  if (found !== undefined && other !== undefined)
    throw new LocalError(
      'FOOTBRIDGE_PRESENCE',
      `Several apps are called ${quote(word)}: ${found.clientId}, ${other.clientId}. Give the id of one.`,
    );
  return found;
}

/** Refusal of a name that no entry has. */
export function unknownApp(word: string, entries: readonly PresenceView[]): LocalError {
  const meant = didYouMean(word, entries.map(appName));
  return new LocalError('FOOTBRIDGE_PRESENCE', `No app ${quote(word)} shows anything.${meant}`);
}

/** One entry as lines for the terminal. */
function entryText(view: PresenceView, style: Style, now: number): string {
  const { state, activity, shown, why, clients, connections, clientId, program, pid } = view;
  const stateText = state === 'shown' ? style.good(state) : style.warn(state);
  const others = connections > 1 ? `, ${connections} connections` : '';
  const process = program === null ? '' : ` · ${printable(program)}${pid === null ? '' : ` (pid ${pid})`}`;
  const at = clients.length > 0 ? printable(clients.join(', ')) : shown === null ? undefined : 'no client';
  const lines = [
    `${style.strong(printable(appName(view)))}  ${stateText}${at === undefined ? '' : ` at ${at}`}`,
    `  ${printable(clientId)}${process}${others} · for ${age(now - view.since)}`,
    `  ${summary(shown ?? activity)}${shown === null ? ' (nobody sees it)' : ''}`,
    ...(shown !== null && summary(shown) !== summary(activity)
      ? [`  the app says: ${summary(activity)}`]
      : []),
    `  why: ${printable(why)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The whole list for the terminal. */
export function listText(list: PresenceList, io: Io, now = Date.now()): string {
  const { entries, paused, unusedRules, problems } = list;
  const style = styleFor(io.colour.out);
  const head =
    paused === undefined
      ? []
      : [
          style.warn(
            paused === null
              ? 'Presence is paused until: footbridge presence resume'
              : `Presence is paused until ${localTime(paused)}`,
          ),
        ];
  const unused = unusedRules.map((place) =>
    style.faint(`no app has matched the rule of ${printable(place)}`),
  );
  const failing = problems.map((problem) => style.warn(printable(problem)));
  const body = entries.map((view) => entryText(view, style, now).trimEnd());
  const lines = [...head, ...failing, ...(body.length === 0 ? ['No app shows anything.'] : body), ...unused];
  return `${lines.join('\n')}\n`;
}

/** A template with each `{{field}}` replaced by the entry's value. Unknown fields were refused before. */
export function formatted(template: string, view: PresenceView): string {
  const activity = view.shown ?? {};
  const assets = (activity['assets'] ?? {}) as Activity;
  const values: { readonly [F in (typeof TEMPLATE_FIELDS)[number]]: unknown } = {
    app: appName(view),
    id: view.clientId,
    program: view.program,
    pid: view.pid,
    state: view.state,
    why: view.why,
    name: activity['name'] ?? view.application,
    type: view.shown === null ? undefined : typeName(activity),
    details: activity['details'],
    line: activity['state'],
    large_text: assets['large_text'],
    small_text: assets['small_text'],
    clients: view.clients.join(', '),
    since: new Date(view.since).toISOString(),
  };
  return template.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, field: string) => {
    const value = values[field as keyof typeof values];
    return typeof value === 'string' || typeof value === 'number' ? printable(String(value)) : '';
  });
}

/** Every text that others can read, so that the list hides no part of what is shown. */
function summary(activity: Activity): string {
  const { name, details, state, assets, buttons } = activity;
  const { large_text: large, small_text: small } = (assets ?? {}) as Activity;
  const lines = [name, details, state].filter((text) => typeof text === 'string');
  const pictures = [large, small].filter((text) => typeof text === 'string');
  const labels = (Array.isArray(buttons) ? buttons : []).map((button) => String(Object(button).label));
  const texts = [
    ...lines,
    ...pictures.map((text) => `picture: ${text}`),
    ...labels.map((text) => `button: ${text}`),
  ].map(printable);
  return `${typeName(activity)}${texts.length === 0 ? '' : `: ${texts.join(' | ')}`}`;
}

function typeName({ type = 0 }: Activity): string {
  const found = Object.entries(ACTIVITY_TYPES).find(([, number]) => number === type);
  return found?.[0] ?? `type ${String(type)}`;
}

function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
