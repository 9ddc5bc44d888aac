import { describe, expect, it } from 'vitest';
import { Holding } from '../../../../src/emulator/kernel/state/holding.ts';
import {
  ENDLESS,
  ENTRY_BYTES,
  formatMebibytes,
  NoRoomError,
  Room,
  type RoomUse,
} from '../../../../src/emulator/kernel/state/room.ts';
import { bytesOf, textBytes } from '../../../../src/emulator/kernel/state/row-bytes.ts';

const MIB = 1024 * 1024;
const KIB = 1024;

/** A room with three different limits. */
const small = () => new Room({ soft: 1000, hard: 1200, whole: 3200 });

const nothing: RoomUse = { used: 0, aside: 0, reserved: 0, removed: 0 };

/** Puts a row of exactly this size into the reset snapshot. */
function keepAside(room: Room, bytes: number): void {
  const row = { text: 'x'.repeat(bytes - bytesOf({ text: 'x'.repeat(100) }) + 100) };
  expect(bytesOf(row)).toBe(bytes);
  room.retain([{ row, isInForce: false }]);
}

describe('a holding', () => {
  it('counts shared rows only as far as rows have been removed since it began', () => {
    const holding = new Holding(500);
    holding.share(100);
    holding.share(50);
    expect([500, 530, 650, 651].map((removed) => holding.bytes(removed))).toEqual([0, 30, 150, 150]);
  });

  it('counts what it took and what is pending in full', () => {
    const holding = new Holding(0);
    holding.take(70);
    holding.take(7);
    holding.pending = 20;
    expect([holding.own, holding.pending, holding.bytes(0)]).toEqual([97, 20, 97]);
    holding.pending = 5;
    expect([holding.own, holding.bytes(9)]).toEqual([82, 82]);
  });
});

