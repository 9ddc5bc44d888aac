// Stand-ins for schtasks, reg and taskkill: state machines with their exit codes, and texts in another language.
import { readFileSync } from 'node:fs';
import type { Command, Ran } from '../../../service/manager.ts';
import { ended } from './bench.ts';

/** What a Windows machine knows of tasks, of the Run key's values, and of processes that were ended. */
export interface WindowsState {
  denied: boolean;
  /** /Run fails. */
  lame: boolean;
  /** What a program that is started ends with at once. */
  crash?: number;
  /** After `verb`, the scheduler reports `stale` for a number of looks. */
  delayed?: { verb: string; looks: number; stale: { running: boolean; last: number }; begun?: true };
  tasks: Record<string, { running: boolean; last: number }>;
  values: Record<string, string>;
  killed: number[];
  /** RID of the integrity level that whoami prints; without it, whoami knows no groups, as in Wine. */
  level?: number;
}

/** Answers one call as the named program does, and changes what the machine knows. */
export function windowsProgram(state: WindowsState, [program, verb = '', ...words]: Command): Ran {
  switch (program) {
    case 'C:\\Windows\\System32\\whoami.exe':
      return ended(0, state.level === undefined ? 'PC\\u' : `"x","y","S-1-16-${state.level}",""`);
    case 'schtasks.exe':
      return schtasks(state, verb, words);
    case 'reg.exe':
      return reg(state, verb, words);
    case 'taskkill.exe':
      state.killed.push(Number(words[0]));
      return ended(0);
    default:
      return ended(9009, 'no such program');
  }
}

function option(words: readonly string[], name: string): string {
  return words[words.indexOf(name) + 1] ?? '';
}

function schtasks(state: WindowsState, verb: string, words: readonly string[]): Ran {
  const name = option(words, '/TN');
  const task = state.tasks[name];
  if (verb === '/Create') return create(state, name, words);
  if (task === undefined) return ended(1, 'ERROR: El sistema no puede encontrar el archivo especificado.');
  const { delayed } = state;
  if (delayed?.verb === verb) delayed.begun = true;
  else if (verb !== '/Query') delete state.delayed;
  switch (verb) {
    case '/Run':
      if (state.lame) return ended(1, 'ERROR: no se puede iniciar.');
      Object.assign(
        task,
        state.crash === undefined ? { running: true, last: 267009 } : { running: false, last: state.crash },
      );
      return ended(0);
    case '/End':
      Object.assign(task, { running: false, last: 267014 });
      return ended(0);
    case '/Delete':
      delete state.tasks[name];
      return ended(0);
    case '/Query': {
      const isStale = delayed?.begun === true && delayed.looks > 0;
      if (isStale) delayed.looks -= 1;
      const { running, last } = isStale ? delayed.stale : task;
      const text = running ? 'En ejecución' : 'Listo';
      return ended(
        0,
        `"PC","\\${name}","N/D","${text}","Sólo ""interactivo""","21/11/2026","${last}","PC\\u"\r\n`,
      );
    }
    default:
      return ended(1, 'ERROR: sintaxis');
  }
}

function create(state: WindowsState, name: string, words: readonly string[]): Ran {
  if (state.denied) return ended(1, 'ERROR: Acceso denegado.');
  const bytes = readFileSync(option(words, '/XML'));
  if (bytes.readUInt16LE(0) !== 0xfeff) return ended(1, 'ERROR: no es Unicode.');
  const xml = bytes.subarray(2).toString('utf16le');
  // Without the user it is a task for everybody, and that needs an administrator.
  if (!/<LogonTrigger>\s*<Enabled>true<\/Enabled>\s*<UserId>[^<]+<\/UserId>/.test(xml))
    return ended(1, 'ERROR: Acceso denegado.');
  const before = state.tasks[name];
  if (before !== undefined && !words.includes('/F')) return ended(1, 'ERROR: ya existe.');
  state.tasks[name] = { running: before?.running ?? false, last: 267011 };
  return ended(0);
}

function reg(state: WindowsState, verb: string, [key = '', ...words]: readonly string[]): Ran {
  const value = option(words, '/v');
  if (!/^HKCU\\/.test(key)) return ended(1, 'ERROR: Acceso denegado.');
  if (verb === 'add') state.values[value] = option(words, '/d');
  else if (state.values[value] === undefined) return ended(1, 'ERROR: no se encuentra');
  else if (verb === 'delete') delete state.values[value];
  return ended(0);
}
