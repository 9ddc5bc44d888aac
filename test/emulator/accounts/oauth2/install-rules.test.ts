import { describe, expect, it } from 'vitest';
import {
  checkNoWebhook,
  checkWebhook,
  describeWebhook,
  requestsWebhook,
} from '../../../../src/emulator/accounts/oauth2/incoming.ts';
import {
  checkInstall,
  describeInstall,
  isForGuild,
  readPermissions,
} from '../../../../src/emulator/accounts/oauth2/install.ts';
import type { Installer } from '../../../../src/emulator/accounts/oauth2/installer.ts';
import type { WebhookMaker } from '../../../../src/emulator/accounts/oauth2/webhook-maker.ts';
import { ALL_PERMISSIONS, bitsOf } from '../../../../src/emulator/kernel/permission-bits.ts';

describe('an installation in a guild', () => {
  it.each<[scopes: string[], type: number | undefined, expected: boolean]>([
    [['bot'], undefined, true],
    [['identify', 'bot'], 1, true],
    [['applications.commands'], undefined, true],
    [['applications.commands'], 0, true],
    [['applications.commands'], 1, false],
    [['identify'], 0, false],
    [[], undefined, false],
  ])('follows from the scopes %j with the integration type %j: %s', (scopes, type, expected) => {
    expect(isForGuild(scopes, type)).toBe(expected);
  });

  it.each<[written: string | number | undefined, bits: bigint]>([
    [undefined, 0n],
    ['', 0n],
    ['0', 0n],
    ['8', 8n],
    [1024, 1024n],
    ['140737488355336', 8n],
    ['99999999999999999999', 99_999_999_999_999_999_999n & ALL_PERMISSIONS],
  ])('has permissions by their bits: %j', (written, bits) => {
    expect(readPermissions(written)).toBe(bits);
  });

  it.each(['x', '-1', '1.5', '0x8', ' 8', '8 ', '999999999999999999999', 1.5, -1, Number.NaN])(
    'has no permissions %j',
    (written) => {
      expect(() => readPermissions(written)).toThrow('invalid_request: Invalid "permissions" in request.');
    },
  );

  /** An installer for the guild 5 and the user 1; the application 9 has no bot. */
  const installer = {
    mayInstall: (userId: string, guildId: string) => userId === '1' && guildId === '5',
    checkBot(clientId: string) {
      if (clientId === '9') throw new Error('no bot');
    },
  } as unknown as Installer;
  const options = { clientId: '2', guildId: '5', permissions: '8' };

  it.each<[what: string, more: object, expected: unknown]>([
    ['with a bot', { scopes: ['bot'] }, { guildId: '5', permissions: 8n }],
    ['with commands', { scopes: ['applications.commands'] }, { guildId: '5', permissions: 8n }],
    ['without permissions', { scopes: ['bot'], permissions: undefined }, { guildId: '5', permissions: 0n }],
    [
      'with commands, without a bot',
      { scopes: ['applications.commands'], clientId: '9' },
      { guildId: '5', permissions: 8n },
    ],
    [
      'with commands for the user alone',
      { scopes: ['applications.commands'], integrationType: 1 },
      undefined,
    ],
    ['with commands, without a guild', { scopes: ['applications.commands'], guildId: undefined }, undefined],
    ['with neither', { scopes: ['identify'], permissions: 'x' }, undefined],
  ])('is requested or not: %s', (_, more, expected) => {
    const all = { ...options, integrationType: undefined, scopes: [], ...more };
    expect(checkInstall(all, '1', installer)).toEqual(expected);
  });

  it.each<[what: string, more: object, userId: string, message: string]>([
    [
      'a bot for a user alone',
      { integrationType: 1 },
      '1',
      'invalid_request: Invalid "integration_type" in request: a bot joins guilds.',
    ],
    [
      'a bot without a guild',
      { guildId: undefined },
      '1',
      'invalid_request: Missing "guild_id" in request: the user is not asked for a guild.',
    ],
    ['invalid permissions', { permissions: 'x' }, '1', 'invalid_request: Invalid "permissions" in request.'],
    [
      'a guild of others',
      { guildId: '6' },
      '1',
      'access_denied: The user may not add applications to this guild.',
    ],
    ['a user without the right', {}, '7', 'access_denied: The user may not add applications to this guild.'],
    ['an application without a bot', { clientId: '9' }, '1', 'no bot'],
  ])('is refused for %s', (_, more, userId, message) => {
    const all = { ...options, integrationType: undefined, scopes: ['bot'], ...more };
    expect(() => checkInstall(all, userId, installer)).toThrow(message);
  });

  it.each<[scope: 'bot' | 'applications.commands', bits: bigint, text: string]>([
    ['applications.commands', 8n, 'Add its commands to the guild "River"'],
    ['bot', 0n, 'Add its bot to the guild "River", with no permission of its own'],
    ['bot', bitsOf('VIEW_CHANNEL', 'KICK_MEMBERS'), 'Add its bot to the guild "River", where it may '],
  ])('is described to the user: %s with %i', (scope, bits, text) => {
    const description = describeInstall(scope, 'River', bits);
    expect(description.startsWith(text)).toBe(true);
    if (!text.endsWith(' ')) expect(description).toBe(text);
    else expect(description.slice(text.length).split(', ')).toHaveLength(2);
  });
});

describe('the webhook of an authorization', () => {
  const general = { id: '7', guild: '5', name: '#general of River' };
  const maker = {
    channelsOf: (userId: string) => (userId === '1' ? [{ ...general, id: '6' }, general] : []),
  } as unknown as WebhookMaker;

  it('is requested by its scope alone', () => {
    expect([['identify', 'webhook.incoming'], ['identify'], []].map(requestsWebhook)).toEqual([
      true,
      false,
      false,
    ]);
    expect(() => checkNoWebhook(['identify'], 'A device')).not.toThrow();
    expect(() => checkNoWebhook(['webhook.incoming'], 'A device')).toThrow(
      'invalid_scope: A device cannot ask for: webhook.incoming.',
    );
    expect(describeWebhook('#general of River')).toBe('Create a webhook in #general of River');
  });

  it('is made in a channel of the user, which the request names', () => {
    const scopes = ['webhook.incoming'];
    expect(checkWebhook({ scopes, webhookChannelId: '7' }, '1', maker)).toEqual(general);
    expect(checkWebhook({ scopes: ['identify'], webhookChannelId: '7' }, '1', maker)).toBeUndefined();
    expect(() => checkWebhook({ scopes, webhookChannelId: undefined }, '1', maker)).toThrow(
      'invalid_request: Missing "webhook_channel_id" in request: the user is not asked for a channel.',
    );
    for (const [webhookChannelId, userId] of [
      ['8', '1'],
      ['7', '2'],
    ] as const) {
      expect(() => checkWebhook({ scopes, webhookChannelId }, userId, maker)).toThrow(
        'access_denied: The user may not make webhooks in this channel.',
      );
    }
  });
});
