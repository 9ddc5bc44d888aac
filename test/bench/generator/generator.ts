import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { pinned, versionOf } from '../machine.ts';
import type { Latencies } from '../statistics.ts';
import { type Slicing, slicing } from './slicing.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
/** For a generator that hangs: far beyond any row (ms). */
const PATIENCE_MS = 180_000;

/** What a generator says at its end; times in µs. */
export interface Result extends Latencies {
  readonly seconds: number;
  /** Processor time of the server, where its pid was given, and of the generator (ms). */
  readonly serverCpuMs: number;
  readonly ownCpuMs: number;
  /** Of `load`: requests, their answers, ERROR among these, answers to no request, connections that were ended. */
  readonly sent?: number;
  readonly answered?: number;
  readonly errors?: number;
  readonly wrong?: number;
  readonly closed?: number;
  /** Of `connect`: connections that were not answered. */
  readonly refused?: number;
}

/** Options of generator/main.c, without the dashes; a text with line ends is put into a file of frames. */
export type Words = Readonly<Record<string, string | number>>;

/** A generator at work. */
export interface Working {
  /** Its first line: everything is open. */
  readonly started: Promise<void>;
  /** Its last line. Rejects when it fails. */
  readonly result: Promise<Result>;
  /** Tells it that it is enough; gives the result. */
  stop(): Promise<Result>;
}

/** What makes the load. */
export interface Generator {
  readonly language: 'C' | 'Node';
  /** For the report: what it is, and why it is not in C. */
  readonly what: string;
  /** One that `yields` lets every other process on its processor go first. */
  start(mode: string, words: Words, cpu?: number, yields?: boolean): Working;
  run(mode: string, words: Words, cpu?: number): Promise<Result>;
  /** Resolves when all connections are open. */
  slices(words: Words, cpu?: number): Promise<Slicing>;
}

/** Compiles the generator into a work folder, or bundles the one in Node where that fails. */
export async function prepareGenerator(workFolder: string, compiler = 'cc'): Promise<Generator> {
  const made = compile(join(workFolder, 'generator'), [HERE], compiler);
  if (made.ok) return generatorOf(workFolder, [made.program], 'C', `in C, ${versionOf(compiler)}`);
  await build({
    entryPoints: { 'generator-node': join(HERE, 'node.ts') },
    outdir: workFolder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
  });
  const command = [process.execPath, join(workFolder, 'generator-node.mjs')];
  return generatorOf(workFolder, command, 'Node', `in Node, and costs as much as a server: ${made.reason}`);
}

/** Compiles every C file of some folders, or some files, into one program. */
export function compile(
  program: string,
  sources: readonly string[],
  compiler = 'cc',
): { readonly ok: true; readonly program: string } | { readonly ok: false; readonly reason: string } {
  const files = sources.flatMap((path) =>
    path.endsWith('.c')
      ? [path]
      : readdirSync(path)
          .filter((name) => name.endsWith('.c'))
          .map((name) => join(path, name)),
  );
  if (versionOf(compiler) === undefined) return { ok: false, reason: `there is no C compiler (${compiler})` };
  try {
    const flags = ['-std=gnu11', '-D_GNU_SOURCE', '-O2', '-Wall', '-Wextra'];
    execFileSync(compiler, [...flags, '-o', program, ...files, '-lm'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    });
    return { ok: true, program };
  } catch (error) {
    const [line = ''] = String((error as { stderr?: string }).stderr).split('\n');
    return { ok: false, reason: `it does not compile here (${line})` };
  }
}

function generatorOf(
  folder: string,
  command: readonly string[],
  language: Generator['language'],
  what: string,
): Generator {
  let files = 0;
  const wordsOf = (words: Words): string[] =>
    Object.entries(words).flatMap(([name, value]) => {
      if (typeof value === 'number' || !value.includes('\n')) return [`--${name}`, String(value)];
      files += 1;
      const file = join(folder, `frames-${files}`);
      writeFileSync(file, value);
      return [`--${name}`, file];
    });
  const alive = new Set<ChildProcess>();
  process.once('exit', () => {
    for (const child of alive) child.kill('SIGKILL');
  });
  const begin = (mode: string, words: Words, cpu?: number, yields = false): ChildProcess => {
    const tied = [...pinned(command, cpu), mode, ...wordsOf(words)];
    const [program = '', ...args] = yields ? ['nice', '-n', '19', ...tied] : tied;
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    alive.add(child);
    child.once('close', () => alive.delete(child));
    return child;
  };
  const start: Generator['start'] = (mode, ...how) => working(begin(mode, ...how), mode);
  return {
    ...{ language, what, start },
    run: (mode, words, cpu) => start(mode, words, cpu).result,
    slices: (words, cpu) => slicing(begin('slices', words, cpu)),
  };
}

function working(child: ChildProcess, mode: string): Working {
  const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const lines: string[] = [];
  let onLine = (): void => {};
  const first = new Promise<void>((resolve) => {
    onLine = resolve;
  });
  if (child.stdout)
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line);
      onLine();
    });
  const result = new Promise<Result>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(late);
      if (code === 0) resolve(JSON.parse(lines.at(-1) ?? 'null') as Result);
      else reject(new Error(`generator ${mode} ended with ${signal ?? code}: ${stderr.trim()}`));
    });
  });
  result.catch(() => {});
  return {
    started: Promise.race([first, result.then(() => {})]),
    result,
    stop() {
      // `load` ends by the signal, `rest` when its input ends.
      if (mode === 'load') child.kill('SIGTERM');
      child.stdin?.end();
      return result;
    },
  };
}
