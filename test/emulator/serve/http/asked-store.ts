import { ids } from '../../../helpers/emulator-world.ts';
import { APP, type PlatformRequest, type TestPlatform } from '../../../helpers/platform.ts';

type Asked = readonly [what: string, PlatformRequest];

/** A SKU that can be subscribed to, with a subscription and what comes with it. */
export const SEASON = {
  skus: [{ id: '5000', name: 'Season Pass', type: 5, application: APP }],
  entitlements: [
    { id: '5001', sku: '5000', application: APP, user: ids.otter, type: 8, test: true },
    { id: '5003', sku: '700000000000000002', application: APP, user: ids.otter, type: 1 },
  ],
  subscriptions: [
    {
      id: '5002',
      user: ids.otter,
      skus: ['5000'],
      entitlements: ['5001'],
      current_period_start: '2026-11-01T00:00:00Z',
      current_period_end: '2026-12-01T00:00:00Z',
    },
  ],
} as const;

function asked(what: string, json?: unknown) {
  return async ({ emulator, bot }: TestPlatform): Promise<Asked> => {
    await emulator.apply(SEASON);
    return [what, { headers: bot(), ...(json === undefined ? {} : { json }) }];
  };
}

const ENTITLEMENTS = `/applications/${APP}/entitlements`;

/** How each operation of what applications sell is asked by the bot of one. */
export const storeAsked: Readonly<Record<string, (platform: TestPlatform) => Promise<Asked>>> = {
  get_entitlements: asked(`GET ${ENTITLEMENTS}?sku_ids=5000`),
  create_entitlement: asked(`POST ${ENTITLEMENTS}`, { sku_id: '5000', owner_id: ids.heron, owner_type: 2 }),
  get_entitlement: asked(`GET ${ENTITLEMENTS}/5001`),
  delete_entitlement: asked(`DELETE ${ENTITLEMENTS}/5001`),
  consume_entitlement: asked(`POST ${ENTITLEMENTS}/5003/consume`),
  get_current_user_application_entitlements: async ({ bearer, emulator }) => {
    await emulator.apply({ entitlements: [{ id: '5001', sku: '5000', application: APP, type: 8 }] });
    return [
      `GET /users/@me/applications/${APP}/entitlements?sku_ids=5000`,
      { headers: await bearer(['identify']) },
    ];
  },
  get_sku_subscriptions: asked(`GET /skus/5000/subscriptions?user_id=${ids.otter}`),
  get_sku_subscription: asked('GET /skus/5000/subscriptions/5002'),
};
