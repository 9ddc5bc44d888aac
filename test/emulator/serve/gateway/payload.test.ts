import { expect, it } from 'vitest';
import type { GatewayFault } from '../../../../src/emulator/serve/gateway/codes.ts';
import { commands, readData, readPayload } from '../../../../src/emulator/serve/gateway/payload.ts';

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

const fault = (data: Uint8Array): unknown => {
  try {
    return readPayload(data).op;
  } catch (error) {
    const { code, message } = error as GatewayFault;
    return [code, message];
  }
};
const decode = (why: string) => [4002, `Error while decoding payload: ${why}`];

it.each<[text: string, outcome: unknown]>([
  ['null', decode('not an object')],
  ['5', decode('not an object')],
  ['"x"', decode('not an object')],
  ['[{"op":1}]', decode('not an object')],
  ['', decode('it is not JSON')],
  ['{', decode('it is not JSON')],
  ['{}', decode('"op" is not a whole number')],
  ['{"op":"1"}', decode('"op" is not a whole number')],
  ['{"op":1.5}', decode('"op" is not a whole number')],
  ['{"op":null}', decode('"op" is not a whole number')],
  ...[0, 5, 7, 9, 10, 11, 12, 30, 32, 42, 44, -1].map((op): [string, unknown] => [
    `{"op":${op}}`,
    [4001, `Unknown opcode: clients do not send ${op}`],
  ]),
  ...[1, 2, 3, 4, 6, 8, 31, 43].map((op): [string, unknown] => [`{"op":${op}}`, op]),
  [`{"op":1}${' '.repeat(4088)}`, 1],
  [`{"op":1}${' '.repeat(4089)}`, decode('a payload has at most 4096 bytes')],
])('readPayload of %j', (text, outcome) => {
  expect(fault(Buffer.from(text))).toEqual(outcome);
});

it('readPayload refuses bytes that are not UTF-8', () => {
  expect(fault(Buffer.from('{"op":1,"d":"\xff"}', 'latin1'))).toEqual(decode('it is not JSON'));
});

it.each<[name: keyof typeof commands, d: unknown, read: unknown]>([
  [
    'presence',
    { status: 'idle', activities: [null, { name: 'x' }] },
    { status: 'idle', activities: [{ name: 'x', type: 0 }] },
  ],
  [
    'presence',
    { status: null, game: { name: 'x', type: 3 } },
    { status: 'online', activities: [{ name: 'x', type: 3 }] },
  ],
  ['presence', { status: '', game: null }, { status: 'online', activities: [] }],
  [
    'presence',
    { status: 'dnd', activities: [], game: { name: 'x' }, since: null, afk: null },
    { status: 'dnd', activities: [] },
  ],
  ['resume', { token: 't', session_id: 's', seq: null }, { token: 't', session_id: 's', seq: 0 }],
  ['resume', { token: 't', session_id: 's', seq: 7 }, { token: 't', session_id: 's', seq: 7 }],
  [
    'voiceState',
    { guild_id: '5', channel_id: null },
    { guild_id: '5', channel_id: null, self_mute: false, self_deaf: false },
  ],
  [
    'voiceState',
    { guild_id: '5', channel_id: '6', self_mute: true, self_deaf: null },
    { guild_id: '5', channel_id: '6', self_mute: true, self_deaf: false },
  ],
  ['callState', { channel_id: '6' }, { channel_id: '6', self_mute: false, self_deaf: false }],
  [
    'requestMembers',
    { guild_id: ['5'], user_ids: [6, '7'], nonce: 8 },
    { guild_id: '5', user_ids: ['6', '7'], nonce: '8' },
  ],
  [
    'requestMembers',
    { guild_id: '5', query: null, limit: null },
    { guild_id: '5', query: null, limit: null },
  ],
  ['requestChannelInfo', { guild_id: '5', fields: [] }, { guild_id: '5', fields: [] }],
])('the data of %s in %j', (name, d, read_) => {
  expect(readData(commands[name], d)).toEqual(read_);
});

it.each<[name: keyof typeof commands, d: unknown, path: string]>([
  ['presence', {}, 'd.status'],
  ['presence', { status: 'away' }, 'd.status'],
  ['identify', { token: 5, properties: {} }, 'd.token'],
  ['identify', { token: 'x' }, 'd.properties'],
  ['identify', { token: 'x', properties: {}, shard: ['0'] }, 'd.shard.0'],
  [
    'identify',
    { token: 'x', properties: {}, presence: { activities: [{}] } },
    'd.presence.activities.0.name',
  ],
  ['requestMembers', { guild_id: ['5', '6'] }, 'd.guild_id'],
  ['requestMembers', { guild_id: [] }, 'd.guild_id'],
  ['resume', { token: 'x', session_id: 'y', seq: 1.5 }, 'd.seq'],
  ['requestSounds', { guild_ids: ['5', 'x'] }, 'd.guild_ids.1'],
])('the data of %s in %j are refused at %s', (name, d, path) => {
  expect(() => readData(commands[name], d)).toThrow(
    expect.objectContaining({
      code: 4002,
      message: expect.stringMatching(`^Error while decoding payload: ${path.replaceAll('.', '\\.')}: .`),
    }),
  );
});
