import { describe, expect, it } from 'vitest';
import { githubEmbed } from '../../../../src/emulator/interactions/channel-webhooks/github.ts';

const sender = { id: 1, login: 'otter', html_url: 'http://g.test/otter', avatar_url: 'http://g.test/o.png' };
const repository = { id: 2, name: 'tide', full_name: 'bank/tide', html_url: 'http://g.test/tide' };
const issue = {
  id: 3,
  number: 7,
  title: 'High',
  html_url: 'http://g.test/7',
  body: 'Very high',
  user: sender,
};
const comment = { id: 4, html_url: 'http://g.test/c', body: 'Aye', commit_id: '0123456789', user: sender };
const suite = { conclusion: 'success', head_branch: 'main', head_sha: 'x', app: { name: 'CI' } };
const run = {
  name: 'lint',
  conclusion: 'failure',
  html_url: 'http://g.test/r',
  check_suite: suite,
  output: { title: 'Two faults' },
};
const discussion = { title: 'Mud', number: 9, html_url: 'http://g.test/d', body: 'Where?', user: sender };
const commit = (id: string) => ({
  id,
  url: `http://g.test/${id}`,
  message: `Fix ${id}\n\nbody`,
  author: { name: 'Otter' },
});

/** Title, address and text of the embed of an event. */
function shown(event: string, fields: object, from: object | undefined = repository): unknown {
  const sent = { sender, ...(from === undefined ? {} : { repository: from }), ...fields };
  const embed = githubEmbed(event, sent as never) as
    | { title: string; url?: string; description?: string }
    | undefined;
  return embed && [embed.title, embed.url, embed.description];
}

