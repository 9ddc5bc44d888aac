import { expect, it } from 'vitest';
import { withDeputies } from '../../../../../src/emulator/accounts/oauth2/storage/deputies.ts';
import type { StoredFamily } from '../../../../../src/emulator/accounts/oauth2/tokens.ts';
import type { Grant } from '../../../../../src/emulator/accounts/oauth2/types.ts';

const grant: Grant = {
  id: 'g',
  userId: '1',
  clientId: '2',
  transport: 'client credentials',
  scopes: ['identify', 'guilds'],
  always: false,
  decidedBy: { kind: 'secret' },
  grantedAt: 1,
};
const family: StoredFamily = {
  id: 'f',
  userId: '1',
  clientId: '2',
  scopes: ['identify'],
  issuedAt: 1,
  access: [],
  refresh: { hash: 'h', expires: 2 },
  spent: [],
};

it.each<[what: string, grants: readonly Grant[], deputy: string | undefined]>([
  ['one for the secret', [grant], 'secret'],
  ['two for the secret', [grant, { ...grant, id: 'h' }], 'secret'],
  ['none', [], undefined],
  ['one for the secret and one of the user', [grant, { ...grant, transport: 'ipc' }], undefined],
  ['one of the user', [{ ...grant, decidedBy: { kind: 'person', via: 'test' } }], undefined],
  ['one over another transport', [{ ...grant, transport: 'ipc' }], undefined],
  ['one of another user', [{ ...grant, userId: '9' }], undefined],
  ['one of another application', [{ ...grant, clientId: '9' }], undefined],
  ['one for fewer scopes', [{ ...grant, scopes: ['guilds'] }], undefined],
  [
    'one for the secret and one of another user',
    [grant, { ...grant, userId: '9', transport: 'ipc' }],
    'secret',
  ],
  [
    'one for the secret and one of another application',
    [grant, { ...grant, clientId: '9', transport: 'ipc' }],
    'secret',
  ],
  [
    'one for the secret and one for fewer scopes',
    [grant, { ...grant, scopes: [], transport: 'ipc' }],
    'secret',
  ],
])('tokens without a deputy get one by their grants: %s', (_, grants, deputy) => {
  expect(withDeputies({ grants, tokens: [family], keys: [] })).toEqual([
    deputy === undefined ? family : { ...family, deputy },
  ]);
});

it('tokens with a deputy keep it', () => {
  const tokens = [{ ...family, deputy: 'publisher' as const }];
  expect(withDeputies({ grants: [grant], tokens, keys: [] })).toEqual(tokens);
});
