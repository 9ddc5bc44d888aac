import { ids } from '../../../helpers/emulator-world.ts';
import { APP, type PlatformRequest, type TestPlatform } from '../../../helpers/platform.ts';
import type { Asked } from './asked-messages.ts';

const TOKEN = 'tide-table';

/** The bot of the application as a member that may everything; a webhook of the channel #general with this id. */
async function member({ emulator, bot }: TestPlatform): Promise<PlatformRequest> {
  await emulator.apply({
    users: [{ id: APP, username: 'harbour', bot: true }],
    applications: [{ id: APP, bot_user: APP, intents: ['message_content'] }],
    guilds: [
      {
        id: ids.riverBank,
        members: [{ user: APP }],
        roles: [{ id: ids.riverBank, permissions: ['ADMINISTRATOR'] }],
        channels: [{ id: '910', name: 'news', type: 'announcement' }],
      },
    ],
    channel_webhooks: [
      { id: '900', channel: ids.general, name: 'Tide table', token: TOKEN, user: 'river', application: APP },
      { id: '901', type: 'follower', channel: ids.general, name: 'News', source_channel: '910' },
    ],
  });
  return { headers: bot() };
}

const asBot =
  (what: string, json?: unknown): Asked =>
  async (platform) => [what, { ...(await member(platform)), ...(json === undefined ? {} : { json }) }];

const byToken =
  (method: string, rest = '', json?: unknown): Asked =>
  async (platform) => {
    await member(platform);
    return [`${method} /webhooks/900/${TOKEN}${rest}`, json === undefined ? {} : { json }];
  };

const ofMessage =
  (method: string, json?: unknown): Asked =>
  async (platform) => {
    await member(platform);
    const hook = `/webhooks/900/${TOKEN}`;
    const { body } = await platform.call(`POST ${hook}?wait=true`, { json: { content: 'x' } });
    return [`${method} ${hook}/messages/${body.id}`, json === undefined ? {} : { json }];
  };

const ofPoll =
  (method: string, rest: string): Asked =>
  async (platform) => {
    const asked = await member(platform);
    const answers = [{ poll_media: { text: 'High', emoji: { name: '🌊' } } }];
    const json = { poll: { question: { text: 'Tide?' }, answers } };
    const { body } = await platform.call(`POST /channels/${ids.general}/messages`, { ...asked, json });
    platform.emulator.polls.vote(body.id, ids.river, ['1']);
    return [`${method} /channels/${ids.general}/polls/${body.id}/${rest}`, asked];
  };

/** How the operations on webhooks of channels and on polls are asked. */
export const webhookAsked: Readonly<Record<string, Asked>> = {
  list_channel_webhooks: asBot(`GET /channels/${ids.general}/webhooks`),
  create_webhook: asBot(`POST /channels/${ids.general}/webhooks`, { name: 'x', avatar: null }),
  get_guild_webhooks: asBot(`GET /guilds/${ids.riverBank}/webhooks`),
  get_webhook: asBot('GET /webhooks/900'),
  update_webhook: asBot('PATCH /webhooks/900', { name: 'y', channel_id: '910' }),
  delete_webhook: asBot('DELETE /webhooks/900'),
  follow_channel: asBot('POST /channels/910/followers', { webhook_channel_id: ids.general }),
  get_webhook_by_token: byToken('GET'),
  update_webhook_by_token: byToken('PATCH', '', { name: 'y' }),
  delete_webhook_by_token: byToken('DELETE'),
  execute_webhook: byToken('POST', '?wait=true', {
    content: `<@${ids.river}>`,
    username: 'Low water',
    avatar_url: 'https://example.test/x.png',
    embeds: [{ title: 'x' }],
  }),
  execute_slack_compatible_webhook: byToken('POST', '/slack', {
    text: 'x',
    attachments: [{ title: 'y', color: '#f80' }],
  }),
  execute_github_compatible_webhook: async (platform) => {
    const [what, request] = await byToken('POST', '/github', {
      sender: {
        id: 1,
        login: 'x',
        html_url: 'https://example.test/',
        avatar_url: 'https://example.test/x.png',
      },
    })(platform);
    return [what, { ...request, headers: { 'x-github-event': 'watch' } }];
  },
  get_answer_voters: ofPoll('GET', 'answers/1'),
  poll_expire: ofPoll('POST', 'expire'),
  get_webhook_message: ofMessage('GET'),
  update_webhook_message: ofMessage('PATCH', { content: 'y' }),
  delete_webhook_message: ofMessage('DELETE'),
};
