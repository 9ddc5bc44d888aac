import type { HasOAuth2 } from '../../accounts/oauth2/oauth2.ts';
import type { BotCaller, TokenCaller } from '../../api/caller.ts';
import { type GatewayListener, INTENTS, type Intent, intentBits } from '../../api/dispatch.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { botTokenOf } from '../../applications/bot.ts';
import type { ApplicationRecord } from '../../applications/records.ts';
import { isIn } from '../../guilds/members/membership.ts';
import { botOf, userOfToken } from '../http/authenticate.ts';
import { CloseCode, GatewayFault } from './codes.ts';
import { shardOf } from './hub.ts';
import type { IdentifyData } from './payload.ts';
import type { Session, SessionOwner } from './session.ts';

/** Services for Identify. */
type Needs = Base & HasApplications & HasOAuth2;

/** Scopes that a user's token needs to begin a session. */
const USER_SCOPES = ['identify', 'gateway.connect'] as const;
/** Privileged intents, by their names in the application's `intents`. */
const PRIVILEGED: Readonly<Record<ApplicationRecord['intents'][number], Intent>> = {
  guild_members: 'GUILD_MEMBERS',
  guild_presences: 'GUILD_PRESENCES',
  message_content: 'MESSAGE_CONTENT',
};
/** Maximum number of guilds that one shard may have. */
const MAX_GUILDS = 2500;

const ALL_INTENTS = intentBits(Object.keys(INTENTS) as Intent[]);

/** The owner of a gateway token. */
export type Known = BotCaller | TokenCaller;

/**
 * Finds the owner of a token. Accepts `Bot T` and `T`, because libraries send either form. @throws GatewayFault 4004.
 */
export function knownBy(token: string, platform: Needs): Known {
  const [, scheme = 'Bot', bare = token] = /^(Bot|Bearer) (.*)$/i.exec(token.slice(0, 520)) ?? [];
  const known = scheme.toLowerCase() === 'bot' ? botOf(bare, platform) : userOfToken(bare, platform);
  if (known === undefined) throw refused('the token is unknown');
  if (known.kind === 'bot') return known;
  const lacks = USER_SCOPES.filter((scope) => !known.effectiveScopes.includes(scope));
  if (lacks.length > 0) throw refused(`the token lacks ${lacks.join(' and ')}`);
  return known;
}

function refused(why: string): GatewayFault {
  return new GatewayFault(CloseCode.AUTHENTICATION_FAILED, `Authentication failed: ${why}`);
}

/** Whether a caller may resume a session. */
export function isOwnedBy({ listener, owner }: Session, known: Known): boolean {
  return known.kind === 'bot'
    ? listener.kind === 'bot' && listener.application.id === known.application.id
    : listener.kind === 'bearer' && owner.family === known.family && listener.user === known.userId;
}

/** The data about the token's owner that a session stores. */
export function ownerOf(known: Known): SessionOwner {
  return known.kind === 'bot'
    ? { token: botTokenOf(known.application), family: undefined, hash: undefined, expires: undefined }
    : { token: '', family: known.family, hash: known.hash, expires: known.expires.getTime() };
}

/** The listener that the payload of Identify describes. @throws GatewayFault 4010, 4011, 4013, 4014. */
export function listenerOf(
  known: Known,
  { intents, capabilities, shard, large_threshold }: IdentifyData,
  base: string,
  platform: Needs,
): GatewayListener {
  const id = known.kind === 'bot' ? known.application.id : known.clientId;
  let last = platform.application(id)?.record;
  if (last === undefined) throw refused('there is no such application');
  const checked = checkedIntents(known, intents ?? undefined, last);
  const user = known.kind === 'bot' ? known.user.id : known.userId;
  const own = checkedShard(known, shard ?? undefined, last);
  if (known.kind === 'bot') checkSize(user, own, platform);
  return {
    kind: known.kind,
    get application() {
      last = platform.application(id)?.record ?? (last as ApplicationRecord);
      return last;
    },
    user,
    scopes: known.kind === 'bot' ? [] : known.effectiveScopes,
    intents: checked,
    capabilities: capabilities ?? 0,
    shard: own,
    base,
    // Values outside of the range are clamped.
    ...(typeof large_threshold === 'number'
      ? { largeThreshold: Math.min(250, Math.max(50, large_threshold)) }
      : {}),
  };
}

function checkedIntents(
  known: Known,
  intents: number | undefined,
  { intents: allowed }: ApplicationRecord,
): number {
  // The intents of a user's session are not checked, because its events depend on its scopes.
  if (known.kind === 'bearer') return intents ?? 0;
  if (intents === undefined || intents < 0 || intents > ALL_INTENTS || (intents & ~ALL_INTENTS) !== 0) {
    throw new GatewayFault(
      CloseCode.INVALID_INTENTS,
      'Invalid intent(s): a set of the documented bits is needed',
    );
  }
  const lacks = Object.entries(PRIVILEGED).filter(
    ([word, name]) => (intents & INTENTS[name]) !== 0 && !(allowed as readonly string[]).includes(word),
  );
  if (lacks.length === 0) return intents;
  const names = lacks.map(([, name]) => name).join(', ');
  const settings = lacks.map(([word]) => word).join(', ');
  throw new GatewayFault(
    CloseCode.DISALLOWED_INTENTS,
    `Disallowed intent(s): ${names}. Lacking in "intents" of the application: ${settings}`,
  );
}

function checkedShard(
  known: Known,
  shard: readonly number[] | undefined,
  { max_concurrency }: ApplicationRecord,
): readonly [number, number] {
  if (shard === undefined) return [0, 1];
  const [id = -1, count = 0, ...more] = shard;
  const isOne = more.length === 0 && id >= 0 && id < count && Number.isSafeInteger(count);
  if (!isOne)
    throw new GatewayFault(CloseCode.INVALID_SHARD, 'Invalid shard: [id, count] with 0 <= id < count');
  // With large sharding, the shard count must be a multiple of the platform's `max_concurrency`.
  if (known.kind === 'bot' && max_concurrency > 1 && count % max_concurrency !== 0) {
    const message = `Invalid shard: the count must be a multiple of ${max_concurrency}`;
    throw new GatewayFault(CloseCode.INVALID_SHARD, message);
  }
  return [id, count];
}

function checkSize(user: string, shard: readonly [number, number], platform: Needs): void {
  if (guildsOf(user, shard, platform).length <= MAX_GUILDS) return;
  const message = `Sharding required: more than ${MAX_GUILDS} guilds for one shard`;
  throw new GatewayFault(CloseCode.SHARDING_REQUIRED, message);
}

/** The guilds of an account that belong to a shard. */
export function guildsOf(user: string, [id, count]: readonly [number, number], { world }: Needs): string[] {
  const { tables } = world;
  return [...tables.guilds]
    .map((guild) => guild.id)
    .filter((guild) => shardOf(guild, count) === id && isIn(tables, guild, user));
}
