import { describe, expect, it } from 'vitest';
import { Journal } from '../../../../src/emulator/kernel/state/journal.ts';
import { Room } from '../../../../src/emulator/kernel/state/room.ts';
import { bytesOf } from '../../../../src/emulator/kernel/state/row-bytes.ts';
import { Single } from '../../../../src/emulator/kernel/state/single.ts';

function made() {
  const [journal, room] = [new Journal(), new Room()];
  return { journal, room, single: new Single<{ a: string; b: number }>('settings', journal, room) };
}

describe('a single record', () => {
  it('has no value before the first one is set', () => {
    const { single, room } = made();
    expect(() => single.value).toThrow('settings has not been set');
    expect([single.size, single.rows(), single.positionOf(), room.used]).toEqual([0, [], undefined, 0]);
  });

  it('has the value that was set last, with changed fields and counted bytes', () => {
    const { single, journal, room } = made();
    journal.open();
    single.set({ a: 'x', b: 1 });
    expect(single.update({ b: 2 })).toEqual({ a: 'x', b: 2 });
    journal.close();
    const row = { a: 'x', b: 2 };
    expect([single.value, single.size, single.rows(), single.positionOf()]).toEqual([
      row,
      1,
      [row],
      { row, rank: 0 },
    ]);
    // What a record without a value takes is counted with the first.
    expect(room.used).toBe(bytesOf(row) - bytesOf(undefined));
    expect(() => single.set(row)).toThrow(/only be changed in a transaction/);
  });

  it('has its earlier value again after a change that is undone', () => {
    const { single, journal, room } = made();
    journal.open();
    single.set({ a: 'x', b: 1 });
    const { length } = journal;
    const { used } = room;
    single.set({ a: 'longer', b: 2 });
    journal.takeBack(length);
    expect([single.value, room.used]).toEqual([{ a: 'x', b: 1 }, used]);
    journal.takeBack(0);
    expect([single.size, room.used]).toEqual([0, 0]);
  });
});