describe('the room', () => {
  it('without limits always has room', () => {
    const room = new Room();
    room.add(1e15);
    expect(room.limits).toBe(ENDLESS);
    expect(Object.values(ENDLESS)).toEqual([Infinity, Infinity, Infinity]);
    expect([room.free, room.available]).toEqual([Infinity, Infinity]);
    expect(() => room.need()).not.toThrow();
  });

  it('counts rows in force, rows aside, removed ones and states that are being read', () => {
    const room = small();
    const row = { text: 'x'.repeat(200) };
    const bytes = bytesOf(row) + ENTRY_BYTES;
    room.enter(row, bytes);
    expect(room.use).toEqual({ ...nothing, used: bytes });
    room.retain([{ row, isInForce: true }]);
    expect(room.use).toEqual({ ...nothing, used: bytes });
    const read = room.hold();
    read.share(bytes);
    room.leave(row, bytes);
    // An entry is no part of a row that is kept aside.
    expect(room.use).toEqual({ used: 0, aside: bytesOf(row), reserved: bytes, removed: bytes });
    room.release(read);
    room.release(read);
    room.enter(row, bytes);
    expect(room.use).toEqual({ used: bytes, aside: 0, reserved: 0, removed: bytes });
    room.takeBack({ ...nothing, removed: 3 });
    expect(room.use.removed).toBe(3);
    room.add(-bytes);
    expect(room.use.used).toBe(0);
  });

  it('counts only rows of the last reset snapshot aside', () => {
    const room = small();
    const [one, other] = [{ id: 'one' }, { id: 'other' }];
    room.retain([{ row: one, isInForce: false }]);
    expect(room.aside).toBe(bytesOf(one));
    room.retain([{ row: other, isInForce: true }]);
    expect(room.aside).toBe(0);
    room.enter(one, 500);
    room.leave(one, 500);
    expect(room.aside).toBe(0);
  });

  it('does not count a holding as reserved that can be released', () => {
    const room = small();
    room.hold(() => {}).take(300);
    room.hold().take(40);
    room.hold().take(2);
    expect(room.reserved).toBe(42);
    expect(room.available).toBe(3200 - 42);
  });

  it.each<[what: string, fill: (room: Room) => void, available: number, free: number]>([
    ['nothing', () => {}, 3200, 1000],
    ['rows', (room) => room.add(300), 2900, 700],
    ['rows beyond the first limit', (room) => room.add(1100), 2100, 0],
    ['rows beyond all limits', (room) => room.add(4000), 0, 0],
    ['rows aside', (room) => keepAside(room, 2500), 700, 700],
    ['a state that is being read', (room) => room.hold().take(2700), 500, 500],
    ['an export that can end', (room) => room.hold(() => {}).take(2700), 3200, 1000],
    ['derived data', (room) => room.borrow(400), 3200, 600],
    [
      'all of them',
      (room) => {
        room.add(100);
        keepAside(room, 1000);
        room.hold().take(1500);
        room.borrow(200);
      },
      600,
      400,
    ],
  ])('with %s has what is left for readers and for derived data', (_, fill, available, free) => {
    const room = small();
    fill(room);
    expect([room.available, room.free]).toEqual([available, free]);
  });

  it('lends to the last byte, and again what was given back', () => {
    const room = small();
    expect(room.borrow(1001)).toBe(false);
    expect(room.borrow(1000)).toBe(true);
    expect(room.borrow(1)).toBe(false);
    room.giveBack(10);
    expect([room.free, room.borrow(11), room.borrow(10)]).toEqual([10, false, true]);
  });

  it.each<[what: string, bytes: number, aside: number, needs: boolean]>([
    ['below the first limit', 999, 0, false],
    ['at the first limit', 1000, 0, true],
    ['with a byte left of the whole', 700, 2499, false],
    ['with nothing left of the whole', 700, 2500, true],
  ])('%s says whether an operation may begin that adds rows', (_, bytes, aside, needs) => {
    const room = small();
    room.add(bytes);
    if (aside > 0) keepAside(room, aside);
    if (needs) expect(() => room.need()).toThrow(NoRoomError);
    else room.need();
  });

  it.each<[what: string, before: Partial<RoomUse>, used: number, aside: number, refused: boolean]>([
    ['that ends at the hard limit', { used: 900 }, 1200, 0, false],
    ['that ends beyond it', { used: 900 }, 1201, 0, true],
    ['that adds nothing beyond it', { used: 1300 }, 1300, 0, false],
    ['that makes less of too much', { used: 1400 }, 1300, 0, false],
    ['that makes more of too much', { used: 1300 }, 1301, 0, true],
    ['that ends at the whole', { used: 1000, aside: 2000 }, 1100, 2100, false],
    ['that ends beyond the whole', { used: 1000, aside: 2000 }, 1100, 2101, true],
    ['that moves rows beyond the whole aside', { used: 1100, aside: 2200 }, 1000, 2300, false],
    ['that ends beyond the whole, where a reader has gone', { used: 900, reserved: 2500 }, 950, 2300, false],
  ])('checks a transaction %s', (_, before, used, aside, refused) => {
    const room = small();
    room.add(used);
    if (aside > 0) keepAside(room, aside);
    const check = () => room.check({ ...nothing, ...before });
    if (refused) expect(check).toThrow(NoRoomError);
    else check();
  });

  it('lets a state that replaces another go beyond the hard limit, but not beyond the whole', () => {
    const room = small();
    room.add(3200);
    room.checkWhole(nothing);
    room.add(1);
    expect(() => room.checkWhole(nothing)).toThrow(NoRoomError);
    expect(() => room.checkWhole({ ...nothing, used: 3200 })).toThrow(NoRoomError);
    room.checkWhole({ ...nothing, used: 3201 });
    room.checkWhole({ ...nothing, used: 3000, aside: 100, reserved: 101 });
  });

  it.each<[what: string, added: number, used: number, isCleared: boolean]>([
    ['that takes away more than it adds, however much there is', -1, 900 * KIB, true],
    ['that adds as much as it takes away', 0, 900 * KIB, true],
    ['that adds 8 KiB', 8 * KIB, 120 * KIB, true],
    ['that adds more than 8 KiB', 8 * KIB + 1, 50 * KIB, false],
    ['that ends at a third of the way from the hard limit to the whole', 1, 120 * KIB, true],
    ['that ends beyond it', 1, 120 * KIB + 1, false],
  ])('checks a transaction with removals %s', (_, added, used, isCleared) => {
    const room = new Room({ soft: 90 * KIB, hard: 100 * KIB, whole: 160 * KIB });
    room.add(used);
    expect(room.isCleared({ ...nothing, used: used - added })).toBe(isCleared);
  });
});

