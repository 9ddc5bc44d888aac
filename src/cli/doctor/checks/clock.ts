import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, dataFolderOf, failed, notApplicable, ok, warning } from '../check.ts';
import { namesIn } from '../names-in.ts';

/** Date of the first release (ms since 1970): a clock that is earlier is wrong. */
const FIRST_RELEASE = Date.UTC(2026, 10, 1);
/** Tolerated difference between clocks (ms), because the clocks of file servers differ a little. */
const TOLERANCE_MS = 60_000;

/**
 * Whether the clock is right: a clock that was set back lets tokens live longer, and a clock that is ahead lets them
 * expire at once.
 */
export const clock: Check = {
  id: 'clock',
  title: 'Clock of this machine',
  explanation: `
    Tokens have an expiry time. A clock that was set back makes them last longer than they should, and a clock that is
    ahead makes them expire at once. The check compares the clock with the newest file in the data folder.

    Set the clock, best by network time. A warning goes away when the time of that file has passed.
  `,
  inspect(scene) {
    const { now } = scene;
    const fix = 'set the clock, best by network time; on Linux: timedatectl set-ntp true';
    const timeText = new Date(now).toISOString();
    if (now < FIRST_RELEASE) return failed(fix, `it says ${timeText}, which is long past`);
    const folder = dataFolderOf(scene);
    if (folder === undefined) return notApplicable('the data folder to compare with is not known');
    const newest = newestIn(folder);
    if (newest === undefined || newest.time <= now + TOLERANCE_MS) return ok(`it says ${timeText}`);
    return warning(
      fix,
      `it says ${timeText}, and ${newest.path} was written at ${new Date(newest.time).toISOString()}`,
      'tokens last longer than they should until then',
    );
  },
};

function newestIn(folder: string): { readonly path: string; readonly time: number } | undefined {
  const files = namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const time = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
    return time === undefined ? [] : [{ path, time }];
  });
  return files.sort((a, b) => b.time - a.time)[0];
}
