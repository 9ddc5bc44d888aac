import { expect, it } from 'vitest';
import { ActivityLinter } from '../../../src/core/emulator/activity/linter.ts';
import type { AppSession } from '../../../src/core/emulator/app-session.ts';
import { AppSessions } from '../../../src/core/emulator/open-session.ts';
import { emulatorWorld, ids } from '../../helpers/emulator-world.ts';

/** Counts how often somebody looks at all of them. */
class CountedSessions extends Map<string, AppSession> {
  looks = 0;

  override values(): MapIterator<AppSession> {
    this.looks += 1;
    return super.values();
  }
}

async function crowd(size: number) {
  const { emulator } = await emulatorWorld();
  const sessions = new CountedSessions();
  const apps = new AppSessions({
    emulator,
    sessions,
    linter: new ActivityLinter(
      () => 'as-client',
      () => {},
    ),
    host: {
      emit: () => 0,
      relay() {},
      closeSessions: () => 0,
      grant() {},
      log() {},
    },
    describeProgram: () => undefined,
    authorized: () => {},
  });
  const application = emulator.application(ids.harbourExample);
  if (application === undefined) throw new Error('the fixture has another application');
  const opened = Array.from({ length: size }, (_, index) =>
    apps.open(
      {
        sessionId: `s${index}`,
        clientId: application.id,
        transport: 'ipc',
        signal: new AbortController().signal,
      },
      application,
    ),
  );
  return { emulator, sessions, opened };
}

it('a session closes without an iteration over the other sessions', async () => {
  const { emulator, sessions, opened } = await crowd(100);
  emulator.invitations.requestJoin(ids.heron, ids.harbourExample);
  for (const [index, session] of opened.entries()) {
    expect(emulator.invitations.hasRequested(ids.heron, ids.harbourExample), `${index} have left`).toBe(true);
    session.close();
    // Leaving twice is leaving once.
    session.close();
  }
  expect(emulator.invitations.hasRequested(ids.heron, ids.harbourExample)).toBe(false);
  expect([sessions.size, sessions.looks]).toEqual([0, 0]);
});
