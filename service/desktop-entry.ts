import type { ServiceDefinition } from './manager.ts';

/** Returns the Desktop Entry that a desktop session starts after login (XDG autostart). */
export function desktopEntry({ argv, env }: Pick<ServiceDefinition, 'argv' | 'env'>): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const words = variables.length === 0 ? argv : ['env', ...variables, ...argv];
  return `# Written by "footbridge install"; "footbridge uninstall" takes it away.
[Desktop Entry]
Type=Application
Version=1.0
Name=Footbridge
Comment=Local RPC bridge
Exec=${words.map(execWord).join(' ')}
Terminal=false
NoDisplay=true
`;
}

/**
 * Formats one argument of `Exec` by the Desktop Entry Specification: it is quoted unless it is plain, and percent signs
 * are doubled. Then the result is escaped once more, as any value is, so that a backslash is written twice.
 */
export function execWord(word: string): string {
  const doubled = word.replaceAll('%', '%%');
  if (/^[\w@%+=:,./-]+$/.test(doubled)) return doubled;
  const quoted = `"${doubled.replace(/["`$\\]/g, (sign) => `\\${sign}`)}"`;
  return quoted
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r');
}
