import { expect, it } from 'vitest';
import * as z from 'zod';
import { GatewayObserver } from '../../../../src/emulator/serve/gateway/observer.ts';
import type { FaultEffect } from '../../../../src/faults/fault.ts';
import { Faults } from '../../../../src/faults/faults.ts';
import { Journal } from '../../../../src/journal/journal.ts';

const EVENTS = new Map([['NUDGE', z.object({ who: z.string() })]]);

/** An observer of the gateway with one connection, and what the journal has. */
function observed() {
  const journal = new Journal();
  const faults = new Faults();
  const observer = new GatewayObserver(journal, faults, EVENTS);
  const done: unknown[] = [];
  const open = () => {
    const connection = observer.connection();
    return {
      connection,
      send: (text: string, application?: string) =>
        connection.sent(text, application, (sent, isSplit) => done.push([sent, isSplit]), {
          close: (code) => done.push(['close', code]),
          reconnect: () => done.push(['reconnect']),
        }),
    };
  };
  const entries = () =>
    journal
      .read({})
      .entries.map(({ ...entry }) => entry as { readonly kind: string; readonly text?: string });
  return { journal, faults, open, entries, take: () => done.splice(0) };
}

it('the journal has each connection of the gateway, its payloads both ways and its end', () => {
  const { open, entries, take, journal } = observed();
  const [one, other] = [open(), open()];
  one.send('{"t":"NUDGE","s":1,"op":0,"d":{"who":"otter"}}');
  other.connection.received(Buffer.from('{"op":1,"d":5}'));
  one.connection.ended();
  expect(take()).toEqual([['{"t":"NUDGE","s":1,"op":0,"d":{"who":"otter"}}', false]]);
  expect(entries()).toMatchObject([
    { kind: 'connect', session: 'g1', over: 'gateway' },
    { kind: 'connect', session: 'g2', over: 'gateway' },
    { kind: 'gateway', session: 'g1', direction: 'out', bytes: 46 },
    { kind: 'gateway', session: 'g2', direction: 'in', text: '{"op":1,"d":5}', bytes: 14 },
    { kind: 'end', session: 'g1' },
  ]);
  const [, , out] = entries();
  expect(JSON.parse(out?.text ?? '')).toEqual({ t: 'NUDGE', s: 1, op: 0, d: { who: 'otter' } });
  // While it is off, nothing is kept.
  journal.turn('off');
  one.send('{}');
  other.connection.received(Buffer.from('{"op":1,"d":5}'));
  journal.turn('on');
  expect(entries().filter(({ kind }) => kind === 'gateway')).toEqual([]);
});

it.each<[effect: FaultEffect, what: string, done: readonly unknown[]]>([
  [
    { kind: 'close', code: 4000 },
    'closes with 4000 in the place of a payload of the gateway',
    [['close', 4000]],
  ],
  [{ kind: 'drop' }, 'drop: a payload of the gateway', []],
  [{ kind: 'reconnect' }, 'reconnect: a payload of the gateway', [['reconnect'], ['{}', false]]],
  [{ kind: 'split' }, 'split: a payload of the gateway', [['{}', true]]],
  [{ kind: 'delay', ms: 1 }, 'delay by 1 ms: a payload of the gateway', [['{}', false]]],
  [
    { kind: 'slow', bytesPerSecond: 9000 },
    'slow, 9000 bytes a second: a payload of the gateway',
    [['{}', false]],
  ],
])('the journal has the fault %j of a payload', async (effect, what, expected) => {
  const { faults, open, entries, take } = observed();
  const { id } = faults.add({ effect, where: { on: 'gateway' }, application: '7', count: 1 });
  const { send } = open();
  send('{}', '8');
  send('{}');
  expect(take()).toEqual([
    ['{}', false],
    ['{}', false],
  ]);
  send('{}', '7');
  const found: unknown[] = [];
  await expect.poll(() => found.push(...take()) && found.length).toBeGreaterThanOrEqual(expected.length);
  expect(found).toEqual(expected);
  expect(entries()).toContainEqual(
    expect.objectContaining({ kind: 'fault', fault: id, session: 'g1', what }),
  );
});
