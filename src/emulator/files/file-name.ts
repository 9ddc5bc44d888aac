import { ownText } from '../kernel/own-text.ts';

/** Makes any file name safe for use in a URL and in a folder. */
export function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const safe = last
    .replaceAll(/[^\w.-]+/g, '_')
    .replace(/^\.+/, '')
    .slice(-255);
  return /^[_.-]*$/.test(safe) ? 'unknown' : ownText(safe);
}

/**
 * The display name of a file whose name was not safe: the name without its extension, at most 1,024 characters.
 * Undefined for a safe name.
 */
export function titleOf(name: string): string | undefined {
  if (safeName(name) === name) return undefined;
  return ownText(name.replace(/(?<=.)\.[^.]*$/s, '').slice(0, 1024)) || undefined;
}
