import { ownText } from '../kernel/own-text.ts';

/** A name as it can stand in an address and in a folder, whatever was sent. */
export function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const safe = last
    .replaceAll(/[^\w.-]+/g, '_')
    .replace(/^\.+/, '')
    .slice(-255);
  return /^[_.-]*$/.test(safe) ? 'unknown' : ownText(safe);
}

/** What a file is called where its name could not stand: without its extension, in at most 1,024 characters. */
export function titleOf(name: string): string | undefined {
  if (safeName(name) === name) return undefined;
  return ownText(name.replace(/(?<=.)\.[^.]*$/s, '').slice(0, 1024)) || undefined;
}
