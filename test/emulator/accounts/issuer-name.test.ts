import { describe, expect, it } from 'vitest';
import { issuerFault } from '../../../src/emulator/accounts/issuer-name.ts';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import { parseFixture } from '../../../src/emulator/compose/fixture/toml.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { patch } from '../../helpers/patched.ts';

describe('an issuer [U-6]', () => {
  it.each([
    'https://id.example.com',
    'https://id.example.com/',
    'https://id.example.com:8443/realms/game',
    'https://xn--bcher-kva.example',
    'https://a_b.example.com',
    'https://local.example',
    'https://1e100.net',
  ])('may be %s', (issuer) => {
    expect(issuerFault(issuer)).toBeUndefined();
  });

  it.each([
    ['http://id.example.com', 'is http:'],
    ['file:///etc/passwd', 'is file:'],
    ['ftp://id.example.com', 'is ftp:'],
    ['id.example.com', 'is no address'],
    ['https://', 'is no address'],
    ['https://id.example.com/?a', 'has a query'],
    ['https://id.example.com?', 'has a query'],
    ['https://id.example.com/#a', 'has a fragment'],
    ['https://id.example.com#', 'has a fragment'],
    ['https://me@id.example.com', 'user name'],
    ['https://me:secret@id.example.com', 'user name'],
    ['https://@id.example.com', 'user name'],
    ['https://id.example.com\\@evil.example', 'character'],
    ['https://id.example.com\t', 'character'],
    [' https://id.example.com', 'character'],
    ['https://id .example.com', 'character'],
    ['https://localhost', 'one label'],
    ['https://intranet:8443', 'one label'],
    ['https://idp.local', 'ends in .local'],
    ['https://idp.LOCAL', 'ends in .local'],
    ['https://idp.internal', 'ends in .internal'],
    ['https://idp.localhost', 'ends in .localhost'],
    ['https://1.0.0.127.in-addr.arpa', 'ends in .arpa'],
    ['https://idp.local.', 'label'],
    ['https://id..example.com', 'label'],
    ['https://-id.example.com', 'label'],
    ['https://127.0.0.1', 'IP address'],
    ['https://192.168.1.1:8443', 'IP address'],
    ['https://[::1]', 'IP address'],
    ['https://[::ffff:127.0.0.1]', 'IP address'],
    ['https://2130706433', 'IP address'],
    ['https://0x7f.1', 'IP address'],
    ['https://0177.0.0.1', 'IP address'],
    ['https://127.1', 'IP address'],
    ['https://127.0.0.1.', 'IP address'],
    ['https://１２７.0.0.1', 'character'],
    ['https://127。0。0。1', 'character'],
    ['https://%31%32%37.0.0.1', 'IP address'],
    ['https://%69d.example.com', 'in disguise'],
    ['https://bücher.example', 'character'],
    ['https:id.example.com', 'disguise'],
    ['https:///id.example.com', 'disguise'],
    [`https://${'a.'.repeat(1200)}example.com`, 'longer than 2048'],
  ])('may not be %s', (issuer, reason) => {
    expect(issuerFault(issuer)).toContain(reason);
    const row = { application: ids.harbourExample, issuer };
    expect(() => patch(defaultFixture(), { external_issuers: [row] })).toThrow(/external_issuers.*issuer/);
    const identity = {
      application: ids.harbourExample,
      provider: issuer,
      external_user_id: '7',
      user: 'otter',
    };
    expect(() => patch(defaultFixture(), { external_identities: [identity] })).toThrow(/provider/);
  });

  it('stores its key set as JSON, and accepts no other value', async () => {
    const row = { application: ids.harbourExample, issuer: 'https://id.example.com', jwks: { keys: [] } };
    expect(patch(defaultFixture(), { external_issuers: [row] }).fixture.external_issuers).toEqual([
      { ...row, client_id: null, discovery: null },
    ]);
    for (const jwks of [[], 'x', 7, { n: 7n }, { long: 'x'.repeat(65_536) }]) {
      expect(() => patch(defaultFixture(), { external_issuers: [{ ...row, jwks }] })).toThrow(/jwks/);
    }
    // A date of TOML is none of JSON.
    const dated = `me = "1"
users = [{ id = "1", username = "a" }]
external_issuers = [{ application = "7", issuer = "https://id.example.com", jwks = { at = 2030-01-01 } }]`;
    await expect(parseFixture(dated, 'f')).rejects.toThrow(/jwks: must be an object of texts/);
  });
});
