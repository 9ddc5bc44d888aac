import * as z from 'zod';
import { anybody, noContent, operationsFor, type Page } from '../../../api/operation.ts';
import { html, page } from '../../../api/page.ts';
import type { Base } from '../../../api/world.ts';
import type { HasApplications } from '../../../applications/applications.ts';
import type { HasLog } from '../../../kernel/log.ts';
import { plainText } from '../../consent/display.ts';
import { OAuth2Error } from '../error.ts';
import type { HasOAuth2 } from '../oauth2.ts';
import { scopeList, signInNote, tooEarlyNote } from './page-parts.ts';
import type { Pending } from './pending.ts';
import { pageIn, programOf } from './requester.ts';
import { type HasWebConsent, pageOwner } from './web-consent.ts';

/** Services for device activation. */
type Needs = Base & HasApplications & HasLog & HasOAuth2 & HasWebConsent;

const defineOperation = operationsFor<Needs>();

const userCode = z.string().max(64);

/** The page to type a code on. */
function enterPage(fault?: string): Page {
  return page({
    status: fault === undefined ? 200 : 400,
    title: 'Activate a device',
    body: html`<h1>Activate a device</h1>
${fault === undefined ? html`` : html`<p role="alert"><strong>${fault}</strong></p>`}
<form method="get" action="/activate">
<label>Code on the device <input name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" autofocus></label>
<button class="yes">Continue</button>
</form>`,
  });
}

function requestPage(
  { oauth2, world, web, application }: Needs,
  typed: string,
  session: string | undefined,
  note = html``,
): Page {
  const request = oauth2.devices.waiting(typed);
  if (request === undefined) return enterPage('No device waits with this code.');
  const known = application(request.clientId);
  const name = known?.record.name ?? request.clientId;
  return page({
    title: `Activate ${plainText(name)}`,
    laterMs: web.readingMs,
    body: html`${note}<h1>${plainText(name)} on a device wants to act for ${plainText(world.me().username)}</h1>
<p>The device shows <code class="short">${plainText(typed, 16)}</code>. It asks to:</p>
${scopeList(request.scopes)}
${signInNote(session)}
<form method="post" action="/activate">
<input type="hidden" name="token" value="${web.devicePages.add(typed, pageOwner(known, session))}">
<button class="yes later" name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>`,
  });
}

function donePage(title: string, text: string, rest = html``): Page {
  return page({ title, body: html`<h1>${title}</h1><p>${text}</p>${rest}` });
}

/**
 * Adds a device's request, which was allowed on the page, to the queue of waiting requests, and returns a page with the
 * outcome.
 */
async function allow(
  { oauth2, web, log }: Needs,
  { request: typed, id: sessionId }: Pending<string>,
  bringer: string,
  isSignedIn: boolean,
): Promise<Page> {
  const { clientId } = oauth2.devices.waiting(typed) ?? { clientId: '' };
  const peer = { transport: 'device', sessionId, program: deviceOf(typed, bringer) };
  const refused = oauth2.devices.allow(typed, peer, new AbortController().signal).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof OAuth2Error) return error;
      log.warn('a device could not be answered');
      return new OAuth2Error('access_denied', 'It could not be answered.');
    },
  );
  const id = web.waitingId(sessionId);
  if (id !== undefined && !isSignedIn) {
    void refused.then((refusal) => refusal && oauth2.devices.deny(typed));
    const command = html`<p><code class="command">footbridge approve ${id}</code></p>`;
    return donePage('One more step', 'Allow it in a terminal:', command);
  }
  if (isSignedIn) web.allow(sessionId);
  const refusal = await refused;
  if (refusal === undefined) return donePage('Done', 'Go back to the device.');
  if (oauth2.policyFor(clientId) === 'deny') {
    oauth2.devices.deny(typed);
    return donePage('Denied', `${refusal.description} The device gets nothing.`);
  }
  // The user saw no prompt, because another request of the device waits or the limit on prompts was exceeded. The
  // device continues to wait.
  const again = html`<p><a href="/activate?user_code=${encodeURIComponent(typed)}">Try again</a></p>`;
  return donePage('Not now', `${refusal.description} The device goes on waiting.`, again);
}

