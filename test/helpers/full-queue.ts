import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { startProgram } from './sockets.ts';

/** A server whose queue is full, as it is while it is stopped by a signal. */
export interface FullQueue {
  /** Lets it go on: it takes who waits, and answers them. */
  goOn(): void;
}

/** Listens at the path in a process of its own, with room for few; ends after the test. `answer` is JavaScript: `(socket) => …`. */
export async function fullQueue(path: string, answer = '() => {}'): Promise<FullQueue> {
  const script = `require('node:net').createServer(${answer}).listen({ path: ${JSON.stringify(path)}, backlog: 2 }, () => console.log('up'))`;
  const { child } = await startProgram(process.execPath, ['-e', script]);
  child.kill('SIGSTOP');
  const codes: (string | undefined)[] = [];
  const waiting: Socket[] = Array.from({ length: 12 }, () =>
    connect(path).on('error', (error: NodeJS.ErrnoException) => codes.push(error.code)),
  );
  onTestFinished(() => {
    for (const socket of waiting) socket.destroy();
  });
  await eventually(() => {
    if (!codes.includes('EAGAIN')) throw new Error('the queue is not full');
  });
  return { goOn: () => void child.kill('SIGCONT') };
}
