import * as z from 'zod';
import { atMost, list, maybe } from '../../api/fields.ts';
import { webAddress } from './execute.ts';

// Fields of GitHub's webhook payloads that the messages use.

const LONGEST = 152_133;
const MOST = 1521;

const words = () => atMost(LONGEST);
const address = webAddress;

const user = z.object({ id: z.int(), login: words(), html_url: address(), avatar_url: address() });
const comment = z.object({
  id: z.int(),
  html_url: address(),
  user,
  commit_id: maybe(words()),
  body: words(),
});
const commit = z.object({
  id: words(),
  url: address(),
  message: words(),
  author: z.object({ username: maybe(words()), name: words() }),
});
const issue = z.object({
  id: z.int(),
  number: z.int(),
  html_url: address(),
  user,
  title: words(),
  body: maybe(words()),
  pull_request: maybe(z.unknown()),
});
const repository = z.object({ id: z.int(), html_url: address(), name: words(), full_name: words() });
const pulls = () => maybe(list(z.object({ number: z.int() }), 0, MOST));
const checkSuite = z.object({
  conclusion: maybe(words()),
  head_branch: maybe(words()),
  head_sha: words(),
  pull_requests: pulls(),
  app: z.object({ name: words() }),
});

/** Payload of GitHub; a header names its event. */
export const githubBody = z.object({
  action: maybe(words()),
  ref: maybe(words()),
  ref_type: maybe(words()),
  comment: maybe(comment),
  issue: maybe(issue),
  pull_request: maybe(issue),
  repository: maybe(repository),
  forkee: maybe(repository),
  sender: user,
  member: maybe(user),
  release: maybe(z.object({ id: z.int(), tag_name: words(), html_url: address(), author: user })),
  head_commit: maybe(commit),
  commits: maybe(list(commit, 0, MOST)),
  forced: maybe(z.boolean()),
  compare: maybe(address()),
  review: maybe(z.object({ user, body: maybe(words()), html_url: address(), state: words() })),
  check_run: maybe(
    z.object({
      conclusion: maybe(words()),
      name: words(),
      html_url: address(),
      check_suite: checkSuite,
      details_url: maybe(address()),
      output: maybe(z.object({ title: maybe(words()), summary: maybe(words()) })),
      pull_requests: pulls(),
    }),
  ),
  check_suite: maybe(checkSuite),
  discussion: maybe(
    z.object({
      title: words(),
      number: z.int(),
      html_url: address(),
      answer_html_url: maybe(address()),
      body: maybe(words()),
      user,
    }),
  ),
  answer: maybe(comment),
});

/** Payload of GitHub. */
export type GithubRequest = z.output<typeof githubBody>;
