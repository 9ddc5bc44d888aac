import type { User } from '../users/records.ts';
import type { Reading } from '../world.ts';
import type { Message } from './records.ts';

/** A piece of a message: plain text, or a user who is mentioned as `<@id>`. */
export type Fragment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mention'; readonly user: User };

/** Splits a message's content at the users it mentions; an id that nobody has stays text. */
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

/** Whether a message speaks to everybody. */
export function mentionsEveryone(content: string): boolean {
  return /(^|\s)@(everyone|here)\b/.test(content);
}

/** Type number of a relationship to somebody who is blocked. */
const BLOCKED = 2;

/**
 * Whether the client tells the logged-in user of a message: somebody else wrote it, who is not blocked, and it
 * mentions the user or everybody. Private channels, which always notify, are not part of a fixture.
 */
export function notifies(tables: Reading, { author, content }: Message): boolean {
  const { value: me } = tables.me;
  if (author === me || tables.relationships.get(me, author)?.type === BLOCKED) return false;
  return (
    mentionsEveryone(content) ||
    fragments(tables, content).some((piece) => piece.kind === 'mention' && piece.user.id === me)
  );
}