describe('settling', () => {
  /** Makes holdings that release themselves on demand; returns the names of the released ones. */
  function holders(room: Room, bytes: readonly (readonly [name: string, bytes: number])[]): string[] {
    const released: string[] = [];
    for (const [name, size] of bytes) {
      const holding = room.hold(() => {
        released.push(name);
        room.release(holding);
      });
      holding.take(size);
    }
    return released;
  }

  it.each<[what: string, used: number, held: readonly (readonly [string, number])[], expected: string[]]>([
    [
      'no holding where all have room together',
      2000,
      [
        ['a', 600],
        ['b', 600],
      ],
      [],
    ],
    [
      'the oldest holding where a byte is lacking',
      2001,
      [
        ['a', 600],
        ['b', 600],
      ],
      ['a'],
    ],
    [
      'all holdings where none has room',
      3200,
      [
        ['a', 600],
        ['b', 600],
      ],
      ['a', 'b'],
    ],
    [
      'no holding while together they are a sixteenth of the whole',
      3200,
      [
        ['a', 100],
        ['b', 100],
      ],
      [],
    ],
    [
      'one holding where together they are more than that',
      3200,
      [
        ['a', 100],
        ['b', 101],
      ],
      ['a'],
    ],
  ])('releases %s', (_, used, held, expected) => {
    const room = small();
    const released = holders(room, held);
    room.add(used);
    room.settle();
    expect(released).toEqual(expected);
  });

  it('counts lent bytes beside the holdings', () => {
    const room = small();
    const released = holders(room, [['a', 2000]]);
    room.borrow(900);
    room.add(300);
    room.settle();
    expect(released).toEqual([]);
    room.add(1);
    room.settle();
    expect(released).toEqual(['a']);
  });

  it('passes over a holding that cannot be released', () => {
    const room = small();
    room.hold().take(1000);
    const released = holders(room, [['a', 1000]]);
    room.add(1500);
    room.settle();
    expect(released).toEqual(['a']);
  });

  it.each<[what: string, lent: number, used: number, aside: number, isShort: boolean]>([
    ['within the limits', 400, 600, 2200, false],
    ['beyond the first limit', 400, 601, 0, true],
    ['beyond the whole', 400, 600, 2201, true],
    ['without anything lent', 0, 4000, 0, false],
  ])('calls lent bytes back only beyond a limit: %s', (_, lent, used, aside, isShort) => {
    const room = small();
    let demands = 0;
    room.onShort(() => {
      demands += 1;
    });
    room.borrow(lent);
    room.add(used);
    if (aside > 0) keepAside(room, aside);
    room.settle();
    expect(demands).toBe(isShort ? 1 : 0);
  });

  it('goes on without a callback', () => {
    const room = small();
    room.borrow(1000);
    room.add(1000);
    expect(() => room.settle()).not.toThrow();
  });
});

describe('the message of too little room', () => {
  const limits = { soft: 96 * MIB, hard: 100 * MIB, whole: 200 * MIB };
  const ending =
    ', and has memory for 96 MiB; delete some, such as messages, reset the emulator, or start it with more: ' +
    'NODE_OPTIONS=--max-old-space-size=MEGABYTES';

  it.each([
    ['rows alone', { used: 95.6 * MIB, aside: 0, reserved: 0 }, '96 MiB of records'],
    [
      'rows aside',
      { used: 90 * MIB, aside: 2 * MIB, reserved: 0 },
      '90 MiB of records, 2 MiB more for a reset',
    ],
    [
      'a state that is being read',
      { used: 90 * MIB, aside: 2 * MIB, reserved: 3 * MIB },
      '90 MiB of records, 2 MiB more for a reset, 3 MiB for a state that is being read',
    ],
  ])('names what takes it: %s', (_, use, beginning) => {
    const error = new NoRoomError({ ...use, limits });
    expect(error.message).toBe(`The emulator keeps about ${beginning}${ending}`);
    expect([error.name, error.code]).toEqual(['NoRoomError', 'FOOTBRIDGE_NO_ROOM']);
  });

  it('rounds to whole mebibytes', () => {
    expect([0, 0.4, 0.5, 1024].map((size) => formatMebibytes(size * MIB))).toEqual([
      '0 MiB',
      '0 MiB',
      '1 MiB',
      '1024 MiB',
    ]);
  });
});

describe('the bytes of a value', () => {
  it.each<[what: string, value: unknown, bytes: number]>([
    ['a number', 7, 8],
    ['null', null, 8],
    ['a boolean', true, 8],
    ['undefined', undefined, 8],
    ['an empty text', '', 24],
    ['a short text, with two for each character', 'x'.repeat(32), 24 + 64],
    ['a longer text of Latin-1', 'ÿ'.repeat(33), 24 + 33],
    ['a longer text with another letter', `${'x'.repeat(32)}Ā`, 24 + 66],
    ['an empty list', [], 32],
    ['a list, with its items', [1, ''], 32 + 2 * 8 + 8 + 24],
    ['an empty object', {}, 56],
    ['an object, with its fields', { a: 1, b: [] }, 56 + 2 * 8 + 8 + 32],
  ])('are those of %s', (_, value, bytes) => {
    expect(bytesOf(value)).toBe(bytes);
    if (typeof value === 'string') expect(textBytes(value)).toBe(bytes);
  });
});
