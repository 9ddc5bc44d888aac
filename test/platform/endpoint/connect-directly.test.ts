import { once } from 'node:events';
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectDirectly } from '../../../platform/endpoint/connect-directly.ts';
import { listenOn, temporaryFolder } from '../../helpers/sockets.ts';

const errorAt = async (path: string): Promise<unknown> =>
  (await once(connectDirectly(path, net), 'error'))[0];

describe.skipIf(process.platform !== 'linux')('connectDirectly (Linux only)', () => {
  it('connects to a socket, and keeps no descriptor of its file', async () => {
    const path = join(temporaryFolder(), 's');
    const server = await listenOn({ path });
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    const socket = connectDirectly(path, net);
    // That of the connection.
    expect(open() - before).toBeLessThanOrEqual(1);
    const [accepted] = (await once(server, 'connection')) as [net.Socket];
    accepted.end('hello');
    expect(String((await once(socket, 'data'))[0])).toBe('hello');
    socket.destroy();
  });

  it('follows no link, also one to a socket with a server', async () => {
    const folder = temporaryFolder();
    await listenOn({ path: join(folder, 's') });
    symlinkSync('s', join(folder, 'link'));
    symlinkSync('loop', join(folder, 'loop'));
    for (const name of ['link', 'loop'])
      expect(await errorAt(join(folder, name))).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('fails as a connect does at a missing path and at another file', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(await errorAt(join(folder, 'none'))).toMatchObject({ code: 'ENOENT' });
    expect(await errorAt(join(folder, 'file', 's'))).toMatchObject({ code: 'ENOTDIR' });
    expect(await errorAt(join(folder, 'file'))).toMatchObject({ code: 'ECONNREFUSED' });
  });
});
