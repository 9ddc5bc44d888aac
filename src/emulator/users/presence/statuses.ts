import type { Reading } from '../../api/world.ts';
import { timeOf } from '../../kernel/snowflake.ts';
import type { ClientKind, SessionPresence, Status, ToldActivity, UserPresence } from './status-records.ts';

/** Kind of activity that is a custom status. */
const CUSTOM = 4;

/** Whether somebody is there, as others are told. */
export type ShownStatus = Exclude<Status, 'invisible'>;

/** All that an account shows of itself, from all places together. */
export interface Presence {
  readonly status: ShownStatus;
  readonly activities: readonly ToldActivity[];
  /** On what they are there. */
  readonly client_status: Readonly<Partial<Record<ClientKind, ShownStatus>>>;
}

/** What is told of somebody who is there from several places: whoever wants no disturbance, is there, is away. */
const BY_WEIGHT: readonly ShownStatus[] = ['dnd', 'online', 'idle', 'offline'];

/** What an account shows of itself. */
export function presenceOf(tables: Reading, userId: string): Presence {
  const written = tables.user_presences.get(userId);
  const isHere = userId === tables.me.value && tables.client.value.logged_in;
  // Of somebody of whom nothing is written, those on the list of the logged-in user know it.
  const friend = written === undefined ? tables.relationships.get(tables.me.value, userId) : undefined;
  const sessions = sessionsOf(tables, userId);
  const elsewhere = written?.status ?? friend?.status;
  const desktop = isHere ? (written?.status ?? 'online') : elsewhere;
  const places: readonly (readonly [SessionPresence['client'], Status])[] = [
    ...(desktop === undefined ? [] : [['desktop', desktop] as const]),
    ...sessions.map(({ client, status }) => [client, status] as const),
  ];
  const status = heaviest(places.map(([, one]) => one));
  // Who is not to be seen shows nothing.
  if (status === 'offline') return { status, activities: [], client_status: {} };
  const clients = new Map<string, ShownStatus>();
  for (const [client, one] of places) {
    const shown = heaviest([one, clients.get(client) ?? 'offline']);
    if (shown !== 'offline') clients.set(client, shown);
  }
  const activities = [
    ...(written === undefined ? [] : written.activities.map((one) => writtenActivity(userId, one))),
    ...(isHere ? [...tables.presences].map(({ activity, since }) => appActivity(activity, since)) : []),
    ...(friend?.activity ? [friendActivity(userId, friend.activity)] : []),
    ...sessions.flatMap((one) => one.activities),
  ];
  return {
    status,
    activities: activities.map((one, place) => ({ id: idOf(userId, one, place), ...one })),
    client_status: Object.fromEntries(clients),
  };
}

/** Everybody who is seen to be there, the logged-in user first. */
export function online(tables: Reading): ReadonlyMap<string, ShownStatus> {
  const { me, relationships, user_presences, session_presences } = tables;
  const users = new Set([
    me.value,
    ...[...relationships.by('of', me.value)].map(({ user }) => user),
    ...[...user_presences].map(({ user }) => user),
    ...[...session_presences].map(({ user }) => user),
  ]);
  const found = new Map<string, ShownStatus>();
  for (const user of users) {
    const { status } = presenceOf(tables, user);
    if (status !== 'offline') found.set(user, status);
  }
  return found;
}

/** Whether an activity is a custom status. */
export function isCustomStatus({ type }: Pick<ToldActivity, 'type'>): boolean {
  return type === CUSTOM;
}

/** Sessions of the gateway. Each shard of a bot shows the same of it: the last that was set counts. */
function sessionsOf({ session_presences, users }: Reading, userId: string): readonly SessionPresence[] {
  const all = [...session_presences.by('user', userId)];
  return users.get(userId)?.bot === true ? all.slice(-1) : all;
}

function heaviest(statuses: readonly Status[]): ShownStatus {
  return BY_WEIGHT.find((one) => statuses.includes(one)) ?? 'offline';
}

function writtenActivity(userId: string, activity: UserPresence['activities'][number]): ToldActivity {
  const { created_at } = activity;
  return { ...activity, created_at: created_at === undefined ? timeOf(userId) : Date.parse(created_at) };
}

/** What an app said over RPC, as anybody may see it: without what lets people in, and without what its buttons open. */
function appActivity(activity: { readonly [key: string]: unknown }, since: number): ToldActivity {
  const { secrets: _secrets, metadata: _metadata, ...shown } = activity;
  return { ...shown, name: String(activity['name']), type: Number(activity['type']), created_at: since };
}

function friendActivity(
  userId: string,
  activity: NonNullable<NonNullable<ReturnType<Reading['relationships']['get']>>['activity']>,
): ToldActivity {
  const { application, name, details, state } = activity;
  return {
    application_id: application,
    name: name ?? '',
    type: 0,
    created_at: timeOf(userId),
    ...(details === null ? {} : { details }),
    ...(state === null ? {} : { state }),
  };
}

/** Tells the activities of one account apart. */
function idOf(userId: string, activity: ToldActivity, place: number): string {
  if (isCustomStatus(activity)) return 'custom';
  return ((BigInt(userId) << 4n) | BigInt(place & 15)).toString(16).padStart(16, '0').slice(-16);
}
