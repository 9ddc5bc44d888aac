/** An event as the app's own listener got it. */
export interface SeenEvent {
  readonly evt: string;
  readonly data: unknown;
}

/** One SUBSCRIBE: the event's name and its arguments. */
export type Subscription = readonly [evt: string, args?: object];

/** What a login needs; with `token` nobody is asked. */
export interface Login {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Base URL of the token endpoint. */
  readonly api: string;
  readonly token?: string;
}

/** What an app knows after its login. */
interface LoggedIn {
  readonly token: string;
  readonly application: string;
  readonly user: string;
}

/** What each app can do, whichever client library it is made with. Results and errors travel as JSON. */
export interface App {
  /** Handshake up to READY; the name of its user. */
  connect(clientId: string): Promise<string>;
  /** AUTHORIZE, token exchange, AUTHENTICATE. */
  login(login: Login): Promise<LoggedIn>;
  voiceSettings(): Promise<{ readonly mute: boolean; readonly volume: number; readonly mode: string }>;
  setActivity(details: string): Promise<unknown>;
  clearActivity(): Promise<unknown>;
  subscribe(subscription: Subscription): Promise<void>;
  /** All of them in one tick; per subscription `answered`, or the code of its ERROR. */
  subscribeAll(subscriptions: readonly Subscription[]): Promise<readonly ('answered' | number)[]>;
  /** Resolves once that many events have come since connecting, with all that have. */
  events(count: number): Promise<readonly SeenEvent[]>;
  /** Body of the CLOSE frame, once there is one. */
  closed(): Promise<{ readonly code: number; readonly message: string }>;
  destroy(): Promise<void>;
  /** Waits for what the library still does in the background after its logins, for two seconds at most. */
  settle(): Promise<void>;
}

/** An {@link App} call on its way to the app's process. */
export interface AppCall {
  readonly id: number;
  readonly method: keyof App;
  readonly argument: unknown;
}

/** Its answer. */
export type AppAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: { readonly message: string; readonly code?: unknown } };

/** Serves an app's methods to the process that started it, and ends when that process lets go. */
export function serveApp(app: App): void {
  process.on('message', ({ id, method, argument }: AppCall) => {
    const call = app[method] as (argument: unknown) => Promise<unknown>;
    call.call(app, argument).then(
      (result) => answer({ id, result: result ?? null }),
      (error: Error & { code?: unknown }) =>
        answer({ id, error: { message: error.message, code: error.code } }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}

function answer(message: AppAnswer): void {
  process.send?.(message);
}

/** Collects events in the order they came. */
export class EventLog {
  #seen: SeenEvent[] = [];
  #waiting: { readonly count: number; resolve(seen: readonly SeenEvent[]): void }[] = [];

  add(evt: string, data: unknown): void {
    this.#seen.push({ evt, data });
    const due = this.#waiting.filter(({ count }) => count <= this.#seen.length);
    this.#waiting = this.#waiting.filter(({ count }) => count > this.#seen.length);
    for (const waiting of due) waiting.resolve([...this.#seen]);
  }

  async atLeast(count: number): Promise<readonly SeenEvent[]> {
    if (this.#seen.length >= count) return [...this.#seen];
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }
}

/** Waits for each, and says how it went. */
export async function outcomes(
  requests: readonly Promise<unknown>[],
): Promise<readonly ('answered' | number)[]> {
  const settled = await Promise.allSettled(requests);
  return settled.map((result) => (result.status === 'fulfilled' ? 'answered' : codeOf(result.reason)));
}

function codeOf(error: unknown): number {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return code;
  throw error;
}
