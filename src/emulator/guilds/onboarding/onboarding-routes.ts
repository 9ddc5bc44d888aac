import * as z from 'zod';
import { choice, list, maybe, maybeId, namedShape, set, snowflake, text } from '../../api/fields.ts';
import { defineOperation, ok } from '../../api/operation.ts';
import type { Base, Reading } from '../../api/world.ts';
import { AUDIT, auditChanges, writeAudit } from '../audit/audit.ts';
import { need, type RequestingMember, requestingMember } from '../guild-access.ts';
import { checkRole } from '../members/changes.ts';
import type { Guild } from '../records.ts';
import { checkConditions, checkNamed, type Onboarding, promptsOf } from './onboarding.ts';
import type { OnboardingPrompt } from './records.ts';

const MAX_PROMPTS = 15;
const MAX_OPTIONS = 50;

const promptShape = z.object({
  id: z.string(),
  title: z.string(),
  options: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      description: z.string(),
      emoji: z.object({
        id: z.nullable(z.string()),
        name: z.nullable(z.string()),
        animated: z.boolean(),
      }),
      role_ids: z.array(z.string()),
      channel_ids: z.array(z.string()),
    }),
  ),
  single_select: z.boolean(),
  required: z.boolean(),
  in_onboarding: z.boolean(),
  type: z.int(),
});

const onboardingShape = namedShape('GuildOnboarding', {
  guild_id: z.string(),
  prompts: z.array(promptShape),
  default_channel_ids: z.array(z.string()),
  enabled: z.boolean(),
  mode: z.int(),
});

const body = z.object({
  prompts: maybe(
    list(
      z.object({
        // The id of an existing prompt; any other id, such as 0, makes a new one.
        id: snowflake(),
        title: text(1, 100),
        options: list(
          z.object({
            id: maybe(snowflake()),
            title: text(1, 50),
            description: maybe(text(0, 100)),
            emoji_id: maybeId(),
            emoji_name: maybe(text(0, 100)),
            emoji_animated: maybe(z.boolean()),
            role_ids: maybe(set(snowflake(), 0, 50)),
            channel_ids: maybe(set(snowflake(), 0, 50)),
          }),
          1,
          MAX_OPTIONS,
        ),
        single_select: maybe(z.boolean()),
        required: maybe(z.boolean()),
        in_onboarding: maybe(z.boolean()),
        type: maybe(choice(0, 1)),
      }),
      0,
      MAX_PROMPTS,
    ),
  ),
  enabled: maybe(z.boolean()),
  default_channel_ids: maybe(set(snowflake(), 0, 500)),
  mode: maybe(choice(0, 1)),
});

function promptAnswer(tables: Reading, prompt: OnboardingPrompt): z.output<typeof promptShape> {
  const { id, title, single_select, required, in_onboarding, type, options } = stillThere(tables, prompt);
  return {
    id,
    title,
    options: options.map((option) => ({
      id: option.id,
      title: option.title,
      description: option.description,
      emoji: { id: option.emoji_id, name: option.emoji_name, animated: option.emoji_animated },
      role_ids: [...option.roles],
      channel_ids: [...option.channels],
    })),
    single_select,
    required,
    in_onboarding,
    type,
  };
}

function onboardingAnswer(tables: Reading, guild: Guild): z.output<typeof onboardingShape> {
  return {
    guild_id: guild.id,
    prompts: promptsOf(tables, guild.id).map((prompt) => promptAnswer(tables, prompt)),
    default_channel_ids: [...guild.default_channels],
    enabled: guild.onboarding_enabled,
    mode: guild.onboarding_mode,
  };
}

/** A prompt without the roles and channels that have been deleted. */
function stillThere(tables: Reading, prompt: OnboardingPrompt): OnboardingPrompt {
  return {
    ...prompt,
    options: prompt.options.map((option) => ({
      ...option,
      roles: option.roles.filter((role) => tables.roles.get(role)?.guild === prompt.guild),
      channels: option.channels.filter((channel) => tables.channels.get(channel)?.guild === prompt.guild),
    })),
  };
}

