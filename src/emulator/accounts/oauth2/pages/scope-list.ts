import { type Html, html } from '../../../api/page.ts';
import { describeScope } from '../scopes.ts';

/** The requested scopes: descriptions with their names. */
export function scopeList(scopes: readonly string[]): Html {
  return html`<ul>${scopes.map((name) => html`<li>${describeScope(name)} <small>${name}</small></li>`)}</ul>`;
}
