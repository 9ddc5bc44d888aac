import { ownText } from '../../kernel/own-text.ts';
import type { GithubRequest } from './github-body.ts';

/** Text of an event's embed. */
interface EmbedText {
  readonly title: string;
  readonly url: string | undefined;
  readonly text?: string | undefined;
}

const MAX_TITLE_CHARS = 256;
const MAX_TEXT_CHARS = 500;
const MAX_COMMITS = 10;

type Describe = (sent: GithubRequest) => EmbedText | undefined;

const issueOf =
  (kind: string): Describe =>
  ({ action = '', issue, pull_request, repository }) => {
    const about = kind === 'Issue' ? issue : pull_request;
    if (about === undefined) return undefined;
    return {
      title: `${inRepository(repository)}${kind} ${action}: #${about.number} ${about.title}`,
      url: about.html_url,
      text: action === 'opened' ? about.body : undefined,
    };
  };

const refOf =
  (verb: string): Describe =>
  ({ ref, ref_type, repository }) => ({
    title: `${inRepository(repository)}${ref_type ?? 'ref'} ${verb}: ${ref ?? ''}`,
    url: repository?.html_url,
  });

const checkOf = (name: string, conclusion: string | undefined, branch: string | undefined): string =>
  `${name} ${conclusion ?? 'finished'}${branch === undefined ? '' : ` on ${branch}`}`;

/** Text of each event that the platform accepts. */
const EVENTS: Readonly<Record<string, Describe>> = {
  commit_comment: ({ comment, repository }) =>
    comment && {
      title: `${inRepository(repository)}New comment on commit ${short(comment.commit_id ?? '')}`,
      url: comment.html_url,
      text: comment.body,
    },
  create: refOf('created'),
  delete: refOf('deleted'),
  fork: ({ forkee, repository }) =>
    forkee && {
      title: `${inRepository(repository)}Fork created: ${forkee.full_name}`,
      url: forkee.html_url,
    },
  issue_comment: ({ comment, issue, repository }) =>
    comment &&
    issue && {
      title: `${inRepository(repository)}New comment on ${issue.pull_request === undefined ? 'issue' : 'pull request'} #${issue.number}: ${issue.title}`,
      url: comment.html_url,
      text: comment.body,
    },
  issues: issueOf('Issue'),
  member: ({ action, member, repository }) =>
    member && {
      title: `${inRepository(repository)}Collaborator ${action ?? 'added'}: ${member.login}`,
      url: member.html_url,
    },
  public: ({ repository }) => ({
    title: `${inRepository(repository)}Now open for everybody`,
    url: repository?.html_url,
  }),
  pull_request: issueOf('Pull request'),
  pull_request_review: ({ review, pull_request, repository }) =>
    review &&
    pull_request && {
      title: `${inRepository(repository)}Review of pull request #${pull_request.number}: ${review.state}`,
      url: review.html_url,
      text: review.body,
    },
  pull_request_review_comment: ({ comment, pull_request, repository }) =>
    comment &&
    pull_request && {
      title: `${inRepository(repository)}New review comment on pull request #${pull_request.number}: ${pull_request.title}`,
      url: comment.html_url,
      text: comment.body,
    },
  push: ({ commits = [], ref = '', forced, compare, repository }) => {
    // The events `create` and `delete` describe created and deleted branches.
    if (commits.length === 0) return undefined;
    const branch = ref.replace(/^refs\/(heads|tags)\//, '');
    const count = `${commits.length} new commit${commits.length === 1 ? '' : 's'}`;
    return {
      title: `[${repository?.name ?? ''}:${branch}] ${forced === true ? 'Forced push, ' : ''}${count}`,
      url: compare,
      text: commits
        .slice(0, MAX_COMMITS)
        .map(
          ({ id, url, message, author }) =>
            `[\`${short(id)}\`](${url}) ${firstLine(message)} - ${author.name}`,
        )
        .join('\n'),
    };
  },
  release: ({ action, release, repository }) =>
    release && {
      title: `${inRepository(repository)}Release ${action ?? 'published'}: ${release.tag_name}`,
      url: release.html_url,
    },
  watch: ({ repository }) => ({ title: `${inRepository(repository)}New star`, url: repository?.html_url }),
  check_run: ({ check_run: run, repository }) =>
    run && {
      title: inRepository(repository) + checkOf(run.name, run.conclusion, run.check_suite.head_branch),
      url: run.html_url,
      text: run.output?.title,
    },
  check_suite: ({ check_suite: suite, repository }) =>
    suite && {
      title: inRepository(repository) + checkOf(suite.app.name, suite.conclusion, suite.head_branch),
      url: repository?.html_url,
    },
  discussion: ({ action, discussion, answer, repository }) =>
    discussion && {
      title: `${inRepository(repository)}Discussion ${action ?? ''}: #${discussion.number} ${discussion.title}`,
      url: discussion.answer_html_url ?? discussion.html_url,
      text: answer?.body ?? discussion.body,
    },
  discussion_comment: ({ comment, discussion, repository }) =>
    comment &&
    discussion && {
      title: `${inRepository(repository)}New comment on discussion #${discussion.number}: ${discussion.title}`,
      url: comment.html_url,
      text: comment.body,
    },
};

function inRepository(repository: GithubRequest['repository']): string {
  return repository === undefined ? '' : `[${repository.full_name}] `;
}

function short(id: string): string {
  return id.slice(0, 7);
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, 100);
}

/** The embed of an event; undefined for an event without a message. */
export function githubEmbed(event: string, sent: GithubRequest): object | undefined {
  const described = Object.hasOwn(EVENTS, event) ? EVENTS[event]?.(sent) : undefined;
  if (described === undefined) return undefined;
  const { login, html_url, avatar_url } = sent.sender;
  return {
    title: ownText(described.title.slice(0, MAX_TITLE_CHARS)),
    url: described.url,
    description: described.text === undefined ? undefined : ownText(described.text.slice(0, MAX_TEXT_CHARS)),
    author: { name: ownText(login.slice(0, MAX_TITLE_CHARS)), url: html_url, icon_url: avatar_url },
  };
}
