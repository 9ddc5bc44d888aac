import type * as z from 'zod';
import { isSnowflake } from '../../../base/snowflake.ts';
import { INTENTS } from '../../api/dispatch.ts';
import type { Base, Reading } from '../../api/world.ts';
import { soundAnswer } from '../../guilds/expressions/sound-answers.ts';
import { memberAnswer } from '../../guilds/members/answers.ts';
import { presencesOf } from '../../guilds/members/gateway-presences.ts';
import { membersAfter } from '../../guilds/members/list.ts';
import { memberOf } from '../../guilds/members/membership.ts';
import type { Member } from '../../guilds/members/records.ts';
import type { Guild } from '../../guilds/records.ts';
import type { Clock } from '../../kernel/clock.ts';
import { CloseCode, GatewayFault, Opcode } from './codes.ts';
import { membersChunk, rateLimited, type soundboardSounds } from './dispatches.ts';
import type { commands } from './payload.ts';
import type { NamedPayload, Session } from './session.ts';

/** Members per chunk. */
const CHUNK = 1000;
/** Maximum number of results of a name query and of ids per request, and maximum length of a nonce (bytes). */
const MAX_FOUND = 100;
const MAX_NONCE_BYTES = 32;
/**
 * Time from which the whole list of a guild is limited to one request per pause (change-log of 2025-08-14), and the
 * pause (ms).
 */
const LIMITED_FROM = Date.parse('2025-10-01T00:00:00Z');
const PAUSE_MS = 30_000;
/** Maximum number of remembered requests for whole lists. */
const MAX_REMEMBERED = 10_000;

type MembersRequest = z.output<typeof commands.requestMembers>;

/** The members that a request asks for. */
type Wanted =
  | { readonly kind: 'all' }
  | { readonly kind: 'named'; readonly query: string; readonly limit: number }
  | { readonly kind: 'ids'; readonly ids: readonly string[] };

/** Sends members of guilds to sessions, in chunks. */
export class MemberRequests {
  readonly #platform: Base;
  readonly #clock: Clock;
  /** Time of the last request for the whole list of a guild, by bot and guild (ms). */
  readonly #last = new Map<string, number>();

  constructor(platform: Base, clock: Clock) {
    this.#platform = platform;
    this.#clock = clock;
  }

  /** Replies to a request. Returns the reason when the session may not receive the reply. @throws GatewayFault */
  answer(session: Session, guild: Guild, request: MembersRequest): string | undefined {
    const { intents } = session.listener;
    const wanted = wantedOf(request);
    const nonce = nonceOf(request);
    if (request.presences === true && (intents & INTENTS.GUILD_PRESENCES) === 0) {
      return 'presences are for sessions with the intent GUILD_PRESENCES';
    }
    if (wanted.kind === 'all') {
      if ((intents & INTENTS.GUILD_MEMBERS) === 0) {
        return 'the whole list is for sessions with the intent GUILD_MEMBERS';
      }
      const wait = this.#wait(`${session.listener.user} ${guild.id}`);
      if (wait !== undefined) {
        const meta = { guild_id: guild.id, ...(nonce === undefined ? {} : { nonce }) };
        const data = { opcode: Opcode.REQUEST_GUILD_MEMBERS, retry_after: wait / 1000, meta };
        session.take(rateLimited.event, JSON.stringify(data));
        return undefined;
      }
    }
    session.feed(this.#chunks(session, guild, wanted, request.presences === true, nonce));
    return undefined;
  }

  /**
   * Time until the whole list may be requested again, in milliseconds; undefined for a permitted request, which is
   * recorded.
   */
  #wait(key: string): number | undefined {
    const now = this.#clock.now();
    if (now < LIMITED_FROM) return undefined;
    const last = this.#last.get(key);
    // A time in the future was recorded before the clock was set back, so it is ignored.
    if (last !== undefined && last <= now && now - last < PAUSE_MS) return last + PAUSE_MS - now;
    this.#last.delete(key);
    this.#last.set(key, now);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MAX_REMEMBERED && oldest !== undefined) this.#last.delete(oldest);
    return undefined;
  }

