import type { Application } from '../../emulator/applications/records.ts';
import type { Emulator } from '../../emulator/emulator.ts';

/** The application a person means by id or exact name. Throws an Error with a plain message. */
export function findApplication(emulator: Emulator, app: string): Application {
  const found = emulator.application(app) ?? emulator.applications().find((one) => one.name === app);
  if (found !== undefined) return found;
  throw new Error(`There is no application ${JSON.stringify(app)}; give its id or exact name`);
}
