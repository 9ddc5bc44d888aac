import { expect, it } from 'vitest';
import { isModulePath } from '../../src/daemon/module-path.ts';

it.each(['./core', '/core', 'a\\b', 'core.js', 'core.mjs', 'core.cjs'])(
  '%s is the path of a module',
  (name) => {
    expect(isModulePath(name)).toBe(true);
  },
);

it.each(['core', 'corejs', 'core.jsx', 'core.xjs', 'core.js.map', ''])('%j is the name of a core', (name) => {
  expect(isModulePath(name)).toBe(false);
});
