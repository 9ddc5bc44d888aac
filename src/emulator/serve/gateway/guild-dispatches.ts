import * as z from 'zod';
import { defineDispatch, everyBot } from '../../api/dispatch.ts';
import type { Committed, Reading } from '../../api/world.ts';
import { stays } from '../../guilds/dispatch-audience.ts';
import { guildAnswer, guildShape } from '../../guilds/guild-answers.ts';
import { isIn, memberRowsBefore } from '../../guilds/members/membership.ts';
import type { Guild } from '../../guilds/records.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import { gatewayGuild, gatewayGuildShape } from './guild.ts';

const GUILDS = ['GUILDS'] as const;
const TABLES = ['guilds', 'members'] as const;

/** Bots that a transaction has added to a guild or removed from one. */
function* botMoves(commit: Committed, tables: Reading) {
  const before = memberRowsBefore(commit, tables);
  const pairs = new Map<string, readonly [guild: string, user: string]>();
  const add = (guild: string, user: string | null): void => {
    if (user !== null) pairs.set(`${guild} ${user}`, [guild, user]);
  };
  const { created, updated, removed } = commit.of('guilds');
  for (const { id, owner } of [...created, ...removed]) add(id, owner);
  for (const { before: was, after } of updated) for (const { id, owner } of [was, after]) add(id, owner);
  const members = commit.of('members');
  for (const { guild, user } of [...members.created, ...members.removed]) add(guild, user);
  for (const [guild, user] of pairs.values()) {
    if ((tables.users.get(user) ?? commit.was('users', user))?.bot !== true) continue;
    const was = isIn(before, guild, user);
    const is = isIn(tables, guild, user);
    if (was !== is) yield { guild, user, isIn: is };
  }
}

/** The fields of a guild that GUILD_UPDATE reports; the other fields have their own events, or no event. */
function reportedFields(guild: Guild): object {
  const {
    icon_url: _icon,
    vanity_uses: _uses,
    membership: _membership,
    welcome_description: _welcome,
    onboarding_enabled: _onboarding,
    onboarding_mode: _mode,
    default_channels: _channels,
    new_member_welcome: _newcomers,
    ...rest
  } = guild;
  return rest;
}

/** Guilds whose number of boosts changed. This number is a field of the guild object. */
function* boosted(commit: Committed): Generator<string> {
  const { created, updated, removed } = commit.of('members');
  for (const { guild, premium_since } of [...created, ...removed]) if (premium_since !== null) yield guild;
  for (const { before, after } of updated) {
    if ((before.premium_since === null) !== (after.premium_since === null)) yield after.guild;
  }
}

/** Events of guilds. */
export const guildDispatches = [
  defineDispatch({
    event: 'GUILD_CREATE',
    summary: 'The whole guild: after READY each guild of a bot, and later each that it is added to.',
    intents: GUILDS,
    tables: TABLES,
    shape: gatewayGuildShape,
    *derive(commit, platform) {
      const { tables } = platform.world;
      for (const { guild: id, user, isIn: isMember } of botMoves(commit, tables)) {
        const guild = tables.guilds.get(id);
        if (!isMember || guild === undefined) continue;
        yield {
          guild: id,
          canSee: (listener) => listener.kind === 'bot' && listener.user === user,
          data: (listener) => gatewayGuild(platform, guild, listener),
          // The payload depends on these options of a session, so only sessions with equal options share it.
          sameFor: ({ intents, capabilities, largeThreshold }) =>
            `${intents} ${capabilities} ${largeThreshold}`,
        };
      }
    },
  }),
  defineDispatch({
    event: 'GUILD_UPDATE',
    summary: 'A field of a guild changed, or its number of boosts.',
    intents: GUILDS,
    tables: TABLES,
    shape: guildShape,
    *derive(commit, { world: { tables } }) {
      const changed = new Set(boosted(commit));
      for (const { before, after } of commit.of('guilds').updated) {
        if (!isSameJson(reportedFields(before), reportedFields(after))) changed.add(after.id);
      }
      for (const id of changed) {
        const guild = tables.guilds.get(id);
        if (guild === undefined || !stays(commit, tables, id)) continue;
        yield { guild: id, canSee: everyBot, data: () => guildAnswer(tables, guild) };
      }
    },
  }),
  defineDispatch({
    event: 'GUILD_DELETE',
    summary: 'The bot left a guild, was kicked or banned from it, or the guild was deleted.',
    intents: GUILDS,
    tables: TABLES,
    shape: z.object({ id: z.string() }),
    *derive(commit, { world: { tables } }) {
      for (const { guild, user, isIn: isMember } of botMoves(commit, tables)) {
        if (isMember) continue;
        yield {
          guild,
          anyone: true,
          canSee: (listener) => listener.kind === 'bot' && listener.user === user,
          data: () => ({ id: guild }),
        };
      }
    },
  }),
];
