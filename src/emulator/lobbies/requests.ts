import * as z from 'zod';
import { choice, clearable, integer, list, maybe, snowflake, text, textMap } from '../api/fields.ts';
import { IDLE_SECONDS, LONGEST_NAME, LONGEST_SECRET, METADATA } from './records.ts';

// What is sent to make and change lobbies.

const metadata = () => clearable(textMap(METADATA.pairs, METADATA.longest, METADATA.longest));
/** One bit, which null takes away. */
const flags = () => clearable(choice(0, 1));
const idle = () => maybe(integer(IDLE_SECONDS.least, IDLE_SECONDS.most));
const name = () => clearable(text(1, LONGEST_NAME));

/** Most members that are named in one request. */
const MOST_AT_ONCE = 25;

const member = z.object({ id: snowflake(), metadata: metadata(), flags: flags() });

/** A lobby to make, or what is to change about one: what is left out stays. */
export const lobbyBody = z.object({
  metadata: metadata(),
  members: maybe(list(member, 0, MOST_AT_ONCE)),
  idle_timeout_seconds: idle(),
  flags: flags(),
});

/** A lobby to be let into, or to make. */
export const joinBody = z.object({
  secret: text(1, LONGEST_SECRET),
  lobby_metadata: metadata(),
  member_metadata: metadata(),
  idle_timeout_seconds: idle(),
  flags: flags(),
});

/** What is to be true of a member. */
export const memberBody = z.object({ metadata: metadata(), flags: flags(), additional_name: name() });

/** The same of several, or that they go. */
export const bulkBody = list(
  member.extend({ additional_name: name(), remove_member: maybe(z.boolean()) }),
  1,
  MOST_AT_ONCE,
);
