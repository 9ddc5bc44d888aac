import { expect, it } from 'vitest';
import { entranceText } from '../../src/core/entrance-text.ts';

it('entranceText names the endpoint and the sandbox', () => {
  expect(entranceText({ name: 'a', sandbox: 'Flatpak org.a' })).toBe('endpoint "a", Flatpak org.a');
  expect(entranceText({ name: 'a', sandbox: 'unverified' })).toBe('endpoint "a", unverified sandbox');
  expect(entranceText({ name: 'a', sandbox: null })).toBe('endpoint "a", outside of a sandbox');
});
