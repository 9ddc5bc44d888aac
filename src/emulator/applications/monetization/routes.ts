import * as z from 'zod';
import { ApiError, full } from '../../api/api-error.ts';
import type { BotCaller, TokenCaller } from '../../api/caller.ts';
import { choice, flagText, idList, queryInteger, snowflake } from '../../api/fields.ts';
import { bearer, bot, defineOperation, noContent, ok } from '../../api/operation.ts';
import { checkOwn } from '../../api/own-application.ts';
import type { Base } from '../../api/world.ts';
import { MAX_RECORDS } from '../../kernel/limits.ts';
import { entitlementAnswer, skuAnswer } from './answers.ts';
import { giveEntitlement, isEnded } from './entitlements.ts';
import type { Entitlement } from './records.ts';
import { entitlementShape, skuShape } from './shapes.ts';

const CONSUMABLE = 3;
const SUBSCRIPTION = 5;
const TEST_MODE_PURCHASE = 4;
const APPLICATION_SUBSCRIPTION = 8;
/** Owner type of a granted entitlement: 1 for a guild, 2 for a user. */
const OF_GUILD = 1;
const OF_USER = 2;

const path = '/applications/{application_id}/entitlements';
const who = [bot, bearer('applications.entitlements')] as const;

/** Checks that the application is the caller's own. @throws ApiError for any other application. */
function checkCaller(caller: BotCaller | TokenCaller, applicationId: string): void {
  if (caller.kind === 'bot') checkOwn(caller, applicationId);
  else if (caller.clientId !== applicationId) {
    throw new ApiError('MissingAccess');
  }
}

/**
 * Whether a caller may see an entitlement. The application's bot and owner may see all, any other user only their own.
 */
function isTheirs({ world }: Base, caller: BotCaller | TokenCaller, { user, guild }: Entitlement): boolean {
  if (caller.kind === 'bot' || caller.userId === world.me().id) return true;
  return guild === null && user === caller.userId;
}

/**
 * The entitlement of a request. @throws ApiError 10029 for an entitlement of another application, or one that the
 * caller may not see.
 */
function entitlementOf(
  platform: Base,
  caller: BotCaller | TokenCaller,
  { application_id, entitlement_id }: { readonly application_id: string; readonly entitlement_id: string },
): Entitlement {
  const found = platform.world.tables.entitlements.get(entitlement_id);
  if (found?.application !== application_id || !isTheirs(platform, caller, found)) {
    throw new ApiError('UnknownEntitlement');
  }
  return found;
}

