import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Client } from '../../src/sdk/index.ts';

const readme = readFileSync(new URL('../../.github/guide/sdk-reference.md', import.meta.url), 'utf8');
const table = readme.slice(readme.indexOf('## Every name that is stated'));

/** Entry points of the client, as they are stated. */
const entryPoints = [
  ...[
    'Authorize',
    'GetToken',
    'UpdateToken',
    'RevokeToken',
    'UnmergeIntoProvisionalAccount',
    'ExchangeChildToken',
  ],
  ...['CreateAuthorizationCodeVerifier', 'GetDefaultCommunicationScopes', 'GetDefaultPresenceScopes'],
  ...[
    'SetApplicationId',
    'RegisterAuthorizeRequestCallback',
    'RemoveAuthorizeRequestCallback',
    'GetVoiceSettings',
  ],
  ...[
    'SetVoiceSettingsUpdatedCallback',
    'SetHttpRequestTimeout',
    'UpdateRichPresence',
    'GetLobbyMessagesWithLimit',
  ],
  ...['GetUserMessagesWithLimit', 'GetUserMessageSummaries', 'GetCurrentUserV2', 'GetCurrentUser'],
  ...['GetRelationshipsByGroup', 'JoinLinkedLobbyGuild', 'GetGuildChannels', 'CreateOrJoinLobbyWithMetadata'],
  ...[
    'SetActivityInviteCreatedCallback',
    'SendActivityInvite',
    'AcceptActivityInvite',
    'SendActivityJoinRequest',
    'SendActivityJoinRequestReply',
    'SetRelationshipGroupsUpdatedCallback',
    'RefreshToken',
    'AbortAuthorize',
  ],
  ...['ClearRichPresence', 'AddLogCallback', 'StartCall', 'EndCall', 'EndCalls', 'GetCall', 'GetCalls'],
];
const otherNames = [
  ...['AuthorizationArgs', 'ClientId', 'Scopes', 'State', 'Nonce', 'CodeChallenge', 'IntegrationType'],
  ...[
    'CustomSchemeParam',
    'AuthorizationCodeChallenge',
    'AuthorizationCodeVerifier',
    'VoiceSettings',
    'nullobj',
  ],
  ...[
    'AUTHORIZE_REQUEST',
    'inviteCoverImage',
    'activity.name',
    'state_url',
    'details_url',
    'large_url',
    'small_url',
  ],
  ...['MessageHandle::AdditionalName', 'ModerationMetadata', 'applicationId', 'ApplicationId'],
];

it.each([...entryPoints, ...otherNames])('the reference table lists %s', (name) => {
  expect(table).toMatch(new RegExp(`\\b${name}\\b`));
});

it.each(entryPoints)('the client has the method %s', (name) => {
  expect(new Client('', '')).toHaveProperty(name, expect.any(Function));
});

it('the reference table names every entry point of the client [W-5]', () => {
  const names: string[] = [];
  for (let at: object = Client.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    names.push(...Object.getOwnPropertyNames(at));
  // Names that differ by who is meant stand in one row.
  const missing = names.filter((name) => name !== 'constructor' && !new RegExp(`\\b${name}\\b`).test(table));
  expect(missing.filter((name) => !/^(Reject|Cancel|Send)\w+Friend|^SetLobby/.test(name))).toEqual([]);
});

it('a test title quotes every row of the tables of authorization arguments and scopes', () => {
  const quoted = readdirSync(new URL('.', import.meta.url))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
    // In the title of a test or of a group.
    .flatMap((text) => [
      ...text.matchAll(/(?:it|describe)(?:\.\w+(?:<[^>]*>)?\([\s\S]*?\))?\(\s*['`]([^\n]*)/g),
    ])
    .flatMap(([, title = '']) => title.match(/\b[A-Z]-\d+\b/g) ?? []);
  const rows = Array.from({ length: 14 }, (_, n) => `A-${n + 1}`);
  expect(rows.filter((row) => !quoted.includes(row))).toEqual([]);
});

it('the reference names the SDK release that the client follows', () => {
  expect(readme).toContain('follows SDK release **1.10**');
});
