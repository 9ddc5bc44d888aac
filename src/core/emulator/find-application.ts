import { nearName, ofOtherKind } from '../../emulator/api/lookup.ts';
import type { Application } from '../../emulator/applications/records.ts';
import type { Emulator } from '../../emulator/compose/emulator.ts';

/** The application a person means by id or exact name. Throws an Error with a plain message. */
export function findApplication(emulator: Emulator, app: string): Application {
  // An application that nobody has written down is anybody's guess, but not what has another meaning here.
  const other = emulator.tables.applications.has(app) ? '' : ofOtherKind(emulator.tables, app);
  const all = emulator.applications();
  const found = (other === '' ? emulator.application(app) : undefined) ?? all.find((one) => one.name === app);
  if (found !== undefined) return found;
  const meant = other === '' ? nearName(app, all) : '';
  throw new Error(
    `There is no application ${JSON.stringify(app)}${other}; give its id or exact name.${meant}`,
  );
}
