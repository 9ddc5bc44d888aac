/** How the arguments of an interpreter lead to its script. Each expression is tried against one argument. */
interface Interpreter {
  /** Name of the executable. */
  readonly exe: RegExp;
  /** Option, or the start of one, whose argument is a text to run; the text is never part of a name. */
  readonly text?: RegExp;
  /** Option whose argument is the name of a module to run. */
  readonly module?: RegExp;
  /** Options with an argument of their own. */
  readonly values?: RegExp;
  /** Command before the script. */
  readonly command?: RegExp;
}

const INTERPRETERS: readonly Interpreter[] = [
  {
    exe: /^(?:node(?:js)?|electron)[\d.]*$/,
    text: /^(?:-(?:e|p|pe)$|--(?:eval|print)(?==|$))/,
    values:
      /^(?:-[rC]|--(?:require|import|(?:experimental-)?loader|conditions|env-file(?:-if-exists)?|title))$/,
  },
  {
    exe: /^(?:python|pypy)[\d.]*$/,
    text: /^-[bBdEhiIOPqsSuvx]*c/,
    module: /^-[bBdEhiIOPqsSuvx]*m$/,
    values: /^(?:-[WX]|--check-hash-based-pycs)$/,
  },
  { exe: /^(?:ba|da|k|z|fi)?sh$/, text: /^-\w*c$/, values: /^(?:[-+][oO]|--(?:init-|rc)file)$/ },
  { exe: /^(?:perl|ruby|lua|php)[\d.]*$/, text: /^-\w*?[eEr]/ },
  { exe: /^java$/, values: /^(?:-(?:cp|classpath|p)|--(?:class|module)-path)$/ },
  { exe: /^(?:bun|deno)$/, text: /^(?:-[ep]|eval)$/, command: /^run$/ },
  { exe: /^(?:dotnet|mono)(?:-sgen)?$/, command: /^exec$/ },
];

/** Loaders of Wine, some of which leave their own name out of the arguments. */
const WINE = /^wine(?:64)?(?:-preloader)?$/;
const WINDOWS_PROGRAM = /^.*?\.(?:exe|com|bat|msi)(?=["\s]|$)/i;
const SCRIPT = /\.(?:[cm]?[jt]sx?|pyz?w?|rb|pl|(?:ba|z)?sh|lua|php|jar|dll|exe|asar)$/i;

/**
 * The script that an interpreter runs, without its folder: `app.mjs`, `-m package`, or the bare option such as `-c` for
 * a text. `exe` is the name of the executable; `readWords` reads the arguments of the process, the first of which is
 * its own name. Undefined for a program that is no interpreter, and where no argument is surely the script: any other
 * argument may hold a secret.
 */
export function scriptOf(exe: string, readWords: () => readonly string[]): string | undefined {
  if (WINE.test(exe)) {
    const paths = readWords()
      .slice(0, 3)
      .flatMap((word) => WINDOWS_PROGRAM.exec(word)?.[0] ?? []);
    return lastPart(paths[0]);
  }
  const interpreter = INTERPRETERS.find((one) => one.exe.test(exe));
  return interpreter && scriptAmong(interpreter, readWords());
}

function scriptAmong(
  { text, module, values, command }: Interpreter,
  words: readonly string[],
): string | undefined {
  // An option that is not known here may take the word behind it.
  let isDoubtful = false;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const option = text?.exec(word)?.[0];
    if (option !== undefined) return /^-\w/.test(option) ? `-${option.at(-1)}` : option;
    if (word === '-') return undefined;
    if (module?.test(word)) return moduleName(words[at + 1]);
    if (values?.test(word)) at += 1;
    else if (word.startsWith('-')) isDoubtful = word !== '--' && (isDoubtful || !word.includes('='));
    else if (!command?.test(word)) return isDoubtful && !SCRIPT.test(word) ? undefined : lastPart(word);
  }
  return undefined;
}

function moduleName(word = ''): string | undefined {
  return /^[\w.]+$/.test(word) ? `-m ${word}` : undefined;
}

/** Last part of a path or of the address of a file; undefined for none. */
function lastPart(path = ''): string | undefined {
  return path
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== '.')
    .at(-1);
}
