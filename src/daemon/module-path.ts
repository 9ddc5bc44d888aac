/** The built-in client cores. */
export const coreNames = ['emulator', 'upstream', 'attach'] as const;

/** Whether the name of a core is the path of a module, and not the name of a built-in core. */
export function isModulePath(name: string): boolean {
  return /[/\\]|\.[cm]?js$/.test(name);
}
