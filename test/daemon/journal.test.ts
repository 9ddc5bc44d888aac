import { describe, expect, it } from 'vitest';
import { journalOperations } from '../../src/daemon/journal.ts';
import { Journal } from '../../src/journal/journal.ts';

const caller = { via: 'control' } as const;
const warning = (message: string, session = 'a') => ({ kind: 'warning', session, message }) as const;

/** The operation on a journal of its own. */
function bench({ journal }: { readonly journal: Journal | undefined } = { journal: new Journal() }) {
  const [read] = journalOperations;
  return {
    journal,
    check: (args: object) => read.args().safeParse(args).success,
    read: async (args: object = {}) => {
      const checked = read.args().safeParse(args);
      if (!checked.success) throw checked.error;
      const answer = await read.run({ journal }, checked.data, caller);
      const texts = answer.entries.map((entry) => ('message' in entry ? entry.message : entry.kind));
      return { ...answer, entries: texts };
    },
  };
}

describe('journal.read', () => {
  it('gives what passed, from where a reader stopped', async () => {
    const { journal, read } = bench();
    journal?.add(warning('one'));
    journal?.add(warning('two', 'b'));
    journal?.add({
      kind: 'refused',
      over: 'websocket',
      why: 'host',
      origin: null,
      clientId: null,
      application: null,
      remedy: '',
      count: 1,
    });
    const begun = journal?.begun;
    expect(await read()).toEqual({ entries: ['one', 'two', 'refused'], next: 3, dropped: 0, last: 3, begun });
    expect(await read({ after: 1 })).toMatchObject({ entries: ['two', 'refused'] });
    expect(await read({ limit: 1 })).toMatchObject({ entries: ['one'], next: 1, last: 3 });
    expect(await read({ session: 'b' })).toMatchObject({ entries: ['two'] });
    expect(await read({ kinds: ['refused'] })).toMatchObject({ entries: ['refused'], last: 3 });
    expect(await read({ after: 3 })).toMatchObject({ entries: [], next: 3 });
  });

  it('waits for something after what was read', async () => {
    const { journal, read } = bench();
    journal?.add(warning('old'));
    const waiting = read({ after: 1, wait: 30_000 });
    let isRead = false;
    void waiting.then(() => {
      isRead = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isRead).toBe(false);
    journal?.add(warning('new'));
    // What comes in the same moment is in the same answer.
    journal?.add(warning('newer'));
    expect(await waiting).toMatchObject({ entries: ['new', 'newer'], next: 3 });
  });

  it('waits neither for what is there, nor for ever', async () => {
    const { journal, read } = bench();
    expect(await read({ wait: 1 })).toMatchObject({ entries: [], last: 0 });
    journal?.add(warning('one'));
    expect(await read({ wait: 30_000 })).toMatchObject({ entries: ['one'] });
  });

  it.each<[string, () => Journal | undefined]>([
    ['there is none', () => undefined],
    [
      'it is off',
      () => {
        const journal = new Journal();
        journal.turn('off');
        return journal;
      },
    ],
  ])('says how to turn the journal on where %s', async (_, journal) => {
    await expect(bench({ journal: journal() }).read()).rejects.toMatchObject({
      code: 'FOOTBRIDGE_JOURNAL',
      message: 'This bridge keeps no journal. Set journal = true in its configuration, and start it again.',
    });
  });

  it.each([
    [{ after: 0, limit: 1, wait: 0, session: 'x'.repeat(64), kinds: [] }, true],
    [{ limit: 1000, wait: 30_000 }, true],
    [{ after: -1 }, false],
    [{ limit: 0 }, false],
    [{ limit: 1001 }, false],
    [{ wait: -1 }, false],
    [{ wait: 30_001 }, false],
    [{ session: 'x'.repeat(65) }, false],
    [{ kinds: ['nonsense'] }, false],
    [{ kinds: Array(100).fill('frame') }, false],
  ])('takes %j: %s', (args, isValid) => {
    expect(bench().check(args)).toBe(isValid);
  });
});

it('journal.read does not wait where entries were gone before they could be read', async () => {
  const { journal, read } = bench({ journal: new Journal({ entries: 1 }) });
  for (const message of ['one', 'two']) journal?.add(warning(message));
  expect(await read({ after: 0, kinds: ['refused'], wait: 30_000 })).toMatchObject({
    entries: [],
    dropped: 1,
  });
});
