import { resolve } from 'node:path';
import { silentLogger } from '../server/options.ts';
import { bridgeVariables, startPrivateBridge } from './emulate/private-bridge.ts';

/** How to start an emulator for a test. */
export interface StartEmulatorOptions {
  /** Path of a fixture file; the built-in fixture without it. */
  readonly fixture?: string;
  /** What happens on AUTHORIZE: `allow` unless given; `ask` waits for `requests.approve`. */
  readonly consent?: 'ask' | 'allow' | 'deny';
}

/** A private emulator, in this process. */
export interface TestEmulator extends AsyncDisposable {
  /** What a program needs in its environment to find the emulator; spread it over `process.env`. */
  readonly env: Readonly<Record<string, string>>;
  /** Temporary folder (mode 0700), removed by `close`. */
  readonly folder: string;
  /** Path of the socket or pipe. */
  readonly endpoint: string;
  /** Base URL of the token endpoint, such as `http://127.0.0.1:4000/api`. */
  readonly api: string;
  readonly operations: {
    /** Runs an operation, such as `voice.set` with `{key, value}`. Throws an Error with `code` and `message`. */
    call(name: string, args?: object): Promise<unknown>;
  };
  /** Ends every session and removes the folder. May be called more than once. */
  close(): Promise<void>;
}

/**
 * Starts a private emulator that lives as long as the test wants: no daemon, no configuration, nothing kept.
 * Not available in worker threads. Throws an Error with a `FOOTBRIDGE_…` code.
 */
export async function startEmulator(options: StartEmulatorOptions = {}): Promise<TestEmulator> {
  const bridge = await startPrivateBridge({
    fixture: options.fixture === undefined ? null : resolve(options.fixture),
    consent: options.consent ?? 'allow',
    logger: silentLogger,
  });
  const { folder, endpoint, api, daemon } = bridge;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= bridge.close();
    return closing;
  };
  return {
    env: bridgeVariables(process.env, bridge),
    folder,
    endpoint,
    api,
    // Without a pid: a test asks and approves in one process, which nobody else may.
    operations: { call: (name, args = {}) => daemon.call(name, args, { via: 'control' }) },
    close,
    [Symbol.asyncDispose]: close,
  };
}
