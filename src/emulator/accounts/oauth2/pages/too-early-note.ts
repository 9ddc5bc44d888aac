import { html } from '../../../api/page.ts';

/** Note on a page whose Allow came too early: no user can have read the page in that time. */
export const tooEarlyNote = html`<p role="alert"><strong>That came too fast to be an answer to this page. Read it, and press again.</strong></p>`;
