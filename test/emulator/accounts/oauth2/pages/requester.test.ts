import { expect, it } from 'vitest';
import { pageIn, programOf } from '../../../../../src/emulator/accounts/oauth2/pages/requester.ts';

const CHROME = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0', 'Firefox 120'],
  [CHROME, 'Chrome 120'],
  [`${CHROME} Edg/121.0`, 'Edge 121'],
  [`${CHROME} OPR/106.0`, 'Opera 106'],
  [CHROME.replace('Chrome/120', 'Chromium/119 Chrome/120'), 'Chromium 119'],
  ['Mozilla/5.0 AppleWebKit/605 (KHTML, like Gecko) Version/17.2 Safari/605', 'Safari 17'],
  ['Firefox/123456789', 'Firefox 1234'],
  ['curl/8.5.0', 'curl/8.5.0'],
])('the page of the user agent %s is a page in %s', (agent, name) => {
  expect(pageIn({ 'user-agent': agent })).toBe(`a page in ${name}`);
});

it('a request without a user agent comes from an unnamed browser or program', () => {
  for (const headers of [{}, { 'user-agent': '' }]) {
    expect(pageIn(headers)).toBe('a page in an unnamed browser');
    expect(programOf(headers)).toBe('an unnamed program over HTTP');
  }
});

it('a program has the name of its user agent, in plain text', () => {
  expect(programOf({ 'user-agent': 'curl/8.5.0' })).toBe('a program over HTTP (curl/8.5.0)');
  expect(programOf({ 'user-agent': 'a\nb' })).not.toContain('\n');
});
