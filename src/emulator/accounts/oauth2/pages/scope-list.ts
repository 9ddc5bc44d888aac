import { type Html, html } from '../../../api/page.ts';
import { describeScope } from '../scopes.ts';

/** What is asked for, in plain words, with the names beside. */
export function scopeList(scopes: readonly string[]): Html {
  return html`<ul>${scopes.map((name) => html`<li>${describeScope(name)} <small>${name}</small></li>`)}</ul>`;
}
