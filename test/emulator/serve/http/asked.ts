import { ASKED_OF_GUILDS } from '../../../helpers/asked-of-guilds.ts';
import { ASKED_OF_PRIVATE } from '../../../helpers/asked-of-private.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { ASKED_OF_LOBBIES } from '../../../helpers/lobby-platform.ts';
import { dataUri, png } from '../../../helpers/media-bytes.ts';
import { APP, type PlatformRequest, type TestPlatform } from '../../../helpers/platform.ts';

import { commandAsked } from './asked-commands.ts';
import { expressionAsked } from './asked-expressions.ts';
import { interactionAsked } from './asked-interactions.ts';
import { inviteAsked } from './asked-invites.ts';
import { messageAsked } from './asked-messages.ts';
import { storeAsked } from './asked-store.ts';
import { webhookAsked } from './asked-webhooks.ts';

const ROLE_CONNECTION = `/users/@me/applications/${APP}/role-connection`;

const STEAM = {
  client_id: APP,
  external_auth_type: 'STEAM_SESSION_TICKET',
  external_auth_token: 'emu.steam.7',
};

/** How each operation of the public document is asked, and what it answers then. */
export const ASKED: Readonly<
  Record<string, (platform: TestPlatform) => Promise<readonly [what: string, PlatformRequest]>>
> = {
  ...messageAsked,
  ...inviteAsked,
  ...storeAsked,
  ...expressionAsked,
  ...commandAsked,
  ...webhookAsked,
  ...interactionAsked,
  get_my_oauth2_authorization: async ({ bearer }) => [
    'GET /oauth2/@me',
    { headers: await bearer(['identify']) },
  ],
  get_public_keys: async () => ['GET /oauth2/keys', {}],
  get_openid_connect_userinfo: async ({ bearer }) => [
    'GET /oauth2/userinfo',
    { headers: await bearer(['openid', 'identify', 'email']) },
  ],
  get_my_user: async ({ bearer }) => ['GET /users/@me', { headers: await bearer(['identify', 'email']) }],
  get_user: async ({ bot, emulator }) => [`GET /users/${emulator.me().id}`, { headers: bot() }],
  get_my_application: async ({ bot }) => ['GET /applications/@me', { headers: bot() }],
  applications_get_activity_instance: async ({ bot, emulator }) => {
    await emulator.apply({ url_mappings: [{ application: APP, prefix: '/', target: '127.0.0.1:5173' }] });
    const { id } = emulator.activities.launch({
      application: APP,
      user: emulator.me().id,
      channel: ids.lounge,
    });
    return [`GET /applications/${APP}/activity-instances/${id}`, { headers: bot() }];
  },
  get_my_oauth2_application: async ({ bot }) => ['GET /oauth2/applications/@me', { headers: bot() }],
  update_my_user: async ({ bot }) => [
    'PATCH /users/@me',
    { headers: bot(), json: { username: 'tug', avatar: dataUri(png()) } },
  ],
  list_my_connections: async ({ bearer, emulator }) => {
    await emulator.apply({
      connections: [
        { type: 'steam', id: '7656', name: 'river' },
        { type: 'github', id: '9', name: 'river', visibility: 0 },
      ],
    });
    return ['GET /users/@me/connections', { headers: await bearer(['connections']) }];
  },
  update_my_application: async ({ bot }) => [
    'PATCH /applications/@me',
    { headers: bot(), json: { description: 'x', flags: 1 << 19 } },
  ],
  upload_application_attachment: async ({ bot, emulator }) => {
    await emulator.apply({ applications: [{ id: APP }] });
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(png())]), 'boat.png');
    return [`POST /applications/${APP}/attachment`, { headers: bot(), body }];
  },
  get_application: async ({ bot }) => [`GET /applications/${APP}`, { headers: bot() }],
  update_application: async ({ bot }) => [
    `PATCH /applications/${APP}`,
    { headers: bot(), json: { description: { default: 'x' } } },
  ],
  update_application_role_connections_metadata: async ({ bot }) => [
    `PUT /applications/${APP}/role-connections/metadata`,
    { headers: bot(), json: [{ type: 7, key: 'verified', name: 'Verified', description: 'x' }] },
  ],
  get_application_role_connections_metadata: async ({ bot, call }) => {
    const metadata = [{ type: 1, key: 'wins', name: 'Wins', description: 'x' }];
    const path = `/applications/${APP}/role-connections/metadata`;
    await call(`PUT ${path}`, { headers: bot(), json: metadata });
    return [`GET ${path}`, { headers: bot() }];
  },
  update_application_user_role_connection: async ({ bearer }) => [
    `PUT ${ROLE_CONNECTION}`,
    {
      headers: await bearer(['role_connections.write']),
      json: { platform_name: 'Harbour', platform_username: 'river', metadata: { wins: '3' } },
    },
  ],
  get_application_user_role_connection: async ({ bearer }) => [
    `GET ${ROLE_CONNECTION}`,
    { headers: await bearer(['role_connections.write']) },
  ],
  delete_application_user_role_connection: async ({ bearer }) => [
    `DELETE ${ROLE_CONNECTION}`,
    { headers: await bearer(['role_connections.write']) },
  ],
  ...ASKED_OF_GUILDS,
  ...ASKED_OF_LOBBIES,
  ...ASKED_OF_PRIVATE,
  partner_sdk_token: async () => ['POST /partner-sdk/token', { json: STEAM }],
  bot_partner_sdk_token: async ({ bot }) => [
    'POST /partner-sdk/token/bot',
    { headers: bot(), json: { external_user_id: 'player 7', preferred_global_name: 'Gull' } },
  ],
  partner_sdk_unmerge_provisional_account: async ({ emulator }) => {
    emulator.external.link(APP, { provider: 'STEAM', externalUserId: '7', name: null }, emulator.me().id);
    return ['POST /partner-sdk/provisional-accounts/unmerge', { json: STEAM }];
  },
  bot_partner_sdk_unmerge_provisional_account: async ({ emulator, bot }) => {
    emulator.external.link(
      APP,
      { provider: 'DISCORD_BOT', externalUserId: '7', name: null },
      emulator.me().id,
    );
    const json = { external_user_id: '7' };
    return ['POST /partner-sdk/provisional-accounts/unmerge/bot', { headers: bot(), json }];
  },
  get_gateway: async () => ['GET /gateway', {}],
  get_bot_gateway: async ({ bot }) => ['GET /gateway/bot', { headers: bot() }],
};
