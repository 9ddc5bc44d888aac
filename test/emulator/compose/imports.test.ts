import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../src/emulator', import.meta.url));

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

it('the emulator imports only platform, base, loopback, scheduling, journal, faults and the scope table', () => {
  const allowed =
    /^(?!\.\.)|^\.\.\/(?:\.\.\/platform\/|base\/|loopback\/|scheduling\/|journal\/|faults\/|protocol\/scope\.ts$)/;
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(40);
  const packages = new Set<string>();
  for (const name of files) {
    const file = resolve(root, name);
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:\bfrom |import\()'([^'\n]+)'/g,
    )) {
      if (!specifier.startsWith('.')) packages.add(specifier);
      else expect(relative(root, resolve(dirname(file), specifier))).toMatch(allowed);
    }
  }
  expect([...packages].filter((name) => !name.startsWith('node:')).sort()).toEqual([
    '@fastify/busboy',
    'find-my-way',
    'jose',
    're2js',
    'smol-toml',
    'ws',
    'zod',
  ]);
});

it('an idle emulator loads the package that declares its records, and no other', () => {
  const loaded = [...reachable(resolve(root, 'compose/create-emulator.ts'))].filter(
    (name) => !name.startsWith('/'),
  );
  const packages = loaded.filter((name) => !name.startsWith('node:'));
  expect(packages.sort()).toEqual(['zod']);
  const kept = [...reachable(resolve(root, 'accounts/oauth2/storage/file-store.ts'))];
  expect(kept.filter((name) => name.startsWith('zod'))).toEqual([]);
  expect(reachable(resolve(root, 'serve/http/server.ts'))).not.toContain('jose');
});
