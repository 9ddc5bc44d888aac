import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { LocalError } from '../base/local-error.ts';
import { type Hello, helloLine, readHello } from './link/hello.ts';
import { Link, type LinkOptions } from './link/link.ts';

/** Time that the process at the other end has to say hello (ms). */
const HELLO_MS = 60_000;

/** Descriptors of the standard streams; a test gives others. */
export interface StdioDescriptors {
  readonly input: number;
  readonly output: number;
}

const OWN: StdioDescriptors = { input: 0, output: 1 };

/** Standard input and output as a link whose other end has said hello. */
export interface StdioLink {
  readonly hello: Hello;
  /** Says hello and makes the link; its `onEnd` is called when the other end has gone. */
  open(options: Pick<LinkOptions, 'onEnd' | 'onSession'>): Link;
  /** Closes both streams, which would keep the process running and the other end waiting. */
  close(): void;
}

/**
 * Reads the hello line on standard input. This end answers it once it can serve, so that the other end learns of a
 * failure. Throws `LocalError` FOOTBRIDGE_USAGE where they are no pipes,
 * and FOOTBRIDGE_FORWARD where the other end does not speak the protocol.
 */
export async function stdioLink(own: Hello, descriptors = OWN): Promise<StdioLink> {
  const input = pipeOf(descriptors, 'input');
  const output = pipeOf(descriptors, 'output');
  const close = (): void => {
    input.destroy();
    output.destroy();
  };
  const result = await readHello(input, output, HELLO_MS);
  const failed = (fault: string): LocalError => {
    close();
    return new LocalError('FOOTBRIDGE_FORWARD', `stdio: the other end ${fault}.`);
  };
  if (result.kind !== 'hello') throw failed(result.fault);
  if (result.hello.side === own.side) {
    const option = own.side === 'apps' ? '--from' : '--to';
    throw failed(`is the same end of a forward as this one: one needs "${option} stdio:"`);
  }
  return {
    hello: result.hello,
    close,
    open(options) {
      output.write(helloLine(own));
      return new Link({
        input,
        output,
        early: result.early,
        opens: own.side === 'apps' ? 'this end' : 'the other end',
        ...options,
      });
    },
  };
}

function pipeOf(descriptors: StdioDescriptors, name: keyof StdioDescriptors): Socket {
  const fd = descriptors[name];
  const status = fstatSync(fd);
  if (!status.isFIFO() && !status.isSocket()) {
    throw new LocalError(
      'FOOTBRIDGE_USAGE',
      `stdio: standard ${name} is not a pipe to another forward. ` +
        `Start this end from the other one: footbridge forward --from PATH --to 'exec:… footbridge forward --from stdio: --to auto'`,
    );
  }
  return new Socket({ fd, readable: name === 'input', writable: name === 'output' });
}