/** The routes of SKUs and entitlements. */
export const storeOperations = [
  defineOperation({
    id: 'list_skus',
    summary: 'The SKUs of an application.',
    route: 'GET /applications/{application_id}/skus',
    answers: { 200: z.array(skuShape) },
    handle: ({ caller, params }, { world }) => {
      checkOwn(caller, params.application_id);
      return ok([...world.tables.skus.by('application', params.application_id)].map(skuAnswer));
    },
  }),
  defineOperation({
    id: 'get_entitlements',
    summary: 'The entitlements of users and guilds to an application, in pages by id.',
    route: `GET ${path}`,
    who,
    query: z.object({
      user_id: z.optional(snowflake()),
      sku_ids: z.optional(idList(100)),
      guild_id: z.optional(snowflake()),
      before: z.optional(snowflake()),
      after: z.optional(snowflake()),
      limit: z.optional(queryInteger(1, 100)),
      exclude_ended: z.optional(flagText()),
      exclude_deleted: z.optional(flagText()),
      only_active: z.optional(flagText()),
    }),
    answers: { 200: z.array(entitlementShape) },
    ours: 'only_active omits entitlements that are deleted, have ended or not begun. A token of a user who is not the owner of the application has access to that user’s own entitlements.',
    handle: ({ caller, params, query }, platform) => {
      checkCaller(caller, params.application_id);
      const { world, clock } = platform;
      const now = clock.now();
      const { user_id, sku_ids, guild_id, before, after, limit = 100 } = query;
      const { exclude_ended = false, exclude_deleted = true, only_active = false } = query;
      const passes = (one: Entitlement): boolean =>
        isTheirs(platform, caller, one) &&
        (user_id === undefined || one.user === user_id) &&
        (sku_ids === undefined || sku_ids.includes(one.sku)) &&
        (guild_id === undefined || one.guild === guild_id) &&
        !((exclude_deleted || only_active) && one.deleted) &&
        !((exclude_ended || only_active) && isEnded(one, now)) &&
        !(only_active && Date.parse(one.starts_at ?? '') > now) &&
        (before === undefined || BigInt(one.id) < BigInt(before)) &&
        (after === undefined || BigInt(one.id) > BigInt(after));
      const found = [...world.tables.entitlements.by('application', params.application_id)].filter(passes);
      // A page that ends before an id consists of the last matches, not the first.
      const isLast = before !== undefined && after === undefined;
      return ok((isLast ? found.slice(-limit) : found.slice(0, limit)).map(entitlementAnswer));
    },
  }),
  defineOperation({
    id: 'create_entitlement',
    summary: 'Creates a permanent test entitlement for a user or a guild.',
    route: `POST ${path}`,
    body: z.object({ sku_id: snowflake(), owner_id: snowflake(), owner_type: choice(OF_GUILD, OF_USER) }),
    answers: { 200: entitlementShape },
    ours: 'For a subscription it has the type 8, for any other SKU 4. An entitlement of a guild belongs to the owner of the application.',
    handle: ({ caller, params, body }, { world, clock }) => {
      checkOwn(caller, params.application_id);
      const { tables } = world;
      const sku = tables.skus.get(body.sku_id);
      if (sku?.application !== params.application_id) throw new ApiError('UnknownSKU');
      const isGuild = body.owner_type === OF_GUILD;
      if (isGuild && !tables.guilds.has(body.owner_id)) throw new ApiError('UnknownGuild');
      if (!isGuild && !tables.users.has(body.owner_id)) throw new ApiError('UnknownUser');
      if (tables.entitlements.size >= MAX_RECORDS) throw full('entitlements');
      const made = world.transaction((writing) =>
        giveEntitlement(world, writing, clock.now(), {
          sku: sku.id,
          application: sku.application,
          user: isGuild ? world.me().id : body.owner_id,
          guild: isGuild ? body.owner_id : null,
          type: sku.type === SUBSCRIPTION ? APPLICATION_SUBSCRIPTION : TEST_MODE_PURCHASE,
          test: true,
        }),
      );
      return ok(entitlementAnswer(made));
    },
  }),
  defineOperation({
    id: 'get_entitlement',
    summary: 'An entitlement of a user or a guild.',
    route: `GET ${path}/{entitlement_id}`,
    who,
    answers: { 200: entitlementShape },
    handle: ({ caller, params }, platform) => {
      checkCaller(caller, params.application_id);
      return ok(entitlementAnswer(entitlementOf(platform, caller, params)));
    },
  }),
  defineOperation({
    id: 'delete_entitlement',
    summary: 'Deletes a test entitlement.',
    route: `DELETE ${path}/{entitlement_id}`,
    who,
    answers: { 204: null },
    handle: ({ caller, params }, platform) => {
      checkCaller(caller, params.application_id);
      const found = entitlementOf(platform, caller, params);
      if (found.deleted) throw new ApiError('UnknownEntitlement');
      if (!found.test) throw new ApiError('YouCanOnlyDeleteSandboxEntitlements');
      platform.world.transaction(({ entitlements }) => entitlements.update(found.id, { deleted: true }));
      return noContent();
    },
  }),
  defineOperation({
    id: 'consume_entitlement',
    summary: 'Marks a consumable entitlement as used.',
    route: `POST ${path}/{entitlement_id}/consume`,
    who,
    answers: { 204: null },
    ours: 'An entitlement that is used already stays so.',
    handle: ({ caller, params }, platform) => {
      checkCaller(caller, params.application_id);
      const { world } = platform;
      const found = entitlementOf(platform, caller, params);
      if (found.deleted) throw new ApiError('UnknownEntitlement');
      if (world.tables.skus.get(found.sku)?.type !== CONSUMABLE) {
        throw new ApiError('OnlyConsumableSKUsCanBeConsumed');
      }
      if (!found.consumed) {
        world.transaction(({ entitlements }) => entitlements.update(found.id, { consumed: true }));
      }
      return noContent();
    },
  }),
  defineOperation({
    id: 'get_current_user_application_entitlements',
    summary: 'The entitlements of the token’s user to the application.',
    route: 'GET /users/@me/applications/{application_id}/entitlements',
    who: [bearer()],
    query: z.object({ sku_ids: z.optional(idList(100)), exclude_consumed: z.optional(flagText()) }),
    answers: { 200: z.array(entitlementShape) },
    ours: 'Used entitlements are omitted unless exclude_consumed is false; deleted and ended ones always are.',
    handle: ({ caller, params, query }, { world, clock }) => {
      checkCaller(caller, params.application_id);
      const { sku_ids, exclude_consumed = true } = query;
      const now = clock.now();
      const found = [...world.tables.entitlements.by('user', caller.userId)].filter(
        (one) =>
          one.application === params.application_id &&
          one.guild === null &&
          !one.deleted &&
          !isEnded(one, now) &&
          !(exclude_consumed && one.consumed) &&
          (sku_ids === undefined || sku_ids.includes(one.sku)),
      );
      return ok(found.map(entitlementAnswer));
    },
  }),
];
