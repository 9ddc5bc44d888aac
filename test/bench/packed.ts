import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What is packed, and what packing needs. */
export const SOURCES = [
  ...['.ci', 'platform', 'service', 'src', 'LICENSE', 'README.md', 'package-lock.json', 'package.json'],
  'tsconfig.json',
];

/** The program as a user has it. */
export interface Installed {
  /** The command that npm made. */
  readonly command: string;
  readonly version: string;
}

/** Packs a copy of the checkout and installs the package, as README says, into the work folder; asks no registry. */
export function installPacked(workFolder: string): Installed {
  const checkout = join(workFolder, 'checkout');
  for (const name of SOURCES) cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
  const packed = npm(checkout, 'pack', '--json', '--foreground-scripts=false');
  const [{ filename, version }] = JSON.parse(packed) as [{ filename: string; version: string }];
  const place = join(workFolder, 'installed');
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{}');
  npm(place, 'install', '--offline', '--omit=optional', '--no-audit', '--no-fund', join(checkout, filename));
  // The one optional package has no code of its own to build; npm may have it in its cache, or not.
  const native = join(ROOT, 'node_modules', 'koffi');
  if (existsSync(native)) {
    cpSync(native, join(place, 'node_modules', 'koffi'), { recursive: true });
    const scope = join(ROOT, 'node_modules', '@koromix');
    if (existsSync(scope)) cpSync(scope, join(place, 'node_modules', '@koromix'), { recursive: true });
  }
  return { command: join(place, 'node_modules', '.bin', 'footbridge'), version };
}

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', [...args, '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
