import type { Reading } from '../../api/world.ts';
import { timeOf } from '../../kernel/snowflake.ts';
import type { ClientKind, PublicActivity, SessionPresence, Status, UserPresence } from './status-records.ts';

/** Type of a custom status. */
const CUSTOM = 4;

/** Public online status. */
export type PublicStatus = Exclude<Status, 'invisible'>;

/** Presence of an account, combined from all its clients. */
export interface Presence {
  readonly status: PublicStatus;
  readonly activities: readonly PublicActivity[];
  /** Status per kind of client. */
  readonly client_status: Readonly<Partial<Record<ClientKind, PublicStatus>>>;
}

/** Precedence of statuses from several clients, highest first. */
const BY_WEIGHT: readonly PublicStatus[] = ['dnd', 'online', 'idle', 'offline'];

/** Combined presence of an account. */
export function presenceOf(tables: Reading, userId: string): Presence {
  const written = tables.user_presences.get(userId);
  const isHere = userId === tables.me.value && tables.client.value.logged_in;
  // A friend without a row in `user_presences` has the status in the relationship with the logged-in user.
  const friend = written === undefined ? tables.relationships.get(tables.me.value, userId) : undefined;
  const sessions = sessionsOf(tables, userId);
  const elsewhere = written?.status ?? friend?.status;
  const desktop = isHere ? (written?.status ?? 'online') : elsewhere;
  const clientStatuses: readonly (readonly [SessionPresence['client'], Status])[] = [
    ...(desktop === undefined ? [] : [['desktop', desktop] as const]),
    ...sessions.map(({ client, status }) => [client, status] as const),
  ];
  const status = heaviest(clientStatuses.map(([, one]) => one));
  // Users who are offline or invisible have no public activities.
  if (status === 'offline') return { status, activities: [], client_status: {} };
  const clients = new Map<string, PublicStatus>();
  for (const [client, one] of clientStatuses) {
    const combined = heaviest([one, clients.get(client) ?? 'offline']);
    if (combined !== 'offline') clients.set(client, combined);
  }
  const activities = [
    ...(written === undefined ? [] : written.activities.map((one) => writtenActivity(userId, one))),
    ...(isHere ? [...tables.presences].map(({ activity, since }) => appActivity(activity, since)) : []),
    ...(friend?.activity ? [friendActivity(userId, friend.activity)] : []),
    ...sessions.flatMap((one) => one.activities),
  ];
  return {
    status,
    activities: activities.map((one, index) => ({ id: idOf(userId, one, index), ...one })),
    client_status: Object.fromEntries(clients),
  };
}

/** All users who appear online, starting with the logged-in user. */
export function online(tables: Reading): ReadonlyMap<string, PublicStatus> {
  const { me, relationships, user_presences, session_presences } = tables;
  const users = new Set([
    me.value,
    ...[...relationships.by('of', me.value)].map(({ user }) => user),
    ...[...user_presences].map(({ user }) => user),
    ...[...session_presences].map(({ user }) => user),
  ]);
  const found = new Map<string, PublicStatus>();
  for (const user of users) {
    const { status } = presenceOf(tables, user);
    if (status !== 'offline') found.set(user, status);
  }
  return found;
}

/** Whether an activity is a custom status. */
export function isCustomStatus({ type }: Pick<PublicActivity, 'type'>): boolean {
  return type === CUSTOM;
}

/** Sessions of a user. All shards of a bot share one presence, so only the presence that was set last counts. */
function sessionsOf({ session_presences, users }: Reading, userId: string): readonly SessionPresence[] {
  const all = [...session_presences.by('user', userId)];
  return users.get(userId)?.bot === true ? all.slice(-1) : all;
}

function heaviest(statuses: readonly Status[]): PublicStatus {
  return BY_WEIGHT.find((one) => statuses.includes(one)) ?? 'offline';
}

function writtenActivity(userId: string, activity: UserPresence['activities'][number]): PublicActivity {
  const { created_at } = activity;
  return { ...activity, created_at: created_at === undefined ? timeOf(userId) : Date.parse(created_at) };
}

/** Public form of an activity that an app sent over RPC, without its secrets and the links of its buttons. */
function appActivity(activity: { readonly [key: string]: unknown }, since: number): PublicActivity {
  const { secrets: _secrets, metadata: _metadata, ...publicFields } = activity;
  return {
    ...publicFields,
    name: String(activity['name']),
    type: Number(activity['type']),
    created_at: since,
  };
}

function friendActivity(
  userId: string,
  activity: NonNullable<NonNullable<ReturnType<Reading['relationships']['get']>>['activity']>,
): PublicActivity {
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

/** Id of an activity, unique among the activities of one account. */
function idOf(userId: string, activity: PublicActivity, index: number): string {
  if (isCustomStatus(activity)) return 'custom';
  return ((BigInt(userId) << 4n) | BigInt(index & 15)).toString(16).padStart(16, '0').slice(-16);
}
