import { type Html, html } from '../../../api/page.ts';

/** Note for a browser without a session, in which an Allow on a page needs a confirmation. */
export function signInNote(session: string | undefined): Html {
  if (session !== undefined) return html``;
  return html`<p class="note">This browser is not signed in: an Allow waits until you confirm it in a terminal. To sign in, open the
address that <code>footbridge emulator sign-in</code> prints.</p>`;
}
