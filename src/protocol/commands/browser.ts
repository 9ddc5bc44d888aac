import * as z from 'zod';
import { defineCommand, type Refusal } from '../command.ts';
import { anyOf, LOCAL_SCOPE, PRIVATE_LIMITED_SCOPE, PRIVATE_SCOPE } from '../scope.ts';
import { nothing } from '../shapes/common.ts';

const fromWebSite = anyOf(PRIVATE_SCOPE);
const code = () => z.object({ code: z.string().check(z.minLength(1), z.maxLength(256)) });
const noBilling: Refusal = { code: 1000, message: 'Billing is not available here' };

/** The user opened a guild invite in the browser. Error 4011. */
export const INVITE_BROWSER = defineCommand({
  scope: fromWebSite,
  args: code,
  result: () => z.looseObject({ invite: z.looseObject({}), code: z.string() }),
  recorded: {
    what: 'open a guild invite',
    accepted: ({ code }) => ({ invite: {}, code }),
    declined: { code: 4011, message: 'code: the invite was not accepted' },
  },
});

/** The user opened a guild template in the browser. Error 4017. */
export const GUILD_TEMPLATE_BROWSER = defineCommand({
  scope: fromWebSite,
  args: code,
  result: () => z.looseObject({ guildTemplate: z.looseObject({}), code: z.string() }),
  recorded: {
    what: 'open a guild template',
    accepted: ({ code }) => ({ guildTemplate: {}, code }),
    declined: { code: 4017, message: 'code: the guild template was not accepted' },
  },
});

/** The user opened a gift in the browser. Error 4016. */
export const GIFT_CODE_BROWSER = defineCommand({
  scope: fromWebSite,
  args: code,
  result: () => z.looseObject({ giftCode: z.looseObject({}) }),
  recorded: {
    what: 'open a gift',
    accepted: () => ({ giftCode: {} }),
    declined: { code: 4016, message: 'code: the gift was not accepted' },
  },
});

/** Opens a page inside the client. */
export const DEEP_LINK = defineCommand({
  scope: anyOf(LOCAL_SCOPE, PRIVATE_SCOPE),
  args: () =>
    z.object({
      type: z.enum([
        'USER_SETTINGS',
        'CHANGELOG',
        'LIBRARY',
        'STORE_HOME',
        'STORE_LISTING',
        'CHANNEL',
        'GAME_SHOP',
        'PICK_GUILD_SETTINGS',
        'QUEST_HOME',
        'DISCOVERY_GAME_RESULTS',
        'OAUTH2',
        'FEATURES',
        'SHOP',
        'ACTIVITIES',
        'QUEST_PREVIEW_TOOL',
        'ONE_TIME_LOGIN',
      ]),
      params: z.looseObject({}),
    }),
  result: nothing,
  recorded: {
    what: 'show a place in the client',
    accepted: () => null,
    declined: { code: 1000, message: 'The link was not opened' },
  },
});

/** The user connected an external account in the browser. Error 4020. */
export const CONNECTIONS_CALLBACK = defineCommand({
  scope: fromWebSite,
  args: () =>
    z.object({
      providerType: z.string().check(z.maxLength(64)),
      code: z.string().check(z.maxLength(4096)),
      state: z.string().check(z.maxLength(4096)),
      openid_params: z.optional(z.looseObject({})),
      iss: z.optional(z.string().check(z.maxLength(2048))),
    }),
  result: nothing,
  recorded: {
    what: 'finish connecting an account',
    accepted: () => null,
    declined: { code: 4020, message: 'state: belongs to no connection that was started here' },
  },
});

const billingArgs = () =>
  z.object({
    state: z.string().check(z.maxLength(4096)),
    path: z.string().check(z.maxLength(4096)),
    query: z.optional(z.looseObject({})),
    payment_source_type: z.union([z.int(), z.string().check(z.maxLength(64))]),
  });
const billingResult = () => z.looseObject({ ok: z.boolean(), status: z.int() });

/** A payment window's answer. */
export const BILLING_POPUP_BRIDGE_CALLBACK = defineCommand({
  scope: fromWebSite,
  args: billingArgs,
  result: billingResult,
  refusal: noBilling,
});

/** Its older name. */
export const BRAINTREE_POPUP_BRIDGE_CALLBACK = defineCommand({
  scope: fromWebSite,
  args: billingArgs,
  result: billingResult,
  refusal: noBilling,
});

/** The web site hands its log-in over to the client. */
export const BROWSER_HANDOFF = defineCommand({
  scope: anyOf(PRIVATE_LIMITED_SCOPE),
  args: () =>
    z.object({
      handoffToken: z.string().check(z.maxLength(4096)),
      fingerprint: z.string().check(z.maxLength(4096)),
    }),
  result: nothing,
  recorded: {
    what: 'take over a log-in from the browser',
    accepted: () => null,
    declined: { code: 1000, message: 'The log-in was not taken over' },
  },
});