/** Description of the requesting device for the user, who can compare the code with the one on the device. */
function deviceOf(typed: string, bringer: string): string {
  return `a device that shows ${plainText(typed, 16)}, brought by ${bringer}`;
}

/** The page on which a user types the code of a device, and its equivalents for programs. */
export const activateOperations = [
  defineOperation({
    id: 'activate_page',
    summary: 'The page on which a user types the code of a device.',
    route: 'GET /activate',
    at: 'site',
    isPage: true,
    who: [anybody],
    query: z.object({ user_code: z.optional(userCode) }),
    answers: { 200: null, 400: null },
    handle: ({ query: { user_code: typed = '' }, headers }, platform) =>
      typed === '' ? enterPage() : requestPage(platform, typed, platform.web.browsers.sessionOf(headers)),
  }),
  defineOperation({
    id: 'activate_page_answer',
    summary: "The pressed button of that page; the form's token is valid once.",
    route: 'POST /activate',
    at: 'site',
    isPage: true,
    who: [anybody],
    body: z.object({ token: z.string().max(64), decision: z.literal(['allow', 'deny']) }),
    bodyKinds: ['form'],
    answers: { 200: null, 400: null },
    handle: ({ body: { token, decision }, headers }, platform) => {
      const { web, oauth2 } = platform;
      const pending = web.devicePages.find(token);
      web.devicePages.drop(token);
      if (pending === undefined || oauth2.devices.waiting(pending.request) === undefined) {
        return enterPage('This page is too old, or was answered already.');
      }
      if (decision === 'deny') {
        oauth2.devices.deny(pending.request);
        return donePage('Denied', 'The device gets nothing.');
      }
      const session = web.browsers.sessionOf(headers);
      if (web.devicePages.isTooEarly(pending))
        return requestPage(platform, pending.request, session, tooEarlyNote);
      return allow(platform, pending, pageIn(headers), session !== undefined);
    },
  }),
  defineOperation({
    id: 'verify_device',
    summary: 'The request of the device with a code.',
    route: 'POST /oauth2/device/verify',
    who: [anybody],
    body: z.object({ user_code: userCode }),
    answers: {
      200: z.object({
        scopes: z.array(z.string()),
        client_id: z.string(),
        two_way_link_code: z.null(),
        type: z.int(),
      }),
    },
    errors: 'oauth2',
    ours: 'The route is not in the public document.',
    handle: ({ body }, { oauth2 }) => {
      const request = oauth2.devices.waiting(body.user_code);
      if (request === undefined) throw new OAuth2Error('invalid_request', 'Invalid "user_code" in request.');
      const { scopes, clientId } = request;
      return { status: 200, body: { scopes, client_id: clientId, two_way_link_code: null, type: 0 } };
    },
  }),
  defineOperation({
    id: 'finish_device',
    summary: 'Allows or denies the device with a code; an Allow waits for the user like every request.',
    route: 'POST /oauth2/device/finish',
    who: [anybody],
    body: z.object({ user_code: userCode, result: z.literal(['granted', 'denied']) }),
    answers: { 204: null },
    errors: 'oauth2',
    ours: 'The route is not in the public document.',
    handle: async ({ body: { user_code, result }, headers, signal }, { oauth2 }) => {
      if (result === 'granted') {
        const peer = { transport: 'device', program: deviceOf(user_code, programOf(headers)) };
        await oauth2.devices.allow(user_code, peer, signal());
      } else if (!oauth2.devices.deny(user_code)) {
        throw new OAuth2Error('invalid_request', 'Invalid "user_code" in request.');
      }
      return noContent();
    },
  }),
];
