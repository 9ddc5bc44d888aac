import { describe, expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';

const HOOK = '/webhooks/900/tide';
const SITE = 'https://example.test/';
const USER = { id: 1, login: 'gull', html_url: SITE, avatar_url: `${SITE}gull.png` };
const REPOSITORY = { id: 2, html_url: SITE, name: 'tides', full_name: 'harbour/tides' };
const ISSUE = { id: 3, number: 7, html_url: `${SITE}7`, user: USER, title: 'Leak', body: 'Water' };
const COMMENT = { id: 4, html_url: `${SITE}c`, user: USER, body: 'Seen', commit_id: 'abcdef1234' };
const COMMIT = {
  id: 'abcdef1234',
  url: `${SITE}abc`,
  message: 'Stop it\n\nfor good',
  author: { name: 'Gull' },
};

/** A webhook in #general, which has a thread, and one in a forum; the last message of each. */
async function hooked() {
  const platform = await botPlatform({
    guilds: [
      {
        id: ids.riverBank,
        channels: [
          { id: '910', name: 'reports', type: 'forum' },
          { id: '912', name: 'side', type: 'public_thread', parent: ids.general, owner: 'river' },
        ],
      },
    ],
    channel_webhooks: [
      { id: '900', channel: ids.general, name: 'Tide table', token: 'tide' },
      { id: '901', channel: '910', name: 'Reports', token: 'tide' },
    ],
  });
  const last = async (channel: string = ids.general) =>
    (await platform.ask(`GET /channels/${channel}/messages?limit=1`)).body[0];
  return { ...platform, last };
}

describe('a webhook in the Slack format', () => {
  it('writes the text and an embed for each attachment', async () => {
    const { call, last } = await hooked();
    const { status, body } = await call(`POST ${HOOK}/slack`, {
      json: {
        text: 'Flood',
        username: 'Gull',
        icon_url: `${SITE}gull.png`,
        attachments: [
          {
            title: 'Level',
            title_link: SITE,
            pretext: 'Now',
            text: 'High',
            color: '#f80',
            ts: 1_700_000_000,
            footer: 'gauge',
            author_name: 'Harbour',
            image_url: `${SITE}x.png`,
            fields: [{ name: 'North', value: '3 m', inline: true }],
          },
        ],
      },
    });
    expect({ status, body }).toEqual({ status: 200, body: 'ok' });
    expect(await last()).toMatchObject({
      content: 'Flood',
      author: { username: 'Gull' },
      embeds: [
        {
          title: 'Level',
          url: SITE,
          description: 'Now\nHigh',
          color: 0xff_88_00,
          timestamp: expect.stringMatching(/^2023-11-14T22:13:20/),
          footer: { text: 'gauge' },
          author: { name: 'Harbour' },
          image: { url: `${SITE}x.png` },
          fields: [{ name: 'North', value: '3 m', inline: true }],
        },
      ],
    });
    await call(`POST ${HOOK}/slack?thread_id=912`, { form: { text: 'in a form' } });
    expect((await last('912')).content).toBe('in a form');
  });

  it.each([
    ['nothing', HOOK, {}, 400, 50006],
    ['a text of 2,001 characters', HOOK, { text: 'x'.repeat(2001) }, 400, 50035],
    ['a color that is none', HOOK, { attachments: [{ color: 'red' }] }, 400, 50035],
    ['a picture that is none', HOOK, { attachments: [{ title: 'x', image_url: 'x' }] }, 400, 50035],
    ['too much for embeds', HOOK, { attachments: [{ text: 'x'.repeat(4097) }] }, 400, 50035],
    ['a name of the platform', HOOK, { text: 'x', username: 'clyde' }, 400, 50035],
    ['a forum', '/webhooks/901/tide', { text: 'x' }, 400, 220004],
    ['another token', '/webhooks/900/ebb', { text: 'x' }, 401, 50027],
  ])('refuses %s and leaves the state unchanged', async (_, path, json, status, code) => {
    const { call, emulator } = await hooked();
    const before = emulator.exportState();
    expect(await call(`POST ${path}/slack`, { json })).toMatchObject({ status, body: { code } });
    expect(emulator.exportState()).toBe(before);
  });
});

describe('a webhook in the GitHub format', () => {
  it.each([
    ['push', { ref: 'refs/heads/main', compare: SITE, commits: [COMMIT] }, '[tides:main] 1 new commit'],
    ['issues', { action: 'opened', issue: ISSUE }, '[harbour/tides] Issue opened: #7 Leak'],
    [
      'pull_request',
      { action: 'closed', pull_request: ISSUE },
      '[harbour/tides] Pull request closed: #7 Leak',
    ],
    ['issue_comment', { issue: ISSUE, comment: COMMENT }, '[harbour/tides] New comment on issue #7: Leak'],
    ['commit_comment', { comment: COMMENT }, '[harbour/tides] New comment on commit abcdef1'],
    ['create', { ref: 'v1', ref_type: 'tag' }, '[harbour/tides] tag created: v1'],
    [
      'fork',
      { forkee: { ...REPOSITORY, full_name: 'gull/tides' } },
      '[harbour/tides] Fork created: gull/tides',
    ],
    [
      'release',
      { action: 'published', release: { id: 5, tag_name: 'v1', html_url: SITE, author: USER } },
      '[harbour/tides] Release published: v1',
    ],
    ['watch', { action: 'started' }, '[harbour/tides] New star'],
    [
      'check_suite',
      { check_suite: { conclusion: 'success', head_branch: 'main', head_sha: 'a', app: { name: 'ci' } } },
      '[harbour/tides] ci success on main',
    ],
  ])('reports the event %s', async (event, json, title) => {
    const { call, last } = await hooked();
    const { status } = await call(`POST ${HOOK}/github`, {
      headers: { 'x-github-event': event },
      json: { ...json, sender: USER, repository: REPOSITORY },
    });
    expect(status).toBe(204);
    expect(await last()).toMatchObject({
      webhook_id: '900',
      embeds: [{ title, author: { name: 'gull', url: SITE } }],
    });
  });

  it('lists the commits with the first line of each', async () => {
    const { call, last } = await hooked();
    const json = { sender: USER, repository: REPOSITORY, ref: 'refs/heads/main', commits: [COMMIT] };
    await call(`POST ${HOOK}/github`, { headers: { 'x-github-event': 'push' }, json });
    expect((await last()).embeds[0].description).toBe(`[\`abcdef1\`](${SITE}abc) Stop it - Gull`);
  });

  it.each(['ping', '__proto__', ''])('writes no message for the event %j', async (event) => {
    const { call, emulator } = await hooked();
    const before = emulator.exportState();
    const headers = event === '' ? {} : { 'x-github-event': event };
    expect((await call(`POST ${HOOK}/github`, { headers, json: { sender: USER } })).status).toBe(204);
    expect(emulator.exportState()).toBe(before);
  });

  it.each([
    ['no sender', HOOK, {}, 400, 50035],
    ['an address that is none', HOOK, { sender: { ...USER, html_url: 'javascript:x' } }, 400, 50035],
    ['a forum', '/webhooks/901/tide', { sender: USER }, 400, 220004],
    ['another token', '/webhooks/900/ebb', { sender: USER }, 401, 50027],
  ])('refuses %s and leaves the state unchanged', async (_, path, json, status, code) => {
    const { call, emulator } = await hooked();
    const before = emulator.exportState();
    const headers = { 'x-github-event': 'watch' };
    expect(await call(`POST ${path}/github`, { headers, json })).toMatchObject({ status, body: { code } });
    expect(emulator.exportState()).toBe(before);
  });
});
