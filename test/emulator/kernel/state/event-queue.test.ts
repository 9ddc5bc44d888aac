import { describe, expect, it } from 'vitest';
import { EventQueue, type Failure, Listeners } from '../../../../src/emulator/kernel/state/event-queue.ts';
import { justListening } from '../../../helpers/just-listening.ts';

describe('the queue of events', () => {
  it('runs a notification that another adds after those already in the queue, and once', () => {
    const queue = new EventQueue();
    const ran: string[] = [];
    const states: boolean[] = [queue.isNotifying];
    queue.add(() => {
      ran.push('first');
      states.push(queue.isNotifying);
      queue.add(() => ran.push('third'));
      // It is running already.
      queue.run();
    });
    queue.add(() => ran.push('second'));
    expect(ran).toEqual([]);
    queue.run();
    queue.run();
    states.push(queue.isNotifying);
    expect(ran).toEqual(['first', 'second', 'third']);
    expect(states).toEqual([false, true, false]);
  });

  it('drops what waits behind a notification that throws, and works again', () => {
    const queue = new EventQueue();
    const ran: string[] = [];
    queue.add(() => {
      throw new Error('a defect');
    });
    queue.add(() => ran.push('dropped'));
    expect(() => queue.run()).toThrow('a defect');
    expect(queue.isNotifying).toBe(false);
    queue.add(() => ran.push('next'));
    queue.run();
    expect(ran).toEqual(['next']);
  });
});

describe('listeners', () => {
  /** Listeners with the failures that they report. */
  function made() {
    const failures: Failure[] = [];
    return { listeners: new Listeners<string>((failure) => failures.push(failure)), failures };
  }
  const defect = new Error('a defect');

  it('receive every event in the order in which they were added, until they are removed', () => {
    const { listeners } = made();
    const received: string[] = [];
    const remove = listeners.add((event) => received.push(`a ${event}`), justListening);
    listeners.add((event) => received.push(`b ${event}`), justListening);
    expect(listeners.size).toBe(2);
    listeners.notify('1');
    remove();
    remove();
    listeners.notify('2');
    expect(listeners.size).toBe(1);
    expect(received).toEqual(['a 1', 'b 1', 'b 2']);
  });

  it('that an event adds or removes receive the next event, or do not', () => {
    const { listeners } = made();
    const received: string[] = [];
    const added = (event: string) => received.push(`added ${event}`);
    listeners.add((event) => {
      received.push(event);
      removeOther();
      listeners.add(added, justListening);
    }, justListening);
    const removeOther = listeners.add((event) => received.push(`other ${event}`), justListening);
    listeners.notify('1');
    expect(received).toEqual(['1', 'other 1']);
    listeners.notify('2');
    expect(received.slice(2)).toEqual(['2', 'added 2']);
  });

  it('that throw recover, and disturb no other', () => {
    const { listeners, failures } = made();
    const done: string[] = [];
    listeners.add(
      () => {
        throw defect;
      },
      { name: 'broken', recover: () => void done.push('recovered') },
    );
    listeners.add((event) => done.push(event), justListening);
    listeners.notify('1');
    expect(done).toEqual(['recovered', '1']);
    expect(failures).toEqual([{ name: 'broken', error: defect }]);
  });

  it('that cannot recover are reported with both errors', () => {
    const { listeners, failures } = made();
    const second = new Error('still broken');
    listeners.add(
      () => {
        throw defect;
      },
      {
        name: 'broken',
        recover() {
          throw second;
        },
      },
    );
    listeners.notify('1');
    expect(failures).toEqual([{ name: 'broken', error: defect, unrecovered: second }]);
  });

  it('all recover when an event is lost', () => {
    const { listeners, failures } = made();
    const recovered: string[] = [];
    for (const name of ['a', 'b'])
      listeners.add(() => {}, { name, recover: () => void recovered.push(name) });
    listeners.lost(defect);
    expect(recovered).toEqual(['a', 'b']);
    expect(failures).toEqual([
      { name: 'a', error: defect },
      { name: 'b', error: defect },
    ]);
  });
});
