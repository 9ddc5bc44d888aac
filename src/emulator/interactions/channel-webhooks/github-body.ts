import * as z from 'zod';
import { list, maybe, textUpTo } from '../../api/fields.ts';
import { webAddress } from './execute.ts';

// Schemas of the fields of GitHub's webhook payloads that the messages use. The maximum values limit a text
// (characters) and a list (items).

const MAX_TEXT_CHARS = 152_133;
const MAX_ITEMS = 1521;

const anyText = () => textUpTo(MAX_TEXT_CHARS);
const address = webAddress;

const user = z.object({ id: z.int(), login: anyText(), html_url: address(), avatar_url: address() });
const comment = z.object({
  id: z.int(),
  html_url: address(),
  user,
  commit_id: maybe(anyText()),
  body: anyText(),
});
const commit = z.object({
  id: anyText(),
  url: address(),
  message: anyText(),
  author: z.object({ username: maybe(anyText()), name: anyText() }),
});
const issue = z.object({
  id: z.int(),
  number: z.int(),
  html_url: address(),
  user,
  title: anyText(),
  body: maybe(anyText()),
  pull_request: maybe(z.unknown()),
});
const repository = z.object({ id: z.int(), html_url: address(), name: anyText(), full_name: anyText() });
const pulls = () => maybe(list(z.object({ number: z.int() }), 0, MAX_ITEMS));
const checkSuite = z.object({
  conclusion: maybe(anyText()),
  head_branch: maybe(anyText()),
  head_sha: anyText(),
  pull_requests: pulls(),
  app: z.object({ name: anyText() }),
});

/** Payload of GitHub; a header names its event. */
export const githubBody = z.object({
  action: maybe(anyText()),
  ref: maybe(anyText()),
  ref_type: maybe(anyText()),
  comment: maybe(comment),
  issue: maybe(issue),
  pull_request: maybe(issue),
  repository: maybe(repository),
  forkee: maybe(repository),
  sender: user,
  member: maybe(user),
  release: maybe(z.object({ id: z.int(), tag_name: anyText(), html_url: address(), author: user })),
  head_commit: maybe(commit),
  commits: maybe(list(commit, 0, MAX_ITEMS)),
  forced: maybe(z.boolean()),
  compare: maybe(address()),
  review: maybe(z.object({ user, body: maybe(anyText()), html_url: address(), state: anyText() })),
  check_run: maybe(
    z.object({
      conclusion: maybe(anyText()),
      name: anyText(),
      html_url: address(),
      check_suite: checkSuite,
      details_url: maybe(address()),
      output: maybe(z.object({ title: maybe(anyText()), summary: maybe(anyText()) })),
      pull_requests: pulls(),
    }),
  ),
  check_suite: maybe(checkSuite),
  discussion: maybe(
    z.object({
      title: anyText(),
      number: z.int(),
      html_url: address(),
      answer_html_url: maybe(address()),
      body: maybe(anyText()),
      user,
    }),
  ),
  answer: maybe(comment),
});

/** Payload of GitHub. */
export type GithubRequest = z.output<typeof githubBody>;
