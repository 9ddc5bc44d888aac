import { expect, it } from 'vitest';
import { OAuth2Error } from '../../../../../src/emulator/accounts/oauth2/error.ts';
import {
  answerAddress,
  formTargets,
  isGuildFixed,
  readWebRequest,
  type WebQuery,
} from '../../../../../src/emulator/accounts/oauth2/pages/web-request.ts';
import type { KnownApplication } from '../../../../../src/emulator/applications/applications.ts';
import { newApplication } from '../../../../../src/emulator/applications/records.ts';

it.each([
  [{ guild_id: '1', disable_guild_select: 'true' }, true],
  [{ guild_id: '1', disable_guild_select: 'True' }, true],
  [{ guild_id: '1', disable_guild_select: '1' }, true],
  [{ guild_id: '1', disable_guild_select: 'false' }, false],
  [{ guild_id: '1', disable_guild_select: '' }, false],
  [{ guild_id: '1' }, false],
  [{ disable_guild_select: 'true' }, false],
])('the guild of %j is fixed: %s', (query, expected) => {
  expect(isGuildFixed({ client_id: '2', ...query })).toBe(expected);
});

const known = (redirect_uris: string[] = ['https://app.example/cb']): KnownApplication => ({
  origin: 'fixture',
  record: { ...newApplication('2', 'App'), redirect_uris },
});
const read = (query: Partial<WebQuery>, application: KnownApplication | undefined = known()) =>
  readWebRequest(
    { client_id: '2', ...query },
    (id) => (id === '2' ? application : undefined),
    'a page in Chrome',
  );

it('the request of a browser has all parts of its query', () => {
  const application = known();
  const query = {
    scope: 'identify  rpc+bot',
    redirect_uri: 'https://app.example/cb',
    response_type: 'token',
    state: 's',
    prompt: 'none',
    nonce: 'n',
    code_challenge: 'c',
    code_challenge_method: 'S256',
    integration_type: '1',
    guild_id: '5',
    permissions: '8',
    channel_id: '7',
    disable_guild_select: 'true',
  };
  expect(read(query, application)).toEqual({
    responseType: 'token',
    redirectUri: 'https://app.example/cb',
    known: application,
    isGuildFixed: true,
    transport: 'web https://app.example',
    program: 'a page in Chrome that leads to https://app.example',
    options: {
      clientId: '2',
      scopes: ['identify', 'rpc', 'bot'],
      codeChallenge: 'c',
      codeChallengeMethod: 'S256',
      state: 's',
      nonce: 'n',
      integrationType: 1,
      prompt: 'none',
      redirectUri: 'https://app.example/cb',
      guildId: '5',
      permissions: '8',
      webhookChannelId: '7',
    },
  });
});

it.each<[scope: string, query: Partial<WebQuery>, redirectUri: string | undefined, type: string]>([
  ['bot', {}, undefined, 'none'],
  ['bot applications.commands', {}, undefined, 'none'],
  ['applications.commands', {}, undefined, 'none'],
  ['bot identify', {}, 'https://app.example/cb', 'code'],
  ['', {}, 'https://app.example/cb', 'code'],
  ['bot', { response_type: 'code' }, 'https://app.example/cb', 'code'],
  ['bot', { redirect_uri: 'https://app.example/cb' }, 'https://app.example/cb', 'code'],
  ['identify', { response_type: 'token' }, 'https://app.example/cb', 'token'],
])('the answer to a request for "%s" with %j goes to %s', (scope, query, redirectUri, responseType) => {
  const request = read({ scope, ...query });
  expect([request.redirectUri, request.responseType]).toEqual([redirectUri, responseType]);
  expect(formTargets(request)).toEqual(redirectUri === undefined ? [] : ['https://app.example']);
  if (redirectUri !== undefined) return;
  expect([request.transport, request.program]).toEqual(['web', 'a page in Chrome']);
});

it.each<[what: string, query: Partial<WebQuery>, addresses: string[], message: string, isAdvised: boolean]>([
  ['another application', { client_id: '3' }, [], 'unauthorized_client: Unknown application.', false],
  ['no address', {}, [], 'invalid_request: Missing "redirect_uri" in request.', true],
  [
    'no address, of two',
    {},
    ['https://a.example/cb', 'https://b.example/cb'],
    'invalid_request: Missing "redirect_uri" in request.',
    true,
  ],
  [
    'an unregistered address',
    { redirect_uri: 'https://b.example/cb' },
    ['https://a.example/cb'],
    'invalid_request: Invalid "redirect_uri" in request.',
    true,
  ],
  [
    'another type of answer',
    { response_type: 'id_token' },
    ['https://a.example/cb'],
    'invalid_request: Invalid "response_type" in request.',
    false,
  ],
])('a request with %s is refused on the page', (_, query, addresses, message, isAdvised) => {
  let error: unknown;
  try {
    read(query, known(addresses));
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(OAuth2Error);
  const { message: text, advice } = error as OAuth2Error;
  expect(text).toBe(message);
  if (isAdvised) expect(advice).toMatch(/^It has to stand in redirect_uris .* is of this machine\.$/);
  else expect(advice).toBeUndefined();
});

it.each<[text: string | undefined, number: number | undefined]>([
  [undefined, undefined],
  ['0', 0],
  ['999', 999],
  ['1000', Number.NaN],
  ['', Number.NaN],
  ['1x', Number.NaN],
  ['x1', Number.NaN],
])('the integration type %j is read as %j', (integration_type, number) => {
  expect(read({ integration_type }).options.integrationType).toBe(number);
});

it('an address with a scheme of its own is named by that scheme', () => {
  const request = read({ redirect_uri: 'com.example.game:/cb' }, known(['com.example.game:/cb']));
  expect(request.transport).toBe('web com.example.game:');
  expect(formTargets(request)).toEqual(['com.example.game:']);
});

it.each<[what: string, query: Partial<WebQuery>, answer: Record<string, string | number>, address: string]>([
  ['a code', {}, { code: 'c d' }, 'https://app.example/cb?code=c+d'],
  ['a code and a state', { state: 's&t' }, { code: 'c' }, 'https://app.example/cb?code=c&state=s%26t'],
  [
    'a token and a state',
    { response_type: 'token', state: 's' },
    { access_token: 't', expires_in: 9 },
    'https://app.example/cb#access_token=t&expires_in=9&state=s',
  ],
  ['an addition without an answer', { scope: 'bot', state: 's' }, { code: 'c' }, '/oauth2/authorized'],
  [
    'an error without an address',
    { scope: 'bot' },
    { error: 'access_denied' },
    '/oauth2/authorized?error=access_denied',
  ],
])('the browser goes to the address of its answer: %s', (_, query, answer, location) => {
  expect(answerAddress(read(query), answer)).toBe(location);
});
