import { createHash } from 'node:crypto';
import type { Reading } from '../api/world.ts';
import type { Message } from './records.ts';

/** Number of hex digits of a revision: enough to distinguish two states of one message. */
const DIGITS = 12;

/** A short hash of a text. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGITS);
}

/** Revisions of messages without files. Rows never change, so a revision is valid as long as its row. */
const known = new WeakMap<Message, string>();

/**
 * Revision of a message: a hash of its row and its files. Reactions and votes have no part in it, because a
 * reaction does not change a button. `tables` are those that have the message: the public ones, or those of ephemeral
 * messages.
 */
export function revisionOf({ attachments }: Pick<Reading, 'attachments'>, message: Message): string {
  const files = [...attachments.by('message', message.id)];
  if (files.length > 0) return shortHash(JSON.stringify([message, files]));
  const revision = known.get(message) ?? shortHash(JSON.stringify([message, files]));
  known.set(message, revision);
  return revision;
}

/** Refusal of an action on a message that has changed since the user saw it. */
class StaleRevision extends Error {
  readonly code = 'FOOTBRIDGE_STALE';

  constructor(id: string, revision: string) {
    super(`message ${id} has changed meanwhile: its revision is ${revision}`);
    this.name = 'StaleRevision';
  }
}

/** Checks that a message still is as the user saw it; without `revision`, any state counts. @throws StaleRevision */
export function checkRevision(
  tables: Pick<Reading, 'attachments'>,
  message: Message,
  revision: string | undefined,
): void {
  if (revision === undefined) return;
  const present = revisionOf(tables, message);
  if (present !== revision) throw new StaleRevision(message.id, present);
}
