/** Key of the list in this browser's storage. */
const KEY = 'footbridge-operations';
/** Maximum number of stored names. */
const MAX_RECENT = 6;

/** Names of the operations that were run last in this browser, newest first. */
export function recentOperations(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Puts an operation at the beginning of the list. */
export function noteOperation(name: string): void {
  const others = recentOperations().filter((one) => one !== name);
  localStorage.setItem(KEY, JSON.stringify([name, ...others].slice(0, MAX_RECENT)));
}
