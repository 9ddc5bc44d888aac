import { readingFailed, rereadParts, textOf } from '../../../platform/files/read-bounded.ts';
import { LocalError, systemCode } from '../../base/local-error.ts';
import { shellWord } from '../../base/shell-word.ts';
import { amount, printable } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { defineCommand } from '../command.ts';
import { daemonClient, printResult } from '../daemon-client.ts';
import { writableTarget, writeTarget } from '../private-target.ts';

/** Maximum size of a state file (bytes): above the size of a state with every file that an emulator can store. */
const MAX_STATE_BYTES = 1600 * 1024 * 1024;
/** Maximum length of the first line of a state (characters), above any real length. */
const MAX_HEADER = 256;
/** Time limit of the calls: a busy machine takes long for a large state. */
const CALL_OPTIONS = { timeoutMs: 120_000 };

/** `footbridge emulator export FILE`. */
export const emulatorExport = defineCommand({
  name: 'emulator export',
  summary: 'Write the whole state of the emulator to a file, which import and --fixture read',
  group: 'emulator',
  positionals: [{ name: 'FILE', help: 'where to write it, - for stdout', arity: 'one' }],
  json: true,
  details: [
    'JSON lines: a header, then one record per line, then the bytes of files. It contains client secrets, so that the file is for',
    'you alone (mode 0600). Grants, tokens, what waits for a person, connected apps and the clock are not. Files without bytes,',
    'which something has removed from the temporary folder of the emulator, are reported on stderr; their records are exported.',
  ],
  examples: [
    ['footbridge emulator export world.jsonl', 'Save the current state'],
    ['footbridge emulator export - | wc -l', 'Its number of lines'],
  ],
  async run({ positionals: [path = '-'], json }, io) {
    const target = path === '-' ? undefined : writableTarget(path);
    const lines = new LineCount();
    const parts = lines.counted(daemonClient(io).textOf('emulator.export', CALL_OPTIONS));
    if (target === undefined) {
      for await (const part of parts) io.out(part);
      warnOfLost(lines.lost, EXPORTED, io);
      return ExitCode.OK;
    }
    await writeTarget(target, path, parts);
    const { records, lost } = lines;
    warnOfLost(lost, EXPORTED, io);
    return printResult(
      io,
      json,
      { file: target, records, ...(lost === 0 ? {} : { lost }) },
      () => `${amount(records, 'record is', 'records are')} in ${path}.\n${loadingText(path)}`,
    );
  },
});

/** The lines that a test needs to begin with a saved state. */
function loadingText(path: string): string {
  const quoted = `'${path.replaceAll(/['\\]/g, '\\$&')}'`;
  return (
    `A test begins with it by: startEmulator({ fixture: ${printable(quoted)} })\n` +
    `in any other language by: footbridge emulate --fixture ${printable(shellWord(path))} -- COMMAND\n`
  );
}

/** `footbridge emulator import FILE`. */
export const emulatorImport = defineCommand({
  name: 'emulator import',
  summary: 'Replace the state of the emulator by an exported file; every difference sends its events',
  group: 'emulator',
  positionals: [{ name: 'FILE', help: 'a file that export has written, - for stdin', arity: 'one' }],
  json: true,
  details: [
    'The whole file or nothing. Grants and tokens stay, except those of removed users and applications; "emulator reset" goes',
    'back to the fixture. Files that the state names and has no bytes of are reported on stderr.',
  ],
  examples: [['footbridge emulator import world.jsonl', 'Back to the saved state']],
  async run({ positionals: [path = '-'], json }, io) {
    const lines = new LineCount();
    const parts = await begun(stateParts(path, io));
    const answer = (await daemonClient(io)
      .give('emulator.import', lines.counted(parts), CALL_OPTIONS)
      .catch((error: unknown) => {
        throw namingFile(path, error);
      })) as { readonly lost?: number };
    warnOfLost(answer.lost ?? 0, IMPORTED, io);
    return printResult(
      io,
      json,
      answer,
      () => `${amount(lines.records, 'record is', 'records are')} imported.\n`,
    );
  },
});

/** Warning texts for one file without bytes, and for several files. */
interface LostText {
  readonly one: string;
  readonly many: string;
}

const EXPORTED: LostText = {
  one: 'its record is exported without them; send the file again to export it whole',
  many: 'their records are exported without them; send the files again to export them whole',
};
const IMPORTED: LostText = {
  one: 'its record is imported, and its address answers 404; send the file again',
  many: 'their records are imported, and their addresses answer 404; send the files again',
};

function warnOfLost(lost: number, text: LostText, io: Io): void {
  if (lost === 0) return;
  const has = amount(lost, 'file of the state has', 'files of the state have');
  io.err(
    `${has} no bytes (removed from the temporary folder of an emulator): ${lost === 1 ? text.one : text.many}.\n`,
  );
}

async function* stateParts(path: string, io: Io): AsyncGenerator<string> {
  if (path === '-') return yield* textOf(io.stdin, MAX_STATE_BYTES, 'stdin');
  try {
    yield* rereadParts(path, MAX_STATE_BYTES);
  } catch (error) {
    throw new LocalError('FOOTBRIDGE_INPUT', readingFailed(path, error), { cause: error });
  }
}

/** Reads the first part ahead, so that an unreadable file is refused before the emulator is called. */
async function begun(parts: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  const first = await parts.next();
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* parts;
  })();
}

/**
 * Replaces the word "state", the emulator's name for the input, by the name of the file in an error of the emulator.
 */
function namingFile(path: string, error: unknown): unknown {
  if (systemCode(error) !== 'FOOTBRIDGE_FIXTURE' || !(error instanceof Error)) return error;
  const name = path === '-' ? 'stdin' : path;
  return new LocalError(
    'FOOTBRIDGE_FIXTURE',
    error.message.replace(/^state: /, () => `${name}: `),
    { cause: error },
  );
}

/** Counts the records of a streamed state: every line except the first is a record. */
class LineCount {
  #ends = 0;
  #isOpen = false;
  /** Received part of the first line. */
  #header = '';

  /** Number of lost files, from the first line. */
  get lost(): number {
    return Number(/"lost":(\d+)\}$/.exec(this.#header)?.[1] ?? 0);
  }

  get records(): number {
    return this.#ends + (this.#isOpen ? 1 : 0) - 1;
  }

  async *counted(parts: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const part of parts) {
      if (this.#ends === 0) this.#header = (this.#header + part).slice(0, MAX_HEADER).replace(/\n.*/s, '');
      for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', at + 1)) this.#ends += 1;
      if (part !== '') this.#isOpen = !part.endsWith('\n');
      yield part;
    }
  }
}
