import type { Reading } from '../api/world.ts';
import type { User } from '../users/records.ts';
import type { Message } from './records.ts';

/** A piece of a message: plain text, or a user who is mentioned as `<@id>`. */
export type Fragment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mention'; readonly user: User };

/** Splits a message's content at mentioned users. A mention with an unknown id stays part of the text. */
export function fragments({ users }: Pick<Reading, 'users'>, content: string): Fragment[] {
  const pieces: Fragment[] = [];
  let from = 0;
  for (const match of content.matchAll(/<@!?(\d{1,20})>/g)) {
    const user = users.get(match[1] ?? '');
    if (user === undefined) continue;
    if (match.index > from) pieces.push({ kind: 'text', text: content.slice(from, match.index) });
    pieces.push({ kind: 'mention', user });
    from = match.index + match[0].length;
  }
  if (from < content.length) pieces.push({ kind: 'text', text: content.slice(from) });
  return pieces;
}

/** Whether a message mentions everyone. */
export function mentionsEveryone(content: string): boolean {
  return /(^|\s)@(everyone|here)\b/.test(content);
}

/** Mentions of a message. */
export interface Mentions {
  /** Ids of users. */
  readonly users: readonly string[];
  /** Ids of roles. */
  readonly roles: readonly string[];
  readonly everyone: boolean;
}

/** Mentions in a text. */
export function mentionsIn(tables: Pick<Reading, 'users' | 'roles'>, content: string): Mentions {
  // Most texts mention no user or role, so they take this fast path.
  if (!content.includes('@')) return NOBODY;
  const users = fragments(tables, content).flatMap((piece) =>
    piece.kind === 'mention' ? [piece.user.id] : [],
  );
  const roles = [...content.matchAll(/<@&(\d{1,20})>/g)].flatMap(
    (match) => tables.roles.get(match[1] ?? '')?.id ?? [],
  );
  return { users: [...new Set(users)], roles: [...new Set(roles)], everyone: mentionsEveryone(content) };
}

/** Mentions of a text without any. */
export const NOBODY: Mentions = { users: [], roles: [], everyone: false };

/** Mentions of a message: the stored ones, or those in its text. */
export function mentionsOf(
  tables: Pick<Reading, 'users' | 'roles'>,
  { mentions, content }: Pick<Message, 'mentions' | 'content'>,
): Mentions {
  return mentions ?? mentionsIn(tables, content);
}

/** Type of a relationship to a blocked user. */
const BLOCKED = 2;

/**
 * Whether the client notifies the logged-in user of a message. Another user, who is not blocked, must have written it.
 * The message must mention the logged-in user, one of their roles or everyone, or be a private message to them.
 */
export function notifies(tables: Reading, message: Message): boolean {
  const { value: me } = tables.me;
  const { author, channel } = message;
  if (author === me) return false;
  if (author !== null && tables.relationships.get(me, author)?.type === BLOCKED) return false;
  if (tables.private_channels.get(channel)?.recipients.includes(me)) return true;
  const { users, roles, everyone } = mentionsOf(tables, message);
  if (everyone || users.includes(me)) return true;
  if (roles.length === 0) return false;
  const own = tables.members.get(tables.channels.get(channel)?.guild ?? '', me)?.roles ?? [];
  return roles.some((role) => own.includes(role));
}
