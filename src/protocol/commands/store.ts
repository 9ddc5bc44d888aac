import * as z from 'zod';
import { defineCommand, type Refusal } from '../command.ts';
import { AUTHENTICATED_SCOPE, anyOf, LOCAL_SCOPE } from '../scope.ts';
import { ignored, noArgs, nothing, snowflake } from '../shapes/common.ts';
import { entitlement, sku } from '../shapes/store.ts';

const member = anyOf(AUTHENTICATED_SCOPE, LOCAL_SCOPE);
const ticket = () => z.looseObject({ ticket: z.string() });
const noTicket: Refusal = { code: 4015, message: 'No signed tickets are issued here' };
const noNetworking: Refusal = { code: 1000, message: 'The networking service has been removed' };
const canceled: Refusal = { code: 5008, message: 'The purchase was canceled' };

/** Answers with null when the user owns the application; error 4015 otherwise. */
export const VALIDATE_APPLICATION = defineCommand({
  scope: anyOf(LOCAL_SCOPE),
  errors: [4015],
  args: noArgs,
  result: nothing,
});

/** A signed proof of the user's entitlements. */
export const GET_ENTITLEMENT_TICKET = defineCommand({
  scope: anyOf(LOCAL_SCOPE),
  args: noArgs,
  result: ticket,
  refusal: noTicket,
});

/** A signed proof of the user's identity. */
export const GET_APPLICATION_TICKET = defineCommand({
  scope: anyOf(LOCAL_SCOPE),
  args: noArgs,
  result: ticket,
  refusal: noTicket,
});

/** SKUs of the application. */
export const GET_SKUS = defineCommand({ scope: member, args: noArgs, result: () => z.array(sku()) });

/** The user's entitlements of the application. */
export const GET_ENTITLEMENTS = defineCommand({
  scope: member,
  args: noArgs,
  result: () => z.array(entitlement()),
});

/** As GET_SKUS, in the shape that embedded apps read. */
export const GET_SKUS_EMBEDDED = defineCommand({
  scope: member,
  args: noArgs,
  result: () => z.looseObject({ skus: z.array(sku()) }),
});

/** As GET_ENTITLEMENTS, in the shape that embedded apps read. */
export const GET_ENTITLEMENTS_EMBEDDED = defineCommand({
  scope: member,
  args: noArgs,
  result: () => z.looseObject({ entitlements: z.array(entitlement()) }),
});

/** Offers a SKU for sale; the answer contains the bought entitlements. Error 5008 when the user cancels. */
export const START_PURCHASE = defineCommand({
  scope: member,
  args: () => z.object({ sku_id: snowflake(), pid: z.optional(z.int().check(z.gte(0))) }),
  result: () => z.array(entitlement()),
  recorded: { what: 'buy something', accepted: () => [], declined: canceled },
});

/** Offers the premium subscription. Error 5008 when the user cancels. */
export const START_PREMIUM_PURCHASE = defineCommand({
  scope: member,
  args: () => z.object({ pid: z.optional(z.int().check(z.gte(0))) }),
  result: nothing,
  recorded: { what: 'buy the premium subscription', accepted: () => null, declined: canceled },
});

/** Address and token of the removed networking service. */
export const GET_NETWORKING_CONFIG = defineCommand({
  scope: anyOf(LOCAL_SCOPE),
  args: noArgs,
  result: () => z.looseObject({ address: z.string(), token: z.string() }),
  refusal: noNetworking,
});

/** A new token of the removed networking service. */
export const NETWORKING_CREATE_TOKEN = defineCommand({
  scope: anyOf(LOCAL_SCOPE),
  args: noArgs,
  result: () => z.looseObject({ token: z.string() }),
  refusal: noNetworking,
});

/** Sends system measurements to the removed networking service. */
export const NETWORKING_SYSTEM_METRICS = defineCommand({
  scope: anyOf(LOCAL_SCOPE),
  args: ignored,
  result: nothing,
  refusal: noNetworking,
});

/** Sends measurements of a peer to the removed networking service. */
export const NETWORKING_PEER_METRICS = defineCommand({
  scope: anyOf(LOCAL_SCOPE),
  args: ignored,
  result: nothing,
  refusal: noNetworking,
});
