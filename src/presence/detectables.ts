import { printable } from '../base/text.ts';

/** An application whose games are detected by their program. */
export interface Detectable {
  readonly id: string;
  readonly name: string;
}

/** Program of a process, as the system reports it. */
export interface ProgramFacts {
  /** Path of the program: as it was started, and as the system resolved it where that is known. */
  readonly paths: readonly string[];
  /** Arguments, separated by spaces. */
  readonly arguments: string;
}

interface Executable {
  readonly application: Detectable;
  readonly name: string;
  readonly arguments: string | undefined;
}

/** Maximum length of an application's name, as of an activity (characters). */
const MAX_NAME = 128;
/** Maximum length of the name of an executable (characters). */
const MAX_EXECUTABLE = 512;
/** Maximum number of parts of a path that are compared. */
const MAX_PARTS = 16;
/** Start of a name that is the whole file name, whose arguments must match. */
const WHOLE = '>';
/** Marks of a 64-bit program, without which the name of an executable is compared, too. */
const MARKS = ['64', '.x64', 'x64', '_64'];

/**
 * Applications by their executables, from a list in the public format of detectable applications: `[{id, name,
 * executables: [{name, is_launcher, arguments}]}]`. An executable is the end of a path, without regard to case, or `>`
 * and a file name. Entries that do not have the format are left out.
 */
export class Detectables {
  /** By the name of the executable. */
  readonly #executables = new Map<string, Executable[]>();
  #size = 0;

  constructor(list: readonly unknown[] = []) {
    this.add(list);
  }

  /** Adds further entries, so that a long list can be read in parts. */
  add(list: readonly unknown[]): void {
    for (const one of list) this.#add(fieldsOf(one));
  }

  /** Number of executables. */
  get size(): number {
    return this.#size;
  }

  /**
   * Finds the application of a program. Of several, one whose arguments match comes first, then the longest name, then
   * the first of the list.
   */
  match({ paths, arguments: given }: ProgramFacts): Detectable | undefined {
    let best: { readonly application: Detectable; readonly score: number } | undefined;
    for (const name of paths.flatMap(namesOf)) {
      for (const one of this.#executables.get(name) ?? []) {
        const score = scoreOf(one, given);
        if (score > (best?.score ?? 0)) best = { application: one.application, score };
      }
    }
    return best?.application;
  }

  #add({ id, name, executables }: Readonly<Record<string, unknown>>): void {
    if (typeof id !== 'string' || !/^\d{1,20}$/.test(id) || !Array.isArray(executables)) return;
    const shown = typeof name === 'string' ? nameOf(name) : '';
    if (shown === '') return;
    const application = { id, name: shown };
    for (const one of executables as readonly unknown[]) {
      const { name: executable, arguments: wanted, is_launcher } = fieldsOf(one);
      if (is_launcher === true || typeof executable !== 'string' || executable.length > MAX_EXECUTABLE)
        continue;
      const key = executable.toLowerCase().replaceAll('\\', '/');
      if (key.replace(WHOLE, '') === '') continue;
      const entry = {
        application,
        name: key,
        arguments: typeof wanted === 'string' && wanted !== '' ? wanted : undefined,
      };
      const others = this.#executables.get(key);
      if (others === undefined) this.#executables.set(key, [entry]);
      else others.push(entry);
      this.#size += 1;
    }
  }
}

/** Names under which the executable of a path may be in the list. */
function namesOf(path: string): readonly string[] {
  const parts = path
    .toLowerCase()
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '')
    .slice(-MAX_PARTS);
  const ends = parts.map((_, index) => parts.slice(index).join('/'));
  const file = parts.at(-1);
  return [
    ...new Set([
      ...ends.flatMap((end) => [end, ...MARKS.map((mark) => end.replace(mark, ''))]),
      ...(file === undefined ? [] : [`${WHOLE}${file}`]),
    ]),
  ];
}

/** How well an executable fits; 0 where it does not. Games that share a program differ in their arguments. */
function scoreOf({ name, arguments: wanted }: Executable, given: string): number {
  const isMatch = wanted !== undefined && given.includes(wanted);
  if (wanted !== undefined && !isMatch && name.startsWith(WHOLE)) return 0;
  return (isMatch ? 2 : wanted === undefined ? 1 : 0) * MAX_EXECUTABLE * 2 + name.length;
}

function nameOf(name: string): string {
  return printable(name.slice(0, MAX_NAME)).trim();
}

/** Fields of a JSON value; a value that is no object has none of those of an entry. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return (value ?? {}) as Readonly<Record<string, unknown>>;
}
