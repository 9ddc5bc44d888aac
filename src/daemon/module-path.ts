/** The client cores that are ours. */
export const coreNames = ['emulator', 'upstream', 'attach'] as const;

/** Whether it is the path of a module and not the name of a core of ours. */
export function isModulePath(name: string): boolean {
  return /[/\\]|\.[cm]?js$/.test(name);
}
