// An emulator in a heap that is nearly used up; the test of it says how large that is. Prints what happened as one line of JSON.
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createEmulator } from '../../../src/emulator/compose/create-emulator.ts';
import type { Emulator } from '../../../src/emulator/compose/emulator.ts';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import { readFixture } from '../../../src/emulator/compose/fixture/toml.ts';
import { ids } from '../../helpers/emulator-world.ts';

const STEP = 200;
let made = 0;

/** So many messages, each with a text of its own. */
function messages(count: number, idOf = (n: number) => String(610_000_000_000_000_000n + BigInt(n))) {
  return Array.from({ length: count }, () => {
    made += 1;
    const content = Buffer.alloc(3000, `w${made}x`).toString('latin1');
    return { id: idOf(made), channel: ids.general, author: ids.otter, content };
  });
}

/** Patches until it is refused; how many times it was not, and why it was. */
async function fill(emulator: Emulator, next: (step: number) => object | undefined) {
  for (let step = 0; ; step += 1) {
    const patch = next(step);
    if (patch === undefined) return { step, refusal: '' };
    try {
      await emulator.apply(patch);
    } catch (error) {
      return { step, refusal: (error as Error).message };
    }
  }
}

const more = () => ({ messages: messages(STEP) });
const reasonOf = (task: () => unknown): string => {
  try {
    task();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

/** Imports what comes in parts. */
async function take(emulator: Emulator, parts: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const whole = emulator.transfer.take('state');
  for await (const part of parts) whole.write(part);
  whole.end();
}

/** A state that is larger than any room, in parts. */
function* endless(count: number) {
  yield `{"footbridge":"state","version":1,"records":${count}}\n`;
  for (let n = 0; n < count; n += 1) yield `${JSON.stringify({ messages: messages(1)[0] })}\n`;
}

/** So many million characters of the same, in parts. */
function* parts(unit: string, millions: number) {
  const part = unit.repeat(65_536 / unit.length);
  for (let length = 0; length < millions * 1e6; length += part.length) yield part;
}

const scenarios: Readonly<Record<string, (file: string) => Promise<object>>> = {
  /** Is full, and more than that by what happens by itself; is exported, takes that back, and is reset. */
  full: async (file) => {
    const emulator = await createEmulator({ fixture: defaultFixture() });
    const begun = emulator.tables.messages.size;
    const { step, refusal } = await fill(emulator, more);
    emulator.clock.at(0, () => {
      for (let n = 0; n < step / 10; n += 1) void emulator.apply(more());
    });
    const beyond = emulator.tables.messages.size - begun - step * STEP;
    await writeFile(file, emulator.transfer.parts());
    await take(emulator, emulator.transfer.parts());
    const held = emulator.tables.messages.size;
    const other = await take(emulator, endless(500_000)).then(String, (error: Error) => error.message);
    const text = reasonOf(() => emulator.exportState());
    const after = emulator.tables.messages.size;
    emulator.reset();
    const reset = emulator.tables.messages.size - begun;
    const again = reasonOf(() => emulator.exportState());
    await take(emulator, createReadStream(file, 'utf8'));
    return {
      refusal,
      beyond,
      held,
      other,
      text,
      after,
      reset,
      again,
      imported: emulator.tables.messages.size,
    };
  },
  /** Starts from a state beyond the limit, has its messages changed one after the other, and is reset. */
  start: async (file) => {
    const emulator = await createEmulator({
      fixture: await readFixture(createReadStream(file, 'utf8'), file),
    });
    const first = [...emulator.tables.messages].map(({ id, content }) => ({ id, content }));
    const { step, refusal } = await fill(emulator, (at) => {
      const some = first.slice(at * STEP, (at + 1) * STEP);
      return some.length === 0
        ? undefined
        : { messages: messages(some.length).map(({ content }, n) => ({ id: some[n]?.id, content })) };
    });
    emulator.reset();
    const wrong = first.filter(
      ({ id, content }) => emulator.tables.messages.get(id)?.content !== content,
    ).length;
    return { size: first.length, changed: step > 1, refusal, wrong };
  },
  /** Is given what takes far more memory once it is parsed than as text, in the middle of a line or at its end. */
  hostile: async () => {
    const emulator = await createEmulator({ fixture: defaultFixture() });
    const reason = (parts: Iterable<string>) =>
      take(emulator, parts).then(String, (error: Error) => error.message);
    const header = '{"footbridge":"state","version":1,"records":1}\n';
    const refusals = [
      await reason([`${header}{"messages":[`, ...parts('{},', 10), ']}\n']),
      await reason([`${header}{"messages":`, ...parts('[', 8), '\n']),
    ];
    for (const toml of [['a', ...parts('.a', 10), ' = 1\n'], parts(`[k${'.a'.repeat(200)}]\n`, 10)]) {
      refusals.push(
        await readFixture(toml, 'f', undefined, emulator.transfer.intake()).then(
          String,
          (error: Error) => error.message,
        ),
      );
    }
    return { refusals };
  },
  /** Reads two states and is filled, by turns, and is exported by those who do not read while it becomes others. */
  crowded: async () => {
    const emulator = await createEmulator({ fixture: defaultFixture() });
    const refusals: string[] = [];
    const reading = [0, 1].map(() => ({ whole: emulator.transfer.take('state'), lines: endless(500_000) }));
    while (refusals.length < 2) {
      for (const { whole, lines } of reading) {
        try {
          for (let n = 0; n < STEP; n += 1) whole.write(String(lines.next().value));
        } catch (error) {
          refusals.push((error as Error).message);
          break;
        }
      }
      if (refusals.length > 0) refusals.push((await fill(emulator, more)).refusal);
    }
    for (const { whole } of reading) whole.discard();
    const unread = [];
    for (let round = 0; round < 4; round += 1) {
      emulator.reset();
      await fill(emulator, more);
      unread.push(emulator.transfer.parts());
      unread.at(-1)?.next();
    }
    const ends = unread.map((parts) => reasonOf(() => parts.next()));
    return { refusals, ends };
  },
  /** Is to start from more than there is memory for. */
  large: async () => ({
    refusal: await readFixture(endless(500_000), 'large').then(String, (error: Error) => error.message),
  }),
};

const [scenario = '', file = ''] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await scenarios[scenario]?.(file)), () => process.exit(0));
