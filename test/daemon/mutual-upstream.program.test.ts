import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

it('two bridges that are upstream of each other say so in log, status and doctor, and open no circle of sessions', async () => {
  const folders = [temporaryFolder(), temporaryFolder()];
  const paths = folders.map((folder) => join(folder, 'discord-ipc-0'));
  const bridges = await Promise.all(
    folders.map((XDG_RUNTIME_DIR, at) =>
      startDaemon({
        args: ['--core', 'upstream', '--upstream', paths[1 - at] ?? '', '--ws-port', 'off'],
        env: { XDG_RUNTIME_DIR },
      }),
    ),
  );
  onTestFinished(async () => void (await Promise.all(bridges.map((bridge) => bridge.stop()))));
  const app = { clientId: '300000000000000001', paths: paths.slice(0, 1), reconnect: false };
  await expect(connect(app)).rejects.toThrow();
  for (const [at, bridge] of bridges.entries()) {
    const { sessions } = (await bridge.json('status')) as { sessions: unknown[] };
    expect(sessions).toEqual([]);
    const text = `${paths[1 - at]} leads back to this bridge`;
    // Between two looks at the upstream, nobody is known to be there.
    for (const command of ['status', 'doctor'])
      await expect.poll(async () => (await bridge.cli([command])).stdout).toContain(text);
    expect(bridge.output().stderr).toContain(text);
  }
});