  *#chunks(
    { listener }: Session,
    guild: Guild,
    wanted: Wanted,
    withPresences: boolean,
    nonce: string | undefined,
  ): Generator<NamedPayload> {
    const { tables } = this.#platform.world;
    // The guild may have been deleted before this chunk is sent.
    if (!tables.guilds.has(guild.id)) return;
    const { members, missing } = find(tables, guild, wanted);
    const presences = withPresences ? presencesOf(this.#platform, guild, listener) : [];
    const chunk_count = Math.max(1, Math.ceil(members.length / CHUNK));
    for (let chunk_index = 0; chunk_index < chunk_count; chunk_index += 1) {
      const part = members.slice(chunk_index * CHUNK, (chunk_index + 1) * CHUNK);
      const ids = new Set(part.map(({ user }) => user));
      const data = {
        guild_id: guild.id,
        // An account may have been deleted before this chunk is sent.
        members: part
          .filter(({ user }) => tables.users.has(user))
          .map((member) => memberAnswer(tables, member)),
        chunk_index,
        chunk_count,
        ...(missing.length === 0 ? {} : { not_found: missing }),
        ...(withPresences ? { presences: presences.filter(({ user }) => ids.has(user.id)) } : {}),
        ...(nonce === undefined ? {} : { nonce }),
      };
      yield [membersChunk.event, JSON.stringify(data)];
    }
  }
}

function wantedOf({ query, limit, user_ids }: MembersRequest): Wanted {
  if (user_ids !== undefined && user_ids !== null) {
    const ids = typeof user_ids === 'string' ? [user_ids] : user_ids;
    if (ids.length > MAX_FOUND) throw malformed(`d.user_ids has more than ${MAX_FOUND}`);
    return { kind: 'ids', ids: [...new Set(ids)] };
  }
  if (query === undefined || query === null) throw malformed('d.query or d.user_ids is needed');
  const sentLimit = limit ?? 0;
  if (sentLimit < 0) throw malformed('d.limit is less than 0');
  if (query === '' && sentLimit === 0) return { kind: 'all' };
  return {
    kind: 'named',
    query: query.toLowerCase(),
    limit: sentLimit === 0 ? MAX_FOUND : Math.min(sentLimit, MAX_FOUND),
  };
}

function malformed(why: string): GatewayFault {
  return new GatewayFault(CloseCode.DECODE_ERROR, `Error while decoding payload: ${why}`);
}

/** A nonce that is too long is omitted, as on the platform. */
function nonceOf({ nonce }: MembersRequest): string | undefined {
  return typeof nonce === 'string' && Buffer.byteLength(nonce) <= MAX_NONCE_BYTES ? nonce : undefined;
}

function find(
  tables: Reading,
  guild: Guild,
  wanted: Wanted,
): { readonly members: readonly Member[]; readonly missing: readonly string[] } {
  if (wanted.kind === 'all') return { members: [...membersAfter(tables, guild)], missing: [] };
  if (wanted.kind === 'ids') {
    const members = wanted.ids.flatMap((id) =>
      isSnowflake(id) ? (memberOf(tables, guild.id, id) ?? []) : [],
    );
    const found = new Set(members.map(({ user }) => user));
    return { members, missing: wanted.ids.filter((id) => !found.has(id)) };
  }
  const members: Member[] = [];
  for (const member of membersAfter(tables, guild)) {
    if (members.length === wanted.limit) break;
    if (isCalled(tables, member, wanted.query)) members.push(member);
  }
  return { members, missing: [] };
}

/** Whether the username or the nickname of a member begins with the query. */
function isCalled({ users }: Reading, { user, nick }: Member, query: string): boolean {
  const name = users.get(user)?.username ?? '';
  return name.toLowerCase().startsWith(query) || (nick ?? '').toLowerCase().startsWith(query);
}

/** The soundboard of a guild. */
export function soundsOf(tables: Reading, { id }: Guild): z.output<typeof soundboardSounds.shape> {
  const sounds = [...tables.soundboard_sounds.by('guild', id)].map((one) => soundAnswer(tables, one, false));
  return { guild_id: id, soundboard_sounds: sounds };
}
