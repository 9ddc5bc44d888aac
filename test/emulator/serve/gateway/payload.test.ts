import { expect, it } from 'vitest';
import { readPayload } from '../../../../src/emulator/serve/gateway/payload.ts';

const read = (data: string): unknown => readPayload(Buffer.from(`{"op":3,"d":${data}}`)).d;

it('readPayload reads a numeric id as text, and everything else unchanged [W-2]', () => {
  expect(read('{"guild_id":400000000000000001,"user_ids":[200000000000000003, 200000000000000005]}')).toEqual(
    {
      guild_id: '400000000000000001',
      user_ids: ['200000000000000003', '200000000000000005'],
    },
  );
  for (const same of [
    '{"since":1700000000000,"half":0.1234567890123456789,"large":12345678901234567e3}',
    '["no 400000000000000001 in words", "\\\\", "\\" 400000000000000001"]',
    '-1',
  ]) {
    expect(read(same)).toEqual(JSON.parse(same));
  }
});

it('readPayload refuses a large number that is not JSON', () => {
  for (const broken of [
    '4000000000000000010x',
    '"400000000000000001',
    '[400000000000000001',
    '04000000000000000010',
  ])
    expect(() => read(broken)).toThrow('it is not JSON');
});
