import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { payloadText } from '../../../../src/emulator/serve/gateway/payload-text.ts';

const EVENTS = new Map([['NUDGE', z.object({ who: z.string() })]]);
const shown = (payload: object, direction: 'in' | 'out'): unknown =>
  JSON.parse(payloadText(JSON.stringify(payload), direction, EVENTS));

describe('the text of a gateway payload in the journal', () => {
  it('of an event has what the event declares', () => {
    const text = shown({ t: 'NUDGE', s: 3, op: 0, d: { who: 'otter', other: 'x' } }, 'out');
    expect(text).toMatchObject({ t: 'NUDGE', s: 3, op: 0, d: { who: 'otter' } });
    expect(JSON.stringify(text)).not.toContain('"x"');
  });

  it('of an unknown event has nothing but its number', () => {
    const text = JSON.stringify(shown({ t: 'OTHER', s: 3, op: 0, d: { who: 'otter' } }, 'out'));
    expect(text).toContain('"op":0');
    expect(text).toContain('"s":3');
    expect(text).not.toMatch(/otter|OTHER/);
  });

  it('of HELLO has the interval of heartbeats', () => {
    expect(shown({ t: null, s: null, op: 10, d: { heartbeat_interval: 41_250 } }, 'out')).toMatchObject({
      op: 10,
      d: { heartbeat_interval: 41_250 },
    });
    expect(
      JSON.stringify(shown({ t: null, s: null, op: 11, d: { heartbeat_interval: 41_250 } }, 'out')),
    ).not.toContain('41250');
  });

  it.each([
    [
      { op: 1, d: 7 },
      { op: 1, d: 7 },
    ],
    [
      { op: 2, d: { intents: 3, shard: [0, 1], properties: { os: 'linux' } } },
      { op: 2, d: { intents: 3, shard: [0, 1], properties: { os: 'linux' } } },
    ],
    [
      { op: 3, d: { status: 'idle', afk: true } },
      { op: 3, d: { status: 'idle', afk: true } },
    ],
    [
      { op: 4, d: { channel_id: '5', self_mute: true } },
      { op: 4, d: { channel_id: '5', self_mute: true } },
    ],
    [
      { op: 6, d: { seq: 4 } },
      { op: 6, d: { seq: 4 } },
    ],
    [
      { op: 8, d: { guild_id: '5', limit: 3 } },
      { op: 8, d: { guild_id: '5', limit: 3 } },
    ],
    [
      { op: 31, d: { guild_ids: ['5'] } },
      { op: 31, d: { guild_ids: ['5'] } },
    ],
    [
      { op: 43, d: { guild_id: '5', fields: ['status'] } },
      { op: 43, d: { guild_id: '5' } },
    ],
  ])('of a client’s %j has what the command declares', (payload, expected) => {
    expect(shown(payload, 'in')).toMatchObject(expected);
  });

  it('of a client has no token, and nothing of an opcode that no client sends', () => {
    const text = JSON.stringify([
      shown({ op: 2, d: { token: 'kept-secret' } }, 'in'),
      shown({ op: 99, s: 12_345, d: { who: 'otter' } }, 'in'),
      shown({ op: 0, t: 'NUDGE', d: { nobody: 'otter' } }, 'in'),
      shown({ op: 'toString', d: 5_555 }, 'in'),
    ]);
    expect(text).not.toMatch(/kept-secret|otter|99|5555|toString/);
  });
});
