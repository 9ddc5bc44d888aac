import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

/** Whether a package finds another, in its own folder or in one above. */
function isFound(from: string, name: string): boolean {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (`${at === '' ? '' : `${at}/`}node_modules/${name}` in packages) return true;
    if (at === '') return false;
  }
}

it('the lock file has every optional package of each of its packages, as npm ci requires', () => {
  const named = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => [from, name] as const),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(([from, name]) => !isFound(from, name))).toEqual([]);
});

it.each([
  '@biomejs/cli-',
  '@esbuild/',
  '@koromix/koffi-',
  '@oxlint-tsgolint/',
  '@oxlint/binding-',
  '@rolldown/binding-',
  '@typescript/typescript-',
])('the lock file has %s for every system', (name) => {
  const found = Object.keys(packages).filter((path) => path.startsWith(`node_modules/${name}`));
  for (const system of ['linux', 'darwin', 'win32'])
    for (const processor of ['x64', 'arm64'])
      expect(
        found.some((path) => path.includes(`${system}-${processor}`)),
        `${system} ${processor}`,
      ).toBe(true);
});

it('the lock file names no registry', () => {
  expect(Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
