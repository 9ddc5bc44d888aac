import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { autostartManager } from '../../service/autostart.ts';
import { launchdManager } from '../../service/launchd.ts';
import type { ServiceContext, ServiceManager } from '../../service/manager.ts';
import { runKeyManager } from '../../service/run-key.ts';
import { systemdManager } from '../../service/systemd.ts';
import { taskSchedulerManager } from '../../service/task-scheduler.ts';

const atOnce = async (): Promise<void> => {};

const MANAGERS: Readonly<Record<string, (context: ServiceContext) => ServiceManager>> = {
  systemd: systemdManager,
  autostart: (context) => autostartManager(context, () => {}, 50),
  launchd: (context) => launchdManager(context, { sleep: atOnce }),
  'task-scheduler': (context) => taskSchedulerManager(context, atOnce),
  'run-key': (context) => runKeyManager(context, atOnce, () => {}),
};

/** A session whose manager answers and knows nothing of us. */
function context(changes: string[]): ServiceContext {
  const home = mkdtempSync(join(tmpdir(), 'fb-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return {
    env: { XDG_RUNTIME_DIR: home },
    home,
    uid: 501,
    user: 'ana',
    stateFolder: join(home, 'state'),
    run: async ([program, ...words]) => {
      const asks = words.some((word) => /^(?:show|print|query|\/Query)$/.test(word));
      if (!asks) changes.push([program, ...words].join(' '));
      const isKnown = program === 'systemctl' || words.at(-1) === 'gui/501';
      return { code: isKnown ? 0 : 1, stdout: 'LoadState=not-found\nActiveState=inactive\n', stderr: '' };
    },
  };
}

it.each(Object.entries(MANAGERS))(
  '%s: every command without an installation changes nothing',
  async (kind, make) => {
    const changes: string[] = [];
    const manager = make(context(changes));
    expect(manager.kind).toBe(kind);
    expect(await manager.status()).toEqual({ kind: 'absent' });
    expect(await manager.stop()).toBe(false);
    const nothing = { code: 'FOOTBRIDGE_NOT_INSTALLED' };
    await expect(manager.start()).rejects.toMatchObject(nothing);
    await expect(manager.restart()).rejects.toMatchObject(nothing);
    expect(await manager.uninstall({ force: true })).toEqual({ change: 'unchanged', files: [], notes: [] });
    expect(changes).toEqual([]);
  },
);
