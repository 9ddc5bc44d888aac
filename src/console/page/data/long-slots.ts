/**
 * A browser opens six connections to an origin at most, for all its pages together. Requests that wait take these many;
 * the others stay for what a person does.
 */
const SLOTS = 4;

/** Takes the right to hold a connection open; returns how to give it back, or undefined where other pages have all. */
export async function takeSlot(): Promise<(() => void) | undefined> {
  for (let slot = 0; slot < SLOTS; slot += 1) {
    const release = await tryLock(`connection ${slot}`);
    if (release !== undefined) return release;
  }
  return undefined;
}

/** A lock that all pages of the origin share; the browser releases it when the page goes. */
function tryLock(name: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (lock === null) return resolve(undefined);
      return new Promise<void>((release) => resolve(() => release()));
    });
  });
}
