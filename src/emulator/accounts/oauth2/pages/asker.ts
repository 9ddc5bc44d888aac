import type { IncomingHttpHeaders } from 'node:http';
import { plainText } from '../../consent/display.ts';

/** Browsers by what they call themselves; the later ones also claim to be the earlier ones of others. */
const BROWSERS = [
  ['Edge', /\bEdg\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\bFirefox\/(\d+)/],
  ['Chromium', /\bChromium\/(\d+)/],
  ['Chrome', /\bChrome\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* .*\bSafari\//],
] as const;

/** Who asks on a page, for the person: `a page in Firefox 120`. Anybody can call themselves anything. */
export function pageIn({ 'user-agent': agent = '' }: IncomingHttpHeaders): string {
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(agent)?.[1];
    if (version !== undefined) return `a page in ${name} ${version.slice(0, 4)}`;
  }
  return agent === '' ? 'a page in an unnamed browser' : `a page in ${plainText(agent)}`;
}

/** Who asks without a page: `a program over HTTP (curl/8.5.0)`. */
export function programOf({ 'user-agent': agent = '' }: IncomingHttpHeaders): string {
  return agent === '' ? 'an unnamed program over HTTP' : `a program over HTTP (${plainText(agent)})`;
}
