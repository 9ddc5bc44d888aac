import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';
import { inviteAsked } from './asked-invites.ts';
import type { Asked } from './asked-messages.ts';

const asPerson =
  (what: string, scope: string, json?: unknown): Asked =>
  async ({ bearer }) => [what, { headers: await bearer([scope]), ...(json === undefined ? {} : { json }) }];

/** The bot whose invite it is, of a guild of which it is a member. */
const asInviter =
  (what: string, json?: unknown): Asked =>
  async (platform) => {
    const [, { headers }] = (await inviteAsked['get_invite_target_users']?.(platform)) ?? ['', {}];
    return [what, { ...(headers && { headers }), ...(json === undefined ? {} : { json }) }];
  };

const TARGETS = '/invites/quayside/target-users';
/** Between the logged-in user and another who plays as well, after a message of theirs. */
const inPrivate =
  (what: string, scope: string, json?: unknown): Asked =>
  async (platform) => {
    const { emulator, bearer } = platform;
    const { id } = emulator.me();
    emulator.accounts.logIn(ids.otter);
    await bearer([scope]);
    emulator.accounts.logIn(id);
    const { id: message } = emulator.messages.sendTo(ids.otter, 'x', id);
    return asPerson(what.replace('{message}', message), scope, json)(platform);
  };

const HEADLESS = '/users/@me/headless-sessions';
const shown = { activities: [{ name: 'Harbour', type: 0, application_id: APP, platform: 'desktop' }] };

/** With a session that is shown. */
const shownBefore: Asked = async (platform) => {
  const headers = await platform.bearer(['activities.write']);
  const { body } = await platform.call(`POST ${HEADLESS}`, { headers, json: shown });
  return [`POST ${HEADLESS}/delete`, { headers, json: { token: body.token } }];
};

const MESSAGES = `/users/${ids.otter}/messages`;

/** How the operations that the public document does not have are asked. */
export const ASKED_BESIDE: Readonly<Record<string, Asked>> = {
  ...Object.fromEntries(
    (['', 'game_'] as const).flatMap((kind): [string, Asked][] => {
      const path = `/users/@me/${kind.replace('_', '-')}relationships`;
      const [read, write] = ['relationships.read', 'relationships.write'];
      return [
        [`get_${kind}relationships`, asPerson(`GET ${path}`, read)],
        [`send_${kind}friend_request`, asPerson(`POST ${path}`, write, { username: 'otter' })],
        [`create_${kind}relationship`, asPerson(`PUT ${path}/${ids.otter}`, write, {})],
        [`remove_${kind}relationship`, asPerson(`DELETE ${path}/${ids.heron}`, write)],
      ];
    }),
  ),
  create_headless_session: asPerson(`POST ${HEADLESS}`, 'activities.write', shown),
  delete_headless_session: shownBefore,
  list_skus: async ({ bot }) => [`GET /applications/${APP}/skus`, { headers: bot() }],
  add_invite_target_user: asInviter(`PUT ${TARGETS}/${ids.heron}`),
  remove_invite_target_user: asInviter(`DELETE ${TARGETS}/${ids.otter}`),
  bulk_add_invite_target_users: asInviter(`POST ${TARGETS}/bulk-add`, { user_ids: [ids.heron] }),
  bulk_delete_invite_target_users: asInviter(`POST ${TARGETS}/bulk-delete`, { user_ids: [ids.otter] }),
  get_user_messages: inPrivate(`GET ${MESSAGES}`, 'dm_channels.messages.read'),
  create_user_message: inPrivate(`POST ${MESSAGES}`, 'dm_channels.messages.write', { content: 'x' }),
  update_user_message: inPrivate(`PATCH ${MESSAGES}/{message}`, 'dm_channels.messages.write', {
    content: 'y',
  }),
  delete_user_message: inPrivate(`DELETE ${MESSAGES}/{message}`, 'dm_channels.messages.write'),
};
