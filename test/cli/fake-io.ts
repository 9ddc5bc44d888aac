import { Readable } from 'node:stream';
import type { Environment } from '../../platform/endpoint/endpoints.ts';
import type { Io } from '../../src/daemon/io.ts';

/**
 * What a command says when its bridge has not answered for a while. A bridge in the process of the test is busy with whatever
 * else the test does there, so the sentence tells of the load of the machine and is left out.
 */
const SLOW = /^footbridge: the bridge at .* does not answer yet; .*\n/gm;

/** A process that keeps what it is told. */
export function fakeIo(
  env: Environment = {},
  stdin: string | Uint8Array = '',
): Io & { stdout(): string; stderr(): string } {
  let stdout = '';
  let stderr = '';
  return {
    env,
    outClosed: new AbortController().signal,
    stdin: Readable.from([Buffer.from(stdin)]),
    out: (text) => {
      stdout += text;
    },
    outTaken: async () => {},
    err: (text) => {
      stderr += text;
    },
    colour: { out: false, err: false },
    terminal: { out: false, err: false },
    interactive: false,
    stdout: () => stdout,
    stderr: () => stderr.replace(SLOW, ''),
  };
}
