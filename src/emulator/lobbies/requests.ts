import * as z from 'zod';
import { choice, clearable, integer, list, maybe, snowflake, text, textMap } from '../api/fields.ts';
import { IDLE_SECONDS, MAX_NAME_LENGTH, MAX_SECRET_LENGTH, METADATA } from './records.ts';

// Schemas for the bodies of requests that create and change lobbies.

const metadata = () => clearable(textMap(METADATA.pairs, METADATA.maxLength, METADATA.maxLength));
/** One bit; null clears it. */
const flags = () => clearable(choice(0, 1));
const idle = () => maybe(integer(IDLE_SECONDS.min, IDLE_SECONDS.max));
const name = () => clearable(text(1, MAX_NAME_LENGTH));

/** Maximum number of members in one request. */
const MAX_MEMBERS_AT_ONCE = 25;

const member = z.object({ id: snowflake(), metadata: metadata(), flags: flags() });

/** A new lobby, or changes to a lobby. An absent field stays unchanged. */
export const lobbyBody = z.object({
  metadata: metadata(),
  members: maybe(list(member, 0, MAX_MEMBERS_AT_ONCE)),
  idle_timeout_seconds: idle(),
  flags: flags(),
});

/** A join by secret, which creates the lobby when none has the secret. */
export const joinBody = z.object({
  secret: text(1, MAX_SECRET_LENGTH),
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
  MAX_MEMBERS_AT_ONCE,
);