/** The onboarding after a request: existing prompts and options retain their ids. */
function wantedOf(
  { world, clock }: Base,
  guild: Guild,
  { prompts, enabled, default_channel_ids, mode }: z.output<typeof body>,
): Onboarding {
  const { tables } = world;
  const known = new Map(promptsOf(tables, guild.id).map((prompt) => [prompt.id, prompt]));
  const newId = (): string => world.ids.next(clock.now(), (id) => tables.onboarding_prompts.has(id));
  const taken = new Set<string>();
  const idOf = (requestedId: string | undefined, isKnown: boolean): string => {
    const id = requestedId !== undefined && isKnown && !taken.has(requestedId) ? requestedId : newId();
    taken.add(id);
    return id;
  };
  const promptOf = (one: NonNullable<typeof prompts>[number], position: number): OnboardingPrompt => {
    const before = known.get(one.id);
    return {
      id: idOf(one.id, before !== undefined),
      guild: guild.id,
      title: one.title,
      single_select: one.single_select ?? before?.single_select ?? false,
      required: one.required ?? before?.required ?? false,
      in_onboarding: one.in_onboarding ?? before?.in_onboarding ?? false,
      type: one.type ?? before?.type ?? 0,
      position,
      options: one.options.map((option) => ({
        id: idOf(option.id, before?.options.some(({ id }) => id === option.id) === true),
        title: option.title,
        description: option.description ?? '',
        emoji_id: option.emoji_id ?? null,
        emoji_name: option.emoji_name || null,
        emoji_animated: option.emoji_animated ?? false,
        roles: [...(option.role_ids ?? [])],
        channels: [...(option.channel_ids ?? [])],
      })),
    };
  };
  return {
    enabled: enabled ?? guild.onboarding_enabled,
    mode: mode ?? guild.onboarding_mode,
    channels: default_channel_ids ?? guild.default_channels,
    prompts:
      prompts === undefined
        ? [...known.values()].map((prompt) => stillThere(tables, prompt))
        : prompts.map(promptOf),
  };
}

/**
 * Checks the roles that the options grant. @throws ApiError 50013 for a role that no option granted before and that the
 * caller may not assign.
 */
function checkGrantedRoles(tables: Reading, who: RequestingMember, wanted: Onboarding): void {
  const grantedRoles = (prompts: readonly OnboardingPrompt[]) =>
    new Set(prompts.flatMap(({ options }) => options.flatMap(({ roles }) => roles)));
  const before = grantedRoles(promptsOf(tables, who.guild.id));
  for (const role of grantedRoles(wanted.prompts)) if (!before.has(role)) checkRole(tables, who, role);
}

/** Routes of a guild's onboarding. */
export const onboardingOperations = [
  defineOperation({
    id: 'get_guilds_onboarding',
    summary: 'Onboarding of a guild: its questions and default channels.',
    route: 'GET /guilds/{guild_id}/onboarding',
    answers: { 200: onboardingShape },
    handle: ({ caller, params }, platform) => {
      const { guild } = requestingMember(caller, params.guild_id, platform);
      return ok(onboardingAnswer(platform.world.tables, guild));
    },
  }),
  defineOperation({
    id: 'put_guilds_onboarding',
    summary: 'Changes the onboarding of a guild; an absent field stays unchanged.',
    route: 'PUT /guilds/{guild_id}/onboarding',
    body,
    maxBodyBytes: 512 * 1024,
    ours: 'Questions and answers with unknown ids get new ones. Unmet conditions are 400. A role that no answer granted before must be below the caller: 50013. An emoji is stored as it is sent.',
    answers: { 200: onboardingShape },
    handle: ({ caller, params, body: request, reason }, platform) => {
      const who = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD', 'MANAGE_ROLES');
      const { world } = platform;
      const { guild } = who;
      const wanted = wantedOf(platform, guild, request);
      checkNamed(world.tables, guild, wanted);
      checkGrantedRoles(world.tables, who, wanted);
      checkConditions(world.tables, guild, wanted);
      const changed = world.transaction((tables) => {
        const before = new Map(promptsOf(tables, guild.id).map((prompt) => [prompt.id, prompt]));
        const note = (
          action: number,
          target: string,
          was: object | undefined,
          is: object | undefined,
        ): void =>
          writeAudit(world, tables, who, {
            action,
            target,
            reason,
            changes: auditChanges(was as Record<string, unknown>, is as Record<string, unknown>),
          });
        for (const prompt of before.values()) {
          if (wanted.prompts.some(({ id }) => id === prompt.id)) continue;
          tables.onboarding_prompts.remove(prompt.id);
          note(AUDIT.ONBOARDING_PROMPT_DELETE, prompt.id, promptAnswer(tables, prompt), undefined);
        }
        for (const prompt of wanted.prompts) {
          const was = before.get(prompt.id);
          tables.onboarding_prompts.put(prompt);
          const is = promptAnswer(tables, prompt);
          if (was === undefined) note(AUDIT.ONBOARDING_PROMPT_CREATE, prompt.id, undefined, is);
          else note(AUDIT.ONBOARDING_PROMPT_UPDATE, prompt.id, promptAnswer(tables, was), is);
        }
        const { prompts: _, ...was } = onboardingAnswer(tables, guild);
        const after = tables.guilds.update(guild.id, {
          onboarding_enabled: wanted.enabled,
          onboarding_mode: wanted.mode,
          default_channels: wanted.channels,
        });
        const { prompts: __, ...is } = onboardingAnswer(tables, after);
        note(AUDIT.ONBOARDING_UPDATE, guild.id, was, is);
        return after;
      });
      return ok(onboardingAnswer(world.tables, changed));
    },
  }),
];
