import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Client, ErrorType } from '../../src/sdk/index.ts';

const readme = readFileSync(new URL('../../src/sdk/README.md', import.meta.url), 'utf8');
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
    'SetRelationshipGroupsUpdatedCallback',
    'RefreshToken',
    'AbortAuthorize',
  ],
  ...['ClearRichPresence', 'AddLogCallback'],
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

it.each([...entryPoints, ...otherNames])('the table states what has become of %s', (name) => {
  expect(table).toMatch(new RegExp(`\\b${name}\\b`));
});

it.each(entryPoints)('%s is there', (name) => {
  expect(new Client('', '')).toHaveProperty(name, expect.any(Function));
});

it('says NotSupported of exactly the entry points that answer so', async () => {
  const stated = [...table.matchAll(/^\| `Client::(\w+)` \| answers `NotSupported`/gm)].map(
    ([, name]) => name,
  );
  const client = new Client('', '') as unknown as Record<
    string,
    () => Promise<{ result: { Type(): number } }>
  >;
  for (const name of stated)
    expect((await client[name ?? '']?.())?.result.Type(), name).toBe(ErrorType.NotSupported);
  expect(stated).toHaveLength(6);
});

it('every row of the tables of authorization arguments and scopes is quoted by a test', () => {
  const quoted = readdirSync(new URL('.', import.meta.url))
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
    // In the title of a test or of a group.
    .flatMap((text) => [
      ...text.matchAll(/(?:it|describe)(?:\.\w+(?:<[^>]*>)?\([\s\S]*?\))?\(\s*['`]([^\n]*)/g),
    ])
    .flatMap(([, title = '']) => title.match(/\b[A-Z]-\d+\b/g) ?? []);
  const rows = Array.from({ length: 14 }, (_, n) => `A-${n + 1}`);
  expect(rows.filter((row) => !quoted.includes(row))).toEqual([]);
});

it('names the release that is followed', () => {
  expect(readme).toContain('It follows SDK release **1.10**');
});
