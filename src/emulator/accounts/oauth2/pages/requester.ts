import type { IncomingHttpHeaders } from 'node:http';
import { plainText } from '../../consent/display.ts';

/**
 * Browsers by their user agents. A later browser of the list also occurs in the user agents of earlier ones, so the
 * order matters.
 */
const BROWSERS = [
  ['Edge', /\bEdg\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\bFirefox\/(\d+)/],
  ['Chromium', /\bChromium\/(\d+)/],
  ['Chrome', /\bChrome\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* .*\bSafari\//],
] as const;

/** Description of a browser for the user: `a page in Firefox 120`. A user agent is an unverified claim. */
export function pageIn({ 'user-agent': agent = '' }: IncomingHttpHeaders): string {
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(agent)?.[1];
    if (version !== undefined) return `a page in ${name} ${version.slice(0, 4)}`;
  }
  return agent === '' ? 'a page in an unnamed browser' : `a page in ${plainText(agent)}`;
}

/** Description of a program for the user: `a program over HTTP (curl/8.5.0)`. */
export function programOf({ 'user-agent': agent = '' }: IncomingHttpHeaders): string {
  return agent === '' ? 'an unnamed program over HTTP' : `a program over HTTP (${plainText(agent)})`;
}