describe('an event of GitHub', () => {
  it.each<[string, object, unknown]>([
    ['commit_comment', { comment }, ['[bank/tide] New comment on commit 0123456', comment.html_url, 'Aye']],
    [
      'commit_comment',
      { comment: { ...comment, commit_id: undefined } },
      ['[bank/tide] New comment on commit ', comment.html_url, 'Aye'],
    ],
    [
      'create',
      { ref: 'mud', ref_type: 'branch' },
      ['[bank/tide] branch created: mud', repository.html_url, undefined],
    ],
    [
      'delete',
      { ref: 'v1', ref_type: 'tag' },
      ['[bank/tide] tag deleted: v1', repository.html_url, undefined],
    ],
    ['create', {}, ['[bank/tide] ref created: ', repository.html_url, undefined]],
    [
      'fork',
      { forkee: { ...repository, full_name: 'otter/tide', html_url: 'http://g.test/f' } },
      ['[bank/tide] Fork created: otter/tide', 'http://g.test/f', undefined],
    ],
    [
      'issue_comment',
      { comment, issue },
      ['[bank/tide] New comment on issue #7: High', comment.html_url, 'Aye'],
    ],
    [
      'issue_comment',
      { comment, issue: { ...issue, pull_request: {} } },
      ['[bank/tide] New comment on pull request #7: High', comment.html_url, 'Aye'],
    ],
    [
      'issues',
      { issue, action: 'opened' },
      ['[bank/tide] Issue opened: #7 High', issue.html_url, 'Very high'],
    ],
    ['issues', { issue, action: 'closed' }, ['[bank/tide] Issue closed: #7 High', issue.html_url, undefined]],
    [
      'pull_request',
      { pull_request: issue, action: 'opened' },
      ['[bank/tide] Pull request opened: #7 High', issue.html_url, 'Very high'],
    ],
    ['member', { member: sender }, ['[bank/tide] Collaborator added: otter', sender.html_url, undefined]],
    [
      'member',
      { member: sender, action: 'removed' },
      ['[bank/tide] Collaborator removed: otter', sender.html_url, undefined],
    ],
    ['public', {}, ['[bank/tide] Now open for everybody', repository.html_url, undefined]],
    [
      'pull_request_review',
      { review: { state: 'approved', html_url: 'http://g.test/v', body: 'Good' }, pull_request: issue },
      ['[bank/tide] Review of pull request #7: approved', 'http://g.test/v', 'Good'],
    ],
    [
      'pull_request_review_comment',
      { comment, pull_request: issue },
      ['[bank/tide] New review comment on pull request #7: High', comment.html_url, 'Aye'],
    ],
    [
      'push',
      { commits: [commit('0123456789')], ref: 'refs/heads/main', compare: 'http://g.test/x' },
      [
        '[tide:main] 1 new commit',
        'http://g.test/x',
        '[`0123456`](http://g.test/0123456789) Fix 0123456789 - Otter',
      ],
    ],
    [
      'push',
      { commits: [commit('a'), commit('b')], ref: 'refs/tags/v1', forced: true },
      [
        '[tide:v1] Forced push, 2 new commits',
        undefined,
        '[`a`](http://g.test/a) Fix a - Otter\n[`b`](http://g.test/b) Fix b - Otter',
      ],
    ],
    [
      'release',
      { release: { tag_name: 'v1', html_url: 'http://g.test/1' } },
      ['[bank/tide] Release published: v1', 'http://g.test/1', undefined],
    ],
    [
      'release',
      { release: { tag_name: 'v1', html_url: 'http://g.test/1' }, action: 'deleted' },
      ['[bank/tide] Release deleted: v1', 'http://g.test/1', undefined],
    ],
    ['watch', {}, ['[bank/tide] New star', repository.html_url, undefined]],
    ['check_run', { check_run: run }, ['[bank/tide] lint failure on main', run.html_url, 'Two faults']],
    [
      'check_run',
      {
        check_run: {
          ...run,
          conclusion: undefined,
          output: undefined,
          check_suite: { ...suite, head_branch: undefined },
        },
      },
      ['[bank/tide] lint finished', run.html_url, undefined],
    ],
    [
      'check_suite',
      { check_suite: suite },
      ['[bank/tide] CI success on main', repository.html_url, undefined],
    ],
    [
      'discussion',
      { discussion, action: 'created' },
      ['[bank/tide] Discussion created: #9 Mud', discussion.html_url, 'Where?'],
    ],
    [
      'discussion',
      { discussion: { ...discussion, answer_html_url: 'http://g.test/a' }, answer: { body: 'There' } },
      ['[bank/tide] Discussion : #9 Mud', 'http://g.test/a', 'There'],
    ],
    [
      'discussion_comment',
      { comment, discussion },
      ['[bank/tide] New comment on discussion #9: Mud', comment.html_url, 'Aye'],
    ],
  ])('%s with %j', (event, fields, expected) => {
    expect(shown(event, fields)).toEqual(expected);
  });

  it.each<[string, object]>([
    ['commit_comment', {}],
    ['fork', {}],
    ['issue_comment', { comment }],
    ['issue_comment', { issue }],
    ['issues', { pull_request: issue }],
    ['pull_request', { issue }],
    ['member', {}],
    ['pull_request_review', { pull_request: issue }],
    ['pull_request_review', { review: {} }],
    ['pull_request_review_comment', { comment }],
    ['pull_request_review_comment', { pull_request: issue }],
    ['push', {}],
    ['push', { commits: [] }],
    ['release', {}],
    ['check_run', {}],
    ['check_suite', {}],
    ['discussion', {}],
    ['discussion_comment', { comment }],
    ['discussion_comment', { discussion }],
    ['ping', {}],
    ['toString', {}],
  ])('%s with %j has no message', (event, fields) => {
    expect(shown(event, fields)).toBeUndefined();
  });

  it('names no repository where there is none, and its sender', () => {
    const sent = { sender, issue, action: 'opened' };
    expect(githubEmbed('issues', sent as never)).toEqual({
      title: 'Issue opened: #7 High',
      url: issue.html_url,
      description: 'Very high',
      author: { name: 'otter', url: sender.html_url, icon_url: sender.avatar_url },
    });
  });

  it('is cut where an embed ends', () => {
    const long = { ...issue, title: 'x'.repeat(300), body: 'y'.repeat(501) };
    const embed = githubEmbed('issues', {
      sender: { ...sender, login: 'z'.repeat(300) },
      issue: long,
      action: 'opened',
    } as never) as {
      readonly title: string;
      readonly description: string;
      readonly author: { readonly name: string };
    };
    expect([embed.title.length, embed.description, embed.author.name.length]).toEqual([
      256,
      'y'.repeat(500),
      256,
    ]);
    const many = Array.from({ length: 11 }, (_, n) => ({
      ...commit(`c${n}`),
      message: 'm'.repeat(101),
      url: 'u',
    }));
    const [title, , text] = shown('push', { commits: many, ref: 'refs/heads/a' }) as [
      string,
      unknown,
      string,
    ];
    expect(title).toBe('[tide:a] 11 new commits');
    expect(text.length).toBe(500);
    const ten = Array.from({ length: 11 }, (_, n) => ({ ...commit(`${n}`), message: '', url: '' }));
    expect((shown('push', { commits: ten }) as [string, unknown, string])[2].split('\n')).toHaveLength(10);
    const one = [{ ...commit('1'), message: 'm'.repeat(101), url: '' }];
    expect((shown('push', { commits: one }) as string[])[2]).toContain(`${'m'.repeat(100)} - Otter`);
  });
});
