import { expect, it, onTestFinished } from 'vitest';
import { currentOs } from '../../platform/operating-system.ts';
import { listenForApps } from '../../src/forward/socket-source.ts';
import { eventually } from '../helpers/eventually.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { app, paths } from './forwards.ts';

it('a source names the process of an app, or 0 where the system does not report it', async () => {
  const os = await currentOs();
  const { apps } = paths();
  const processes: number[] = [];
  const source = await listenForApps({
    os,
    env: { XDG_RUNTIME_DIR: temporaryFolder() },
    path: apps,
    sink: {
      connect(peer, process) {
        processes.push(process);
        peer.abort('');
      },
    },
    report: () => {},
  });
  onTestFinished(() => source.close());
  app(apps);
  await eventually(() => expect(processes).toEqual([os.native.kind === 'loaded' ? process.pid : 0]));
});
