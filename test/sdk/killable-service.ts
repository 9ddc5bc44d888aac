import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createRuntime, type Daemon, startDaemon } from '../helpers/daemon.ts';

/** A service at one address, that can be killed and is there again a moment later. */
export async function killableService() {
  const runtime = createRuntime();
  const world = join(runtime.folder, 'world.jsonl');
  let more: readonly string[] = [];
  const start = (port: number): Promise<Daemon> =>
    startDaemon({
      runtime,
      args: ['--consent', 'allow', '--http-port', String(port), '--ws-port', 'off', ...more],
    });
  let daemon = await start(0);
  const api = String(daemon.ready.api);
  onTestFinished(async () => {
    await daemon.stop();
    runtime.remove();
  });
  return {
    api,
    endpoint: daemon.endpoint,
    /** From now on it begins with the world as it is now; a kill loses what is later. */
    async keep(): Promise<void> {
      const { code, stderr } = await daemon.cli(['emulator', 'export', world]);
      if (code !== 0) throw new Error(stderr);
      more = ['--fixture', world];
    },
    async killIn(ms: number): Promise<void> {
      await sleep(ms);
      await daemon.kill();
      daemon = await start(Number(new URL(api).port));
    },
  };
}
