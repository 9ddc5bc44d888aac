import { expect, it } from 'vitest';
import { isGuildFixed } from '../../../../../src/emulator/accounts/oauth2/pages/web-request.ts';

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
