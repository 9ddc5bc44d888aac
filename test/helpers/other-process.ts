import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './sockets.ts';

/** Hands every connection on, so that the bridge sees this process at the other end. */
const PROGRAM = `
const { connect, createServer } = require('node:net');
const [own, bridge] = process.argv.slice(1);
const server = createServer({ allowHalfOpen: true }, (peer) => {
  const link = connect({ path: bridge, allowHalfOpen: true });
  peer.pipe(link).pipe(peer);
  for (const [one, other] of [[peer, link], [link, peer]]) {
    one.on('error', () => {}).on('close', () => other.destroySoon());
  }
});
server.listen(own, () => process.stdout.write('ready'));
`;

/**
 * The path of a socket that leads to the bridge at `path` by way of another process: what connects there is, to the bridge,
 * a connection of that process. It ends with the test.
 */
export async function byOtherProcess(path: string): Promise<string> {
  const own = join(temporaryFolder(), 'way');
  const child = spawn(process.execPath, ['-e', PROGRAM, own, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  await Promise.race([
    new Promise((resolve) => child.stdout.once('data', resolve)),
    closed.then(() => {
      throw new Error('the other process ended before it listened');
    }),
  ]);
  return own;
}
