import { readFileSync } from 'node:fs';

declare const __FOOTBRIDGE_VERSION__: string;
declare const __FOOTBRIDGE_RELEASE__: boolean;

/** The package's version: fixed in a build, read from `package.json` when the sources run. */
export function version(): string {
  if (typeof __FOOTBRIDGE_VERSION__ === 'string') return __FOOTBRIDGE_VERSION__;
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const manifest = JSON.parse(text) as { readonly version: string };
  return manifest.version;
}

/** True in every build; false when the sources run. */
export function isRelease(): boolean {
  return typeof __FOOTBRIDGE_RELEASE__ === 'boolean' && __FOOTBRIDGE_RELEASE__;
}
