import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { temporaryFolder } from './sockets.ts';

/** A running arRPC, the server that most people use today. */
export interface Arrpc {
  readonly path: string;
  /** What its bridge was told last about each socket, as JSON lines on stdout. */
  readonly activities: () => readonly unknown[];
  readonly stop: () => Promise<void>;
}

/** Prints every activity it is told; whatever it listens on besides is on loopback only. */
const PROGRAM = `
const { Server } = require('node:net');
const { listen } = Server.prototype;
Server.prototype.listen = function (port, host, ...rest) {
  return listen.call(this, port, typeof port === 'number' && typeof host !== 'string' ? '127.0.0.1' : host, ...rest);
};
import(process.argv[2]).then(async ({ default: Arrpc }) => {
  const server = await new Arrpc();
  server.on('activity', (activity) => console.log('ACTIVITY ' + JSON.stringify(activity)));
  console.log('LISTENING');
});
`;

/** Starts it on \`discord-ipc-0\` of a folder. */
export async function startArrpc(folder: string = temporaryFolder()): Promise<Arrpc> {
  const program = join(folder, 'arrpc.cjs');
  writeFileSync(program, PROGRAM);
  const module = new URL('./server.js', import.meta.resolve('arrpc')).href;
  const child: ChildProcess = spawn(process.execPath, [program, module, '--no-process-scanning'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH: process.env['PATH'] ?? '', XDG_RUNTIME_DIR: folder, ARRPC_NO_PROCESS_SCANNING: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(stop);
  await eventually(
    () => {
      if (!output.includes('LISTENING')) throw new Error(`arRPC does not listen: ${output}`);
    },
    { timeout: 20_000 },
  );
  return {
    path: join(folder, 'discord-ipc-0'),
    activities: () =>
      output
        .split('\n')
        .filter((line) => line.startsWith('ACTIVITY '))
        .map((line) => JSON.parse(line.slice('ACTIVITY '.length)) as unknown),
    stop,
  };
}
