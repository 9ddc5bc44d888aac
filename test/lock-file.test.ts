import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  readonly resolved?: string;
  /** Whether it is a folder of this checkout, which `resolved` names. */
  readonly link?: boolean;
  /** Systems of a package that is not for every one. */
  readonly os?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

/** Path of the package that another one finds, in its own folder or in one above. */
function pathOf(from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (at === '') return undefined;
  }
}

it('the lock file has every optional package of each of its packages, as npm ci requires', () => {
  const named = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => [from, name] as const),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(([from, name]) => pathOf(from, name) === undefined)).toEqual([]);
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

it('the packages of a build are less than a fifth of all, because a start installs only them', () => {
  const needed = new Set(['']);
  // The loop also visits elements that are added to the set during the loop.
  for (const from of needed) {
    const { dependencies, optionalDependencies, devDependencies } = packages[from] ?? {};
    const names = { ...dependencies, ...optionalDependencies, ...(from === '' ? devDependencies : {}) };
    for (const name of Object.keys(names)) needed.add(pathOf(from, name) ?? '');
  }
  // One of the packages for a system is installed.
  const installed = (paths: Iterable<string>) =>
    [...paths].filter((path) => packages[path]?.os === undefined);
  const all = installed(Object.keys(packages)).length;
  expect(installed(needed).length).toBeLessThan(all / 5);
  expect([...needed].filter((path) => /vitest|playwright|stryker/.test(path))).toEqual([]);
});

it('the lock file names no registry', () => {
  expect(
    Object.entries(packages).filter(([, { resolved, link }]) => resolved !== undefined && !link),
  ).toEqual([]);
});
