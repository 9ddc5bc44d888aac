import { type Html, html } from '../../../api/page.ts';
import { describeScope } from '../scopes.ts';

/** The requested scopes: descriptions with their names. */
export function scopeList(scopes: readonly string[]): Html {
  return html`<ul>${scopes.map((name) => html`<li>${describeScope(name)} <small>${name}</small></li>`)}</ul>`;
}

/** Note for a browser without a session, in which an Allow on a page needs a confirmation. */
export function signInNote(session: string | undefined): Html {
  if (session !== undefined) return html``;
  return html`<p class="note">This browser is not signed in: an Allow waits until you confirm it in a terminal. To sign in, open the
address that <code>footbridge emulator sign-in</code> prints.</p>`;
}

/** Note on a page whose Allow came too early: no user can have read the page in that time. */
export const tooEarlyNote = html`<p role="alert"><strong>That came too fast to be an answer to this page. Read it, and press again.</strong></p>`;
