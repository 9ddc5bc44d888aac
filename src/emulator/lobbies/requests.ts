import * as z from 'zod';
import { choice, clearable, integer, list, maybe, snowflake, text, textMap } from '../api/fields.ts';
import { IDLE_SECONDS, LONGEST_NAME, LONGEST_SECRET, METADATA } from './records.ts';

// Bodies of requests that create and change lobbies.

const metadata = () => clearable(textMap(METADATA.pairs, METADATA.longest, METADATA.longest));
/** One bit; null clears it. */
const flags = () => clearable(choice(0, 1));
const idle = () => maybe(integer(IDLE_SECONDS.least, IDLE_SECONDS.most));
const name = () => clearable(text(1, LONGEST_NAME));

/** Limit of the members in one request. */
const MOST_AT_ONCE = 25;

const member = z.object({ id: snowflake(), metadata: metadata(), flags: flags() });

/** A lobby to create, or changes to one: an absent field stays unchanged. */
export const lobbyBody = z.object({
  metadata: metadata(),
  members: maybe(list(member, 0, MOST_AT_ONCE)),
  idle_timeout_seconds: idle(),
  flags: flags(),
});

/** A lobby to join, or to create. */
export const joinBody = z.object({
  secret: text(1, LONGEST_SECRET),
  lobby_metadata: metadata(),
  member_metadata: metadata(),
  idle_timeout_seconds: idle(),
  flags: flags(),
});

/** Desired state of a member. */
export const memberBody = z.object({ metadata: metadata(), flags: flags(), additional_name: name() });

/** Desired states of several members, or their removal. */
export const bulkBody = list(
  member.extend({ additional_name: name(), remove_member: maybe(z.boolean()) }),
  1,
  MOST_AT_ONCE,
);
