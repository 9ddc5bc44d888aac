import type { HasOAuth2 } from '../../accounts/oauth2/oauth2.ts';
import { type GatewayListener, INTENTS } from '../../api/dispatch.ts';
import type { Base } from '../../api/world.ts';
import { applicationAnswer } from '../../applications/answers.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { isIn } from '../../guilds/members/membership.ts';
import { ownUserAnswer } from '../../users/answers.ts';
import { gatewayUrl } from './address.ts';
import { readyOfUser } from './first-events.ts';
import { gatewayGuild } from './guild.ts';
import { guildsOf, type Known } from './identify.ts';

/** Services for READY. */
type Needs = Base & HasApplications & HasOAuth2;

/**
 * Fields that are empty for bots, as in older documentation of READY. The libraries eris, discordrb and Discord.Net
 * need them: they iterate `private_channels` without checking that it exists.
 */
const OF_BOTS = { private_channels: [], relationships: [], presences: [], user_settings: {} };

/** A session that has begun. */
interface NewSession {
  readonly known: Known;
  readonly listener: GatewayListener;
  readonly id: string;
  readonly version: number;
  /** Whether the client sent its shard. */
  readonly hasShard: boolean;
}

/** Data of READY. */
export function readyOf(platform: Needs, { known, listener, id, version, hasShard }: NewSession): object {
  const { flags } = applicationAnswer(platform.world, listener.application);
  return {
    v: version,
    user:
      known.kind === 'bot'
        ? { ...ownUserAnswer(known.user, []), verified: true, email: null }
        : ownUserAnswer(known.user ?? platform.world.me(), known.effectiveScopes),
    guilds:
      known.kind === 'bot'
        ? guildsOf(listener.user, listener.shard, platform).map((guild) => ({ id: guild, unavailable: true }))
        : [],
    session_id: id,
    resume_gateway_url: gatewayUrl(listener.base),
    ...(hasShard ? { shard: listener.shard } : {}),
    application: { id: listener.application.id, flags },
    ...(known.kind === 'bot' ? OF_BOTS : {}),
    ...readyOfUser(platform, listener),
  };
}

/** The guilds of a bot, each with a function that creates the guild's GUILD_CREATE data at the time of sending. */
export function firstGuilds(
  platform: Needs,
  listener: GatewayListener,
): ReadonlyMap<string, () => string | undefined> {
  if (listener.kind !== 'bot' || (listener.intents & INTENTS.GUILDS) === 0) return new Map();
  const { tables } = platform.world;
  const guildData = (id: string) => (): string | undefined => {
    const guild = tables.guilds.get(id);
    if (guild === undefined || !isIn(tables, id, listener.user)) return undefined;
    return JSON.stringify(gatewayGuild(platform, guild, listener));
  };
  return new Map(guildsOf(listener.user, listener.shard, platform).map((id) => [id, guildData(id)]));
}
