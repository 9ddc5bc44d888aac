import * as z from 'zod';
import { anybody, ok, operationsFor, type Page, type Reply, redirect } from '../../../api/operation.ts';
import { html, page } from '../../../api/page.ts';
import type { Base } from '../../../api/world.ts';
import type { HasApplications } from '../../../applications/applications.ts';
import { plainText } from '../../consent/display.ts';
import { OAuth2Error } from '../error.ts';
import { issuerOf } from '../issuer.ts';
import type { HasOAuth2 } from '../oauth2.ts';
import { checkScopes } from '../scopes.ts';
import { consentPage, endPage } from './consent-page.ts';
import { tooEarlyNote } from './page-parts.ts';
import type { Pending } from './pending.ts';
import { pageIn, programOf } from './requester.ts';
import type { HasWebConsent } from './web-consent.ts';
import { webQuery } from './web-query.ts';
import {
  answerAddress,
  formTargets,
  isGuildFixed,
  readWebRequest,
  type WebQuery,
  type WebRequest,
} from './web-request.ts';

/** Services for the pages. */
type Needs = Base & HasApplications & HasOAuth2 & HasWebConsent;

const defineOperation = operationsFor<Needs>();

/** RFC 6749 section 3.1: a parameter without a value counts as omitted. */
function filled({ client_id, ...others }: WebQuery): WebQuery {
  return { client_id, ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== '')) };
}

function refusal(error: unknown): Page {
  if (!(error instanceof OAuth2Error)) throw error;
  return page({
    status: 400,
    title: 'This request cannot be answered',
    body: html`<h1>This request cannot be answered</h1>
<p>${[error.description, error.advice].filter((text) => text !== undefined).join(' ')}</p>
<p><small>${error.error}. Nothing was granted, and nothing was sent to the application.</small></p>`,
  });
}

async function afterDecision(
  { web }: Needs,
  token: string,
  pending: Pending<WebRequest>,
): Promise<Page | Reply> {
  const progress = await web.progress(pending);
  if (progress.kind === 'settled') {
    web.drop(token);
    return redirect(progress.location);
  }
  const id = web.waitingId(pending.id);
  return page({
    title: 'Waiting for an answer',
    refreshSeconds: 2,
    formTargets: formTargets(pending.request),
    body: html`<h1>Waiting for an answer</h1>
<p>Allow or deny it in a terminal:</p>
<p><code class="command">footbridge approve ${id ?? ''}</code></p>
<p><code class="command">footbridge deny ${id ?? ''}</code></p>
<p><small>This page goes on by itself.</small></p>`,
  });
}

function deadForm(): Page {
  return refusal(
    new OAuth2Error('invalid_request', 'This page is too old, or was answered already. Start again.'),
  );
}

