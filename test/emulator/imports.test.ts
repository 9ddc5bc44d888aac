import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../src/emulator', import.meta.url));

/** Specifiers that a source file loads when it is itself loaded; type-only imports are erased. */
function staticImports(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)';/gms)].map(
    (match) => match[1] ?? '',
  );
}

function reachable(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const specifier of staticImports(file)) {
    if (specifier.startsWith('.')) reachable(resolve(dirname(file), specifier), seen);
    else seen.add(specifier);
  }
  return seen;
}

it('nothing of the emulator imports from another folder of ours', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(40);
  const packages = new Set<string>();
  for (const name of files) {
    const file = resolve(root, name);
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)) {
      if (!specifier.startsWith('.')) packages.add(specifier);
      else expect(relative(root, resolve(dirname(file), specifier))).not.toMatch(/^\.\./);
    }
  }
  expect([...packages].filter((name) => !name.startsWith('node:')).sort()).toEqual([
    'jose',
    'smol-toml',
    'zod/mini',
    'zod/v4/locales/en.js',
  ]);
});

it('an idle emulator loads no package and no HTTP server', () => {
  const loaded = [...reachable(resolve(root, 'emulator.ts'))].filter((name) => !name.startsWith('/'));
  expect(loaded.sort()).toEqual(['node:crypto', 'node:util']);
  const kept = [...reachable(resolve(root, 'store/file-store.ts'))];
  expect(kept.filter((name) => name.startsWith('zod'))).toEqual([]);
  expect(reachable(resolve(root, 'http/server.ts'))).not.toContain('jose');
});
