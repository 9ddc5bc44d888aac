import { type ChildProcess, spawn } from 'node:child_process';
import { bundled } from '../helpers/bundled.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import type { App, AppAnswer, AppCall } from './apps/app.ts';

/** The client libraries that apps are made with here, by npm name, and the program that does. */
export const libraries = {
  'discord-rpc': 'discord-rpc',
  '@xhayper/discord-rpc': 'xhayper-discord-rpc',
} as const;

/** One of {@link libraries}. */
export type Library = keyof typeof libraries;

/** An app in a process of its own. Once the process has died every call rejects with how it died. */
export interface RunningApp extends App {
  /** Lets the app go; resolves with its exit code. */
  end(): Promise<number | null>;
}

/** Starts an app that looks for the bridge in `env`. */
export function startApp(
  library: Library,
  env: Readonly<Record<string, string>>,
  { errorListener = true }: { readonly errorListener?: boolean } = {},
): RunningApp {
  const flags = errorListener ? [] : ['--no-error-listener'];
  const child = spawn(process.execPath, [bundled(libraries[library]), ...flags], {
    env: { ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const calls = new Calls(child);
  const exit = new Promise<number | null>((resolve) => {
    child.once('exit', (code, signal) => {
      process.off('exit', killAtExit);
      calls.fail(`the app made with ${library} ended with ${signal ?? code}`);
      resolve(code);
    });
  });
  return {
    connect: (clientId) => calls.make('connect', clientId),
    login: (login) => calls.make('login', login),
    voiceSettings: () => calls.make('voiceSettings'),
    setActivity: (details) => calls.make('setActivity', details),
    clearActivity: () => calls.make('clearActivity'),
    subscribe: (subscription) => calls.make('subscribe', subscription),
    subscribeAll: (subscriptions) => calls.make('subscribeAll', subscriptions),
    events: (count) => calls.make('events', count),
    closed: () => calls.make('closed'),
    destroy: () => calls.make('destroy'),
    settle: () => calls.make('settle'),
    end() {
      if (child.connected) child.disconnect();
      return exit;
    },
  };
}

interface OpenCall {
  resolve(result: never): void;
  reject(error: Error): void;
}

/** The calls on their way to an app, and the end of them all. */
class Calls {
  readonly #child: ChildProcess;
  readonly #open = new Map<number, OpenCall>();
  #next = 1;
  #dead: string | undefined;
  #stderr = '';

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    child.on('message', (answer: AppAnswer) => {
      const call = this.#open.get(answer.id);
      this.#open.delete(answer.id);
      if ('error' in answer) {
        call?.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }));
      } else {
        call?.resolve(answer.result as never);
      }
    });
  }

  make<T>(method: AppCall['method'], argument: unknown = null): Promise<T> {
    if (this.#dead !== undefined) return Promise.reject(new Error(this.#dead));
    const call: AppCall = { id: this.#next++, method, argument };
    return new Promise<T>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`the app waits for ever in ${method}`)), PATIENCE_MS);
      this.#open.set(call.id, {
        resolve: (result) => {
          clearTimeout(late);
          resolve(result);
        },
        reject: (error) => {
          clearTimeout(late);
          reject(error);
        },
      });
      this.#child.send(call, (error) => {
        if (error) reject(error);
      });
    });
  }

  fail(reason: string): void {
    this.#dead = `${reason}\n${this.#stderr}`;
    for (const call of this.#open.values()) call.reject(new Error(this.#dead));
    this.#open.clear();
  }
}
