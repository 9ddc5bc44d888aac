// Messages are drawn from JSON of any origin: a world's file may contain components and embeds of any shape. Therefore
// no field is trusted to be there, or to have its type.

/** Names and looks of the users, roles and channels that messages mention, by their ids. */
export interface Names {
  readonly users: Readonly<
    Record<
      string,
      {
        readonly name: string;
        readonly color?: number | null | undefined;
        readonly avatar?: string | null | undefined;
        readonly bot?: boolean | undefined;
      }
    >
  >;
  readonly roles: Readonly<
    Record<string, { readonly name: string; readonly color?: number | null | undefined }>
  >;
  readonly channels: Readonly<Record<string, { readonly name: string; readonly type?: number | undefined }>>;
}

/** A message as one user sees it. */
export interface DrawnMessage {
  /** The message in the form of the platform's public HTTP API. */
  readonly message: object;
  /** Hash of its stored form. */
  readonly revision: string;
  /** Whether only the viewer sees it. */
  readonly ephemeral: boolean;
}

/** Flags of a message that its drawing depends on. */
export const FLAGS = {
  crossposted: 1 << 0,
  crosspost: 1 << 1,
  ephemeral: 1 << 6,
  loading: 1 << 7,
  silent: 1 << 12,
  voice: 1 << 13,
  componentsV2: 1 << 15,
} as const;

export function hasFlag(message: unknown, flag: keyof typeof FLAGS): boolean {
  return ((numberOf(message, 'flags') ?? 0) & FLAGS[flag]) !== 0;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** A field's text; empty for everything that is not a text. */
export function textOf(value: unknown, name: string): string {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? field : '';
}

/** A field's finite number. */
export function numberOf(value: unknown, name: string): number | undefined {
  const field = fieldOf(value, name);
  return typeof field === 'number' && Number.isFinite(field) ? field : undefined;
}

export function isTrue(value: unknown, name: string): boolean {
  return fieldOf(value, name) === true;
}

/** A field's object, which is no list. */
export function objectOf(value: unknown, name: string): object | undefined {
  const field = fieldOf(value, name);
  return typeof field === 'object' && field !== null && !Array.isArray(field) ? field : undefined;
}

/** Objects of a field's list; at most `max`. */
export function listOf(value: unknown, name: string, max = 100): readonly object[] {
  const field = fieldOf(value, name);
  if (!Array.isArray(field)) return [];
  return field
    .slice(0, max)
    .filter((one): one is object => typeof one === 'object' && one !== null && !Array.isArray(one));
}

/** Texts of a field's list. */
export function textsOf(value: unknown, name: string): readonly string[] {
  const field = fieldOf(value, name);
  return Array.isArray(field) ? field.filter((one): one is string => typeof one === 'string') : [];
}

/** Name of a user object: the display name, or the user name. */
export function userName(names: Names, user: unknown): string {
  const id = textOf(user, 'id');
  const known = own(names.users, id)?.name;
  return known || textOf(user, 'global_name') || textOf(user, 'username') || 'Removed user';
}

/** Entry of a table by an id from a message, which may be the name of a built-in property. */
export function own<T>(table: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.hasOwn(table, id) ? table[id] : undefined;
}

/** A web address that a link may have; undefined for any other scheme and for no address. */
export function webAddress(url: string): string | undefined {
  if (!/^https?:\/\//i.test(url)) return undefined;
  try {
    return new URL(url).href;
  } catch {
    return undefined;
  }
}