/** The pages of OAuth 2.0, for a browser. */
export const pageOperations = [
  defineOperation({
    id: 'authorize_page',
    summary: 'Asks the user in a browser, and redirects to the application with a code or a token.',
    route: 'GET /oauth2/authorize',
    at: 'site',
    isPage: true,
    who: [anybody],
    query: webQuery,
    answers: { 200: null, 303: null },
    handle: async ({ query: fields, headers, signal }, platform) => {
      const { web } = platform;
      let request: WebRequest;
      try {
        request = readWebRequest(filled(fields), (id) => platform.application(id), pageIn(headers));
      } catch (error) {
        return refusal(error);
      }
      try {
        checkScopes(request.options.scopes, request.known.record);
      } catch (error) {
        if (!(error instanceof OAuth2Error)) throw error;
        return redirect(answerAddress(request, { error: error.error, error_description: error.description }));
      }
      const location = await web.withoutPrompt(request, signal());
      if (location !== undefined) return redirect(location);
      return consentPage(platform, request, web.browsers.sessionOf(headers));
    },
  }),
  defineOperation({
    id: 'authorize_page_answer',
    summary: "The pressed button of that page; the form's token is valid once.",
    route: 'POST /oauth2/authorize',
    at: 'site',
    isPage: true,
    who: [anybody],
    body: z.object({
      token: z.string().max(64),
      decision: z.literal(['allow', 'deny']),
      guild_id: z.optional(z.string().min(1).max(32)),
      webhook_channel_id: z.optional(z.string().min(1).max(32)),
    }),
    bodyKinds: ['form'],
    answers: { 200: null, 303: null },
    handle: ({ body: { token, decision, guild_id, webhook_channel_id }, headers }, platform) => {
      const { web } = platform;
      const session = web.browsers.sessionOf(headers);
      const pressed = web.decide(token, {
        decision,
        guildId: guild_id,
        webhookChannelId: webhook_channel_id,
        isSignedIn: session !== undefined,
      });
      switch (pressed.kind) {
        case 'dead':
          return deadForm();
        case 'early':
          return consentPage(platform, pressed.request, session, tooEarlyNote);
        case 'accepted':
          return redirect(`/oauth2/authorize/wait?token=${token}`);
      }
    },
  }),
  defineOperation({
    id: 'authorize_page_wait',
    summary: 'The page that waits for the answer.',
    route: 'GET /oauth2/authorize/wait',
    at: 'site',
    isPage: true,
    who: [anybody],
    query: z.object({ token: z.string().max(64) }),
    answers: { 200: null, 303: null },
    handle: async ({ query: { token } }, platform) => {
      const pending = platform.web.find(token);
      if (pending === undefined || pending.progress.kind === 'shown') return deadForm();
      return afterDecision(platform, token, pending);
    },
  }),
  defineOperation({
    id: 'authorize',
    summary: 'The equivalent of the page for programs: waits for the answer and returns the redirect.',
    route: 'POST /oauth2/authorize',
    who: [anybody],
    query: webQuery,
    body: z.object({
      authorize: z.optional(z.boolean()),
      integration_type: z.optional(z.int()),
      guild_id: z.optional(z.string().max(32)),
      permissions: z.optional(z.union([z.string().max(32), z.int()])),
      webhook_channel_id: z.optional(z.string().max(32)),
    }),
    answers: { 200: z.object({ url: z.string() }) },
    errors: 'oauth2',
    ours: 'The route is not in the public document. It waits for the user like every request.',
    handle: async ({ query: sent, body, headers, signal, base }, platform) => {
      const fields = filled(sent);
      const { authorize = true, integration_type, guild_id, permissions, webhook_channel_id } = body;
      const request = readWebRequest(
        {
          ...fields,
          ...(integration_type === undefined ? {} : { integration_type: String(integration_type) }),
          ...(guild_id === undefined || isGuildFixed(fields) ? {} : { guild_id }),
          ...(webhook_channel_id === undefined ? {} : { channel_id: webhook_channel_id }),
          ...(permissions === undefined ? {} : { permissions: String(permissions) }),
        },
        (id) => platform.application(id),
        programOf(headers),
      );
      const location = await platform.web.answered(request, authorize ? 'allow' : 'deny', signal());
      return ok({ url: location.startsWith('/') ? `${issuerOf(base)}${location}` : location });
    },
  }),
  defineOperation({
    id: 'authorized_page',
    summary: 'The last page after an application without a redirect address was added.',
    route: 'GET /oauth2/authorized',
    at: 'site',
    isPage: true,
    who: [anybody],
    query: z.object({ error: z.optional(z.string().max(64)) }),
    answers: { 200: null },
    // The page's text is constant, so the link cannot inject content.
    handle: ({ query: { error } }) => endPage(error === undefined),
  }),
  defineOperation({
    id: 'sign_in_page',
    summary:
      'Signs this browser in, by a URL that `footbridge emulator sign-in` prints and that is valid once.',
    route: 'GET /sign-in',
    at: 'site',
    isPage: true,
    who: [anybody],
    query: z.object({ key: z.string().max(64) }),
    answers: { 200: null },
    ours: 'There are no passwords here.',
    handle: ({ query: { key } }, { web, world }) => {
      const cookies = web.browsers.signIn(key);
      if (cookies === undefined) return deadForm();
      const signedIn = page({
        title: 'Signed in',
        body: html`<h1>Signed in as ${plainText(world.me().username)}</h1>
<p>An Allow in this browser counts from now on, for twelve hours.</p>`,
      });
      return { ...signedIn, headers: { ...signedIn.headers, 'Set-Cookie': cookies } };
    },
  }),
];
