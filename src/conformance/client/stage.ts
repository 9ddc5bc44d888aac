import { once } from 'node:events';
import { mkdirSync, renameSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { Failure, NotApplicable } from '../failure.ts';
import { formatText } from '../format.ts';
import { isRecord } from '../schema.ts';
import type { Settings } from '../settings.ts';
import { type PrivateFolder, privateEnv, privateFolder } from '../target/folder.ts';
import { endpointPath, sleep } from '../target/launch.ts';
import { formatExit, type Process, startProcess, withLastOutput } from '../target/process.ts';
import type { Timeouts } from '../timeouts.ts';
import type { Trace } from '../trace/trace.ts';
import { Visitor } from './visitor.ts';

/** Task for the client under test; see the contract in the README. */
export type Task = 'idle' | 'presence' | 'clear' | 'subscribe' | 'request' | 'leave';

/** Line in which the client reports an event. */
export interface Sighting {
  readonly saw: string;
  readonly [key: string]: unknown;
}

/** Non-ASCII text that the client has to transfer. */
export const DETAILS = 'né€😀 Conformance';

/** Endpoint that the suite serves. */
export class Endpoint {
  readonly path: string;
  readonly #timeouts: Timeouts;
  readonly #trace: Trace | undefined;
  readonly #visitors: Visitor[] = [];
  readonly #sockets = new Set<Socket>();
  #waiter: ((visitor: Visitor | undefined) => void) | undefined;
  #server: Server | undefined;
  #hangsUp = false;
  /** Number of connections since the start. */
  visits = 0;

  constructor(path: string, timeouts: Timeouts, trace?: Trace) {
    this.path = path;
    this.#timeouts = timeouts;
    this.#trace = trace;
  }

  async open(): Promise<void> {
    if (platform() !== 'win32') mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const server = createServer((socket) => {
      this.visits++;
      if (this.#hangsUp) {
        socket.destroy();
        return;
      }
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      const trace = this.#trace?.connection(`the client, at ${this.path}`);
      const visitor = new Visitor(socket, this.#timeouts.answerMs, trace);
      if (this.#waiter !== undefined) this.#waiter(visitor);
      else this.#visitors.push(visitor);
    });
    this.#server = server;
    server.listen(this.path);
    await once(server, 'listening');
  }

  /** Next connection that sends at least one byte. */
  async visitor(ms = this.#timeouts.startMs): Promise<Visitor> {
    const until = Date.now() + ms;
    for (;;) {
      const visitor = await this.#next(Math.max(1, until - Date.now()));
      if (visitor === undefined)
        throw new Failure('a connection of the client', `none within ${ms} ms`, 'silent');
      // Connections without data are skipped: some clients first test the endpoint and then reconnect.
      await Promise.race([
        once(visitor.socket, 'data'),
        once(visitor.socket, 'close'),
        sleep(this.#timeouts.answerMs),
      ]);
      if (visitor.socket.bytesRead > 0) return visitor;
    }
  }

  #next(ms: number): Promise<Visitor | undefined> {
    const first = this.#visitors.shift();
    if (first !== undefined) return Promise.resolve(first);
    return new Promise((resolve) => {
      const settle = (visitor: Visitor | undefined): void => {
        clearTimeout(timer);
        this.#waiter = undefined;
        resolve(visitor);
      };
      const timer = setTimeout(() => settle(undefined), ms);
      this.#waiter = settle;
    });
  }

  /** Ends every later connection immediately. */
  hangUp(): void {
    this.#hangsUp = true;
  }

  /** Ends every connection and the endpoint. */
  async close(): Promise<void> {
    this.#waiter?.(undefined);
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    if (server === undefined) return;
    server.close();
    await once(server, 'close');
  }
}

/** Leaves a socket file without a listener, as a killed server does. */
export async function leaveStale(path: string): Promise<void> {
  const server = createServer().listen(`${path.slice(0, path.lastIndexOf('/'))}/s`);
  await once(server, 'listening');
  // Closing a listener removes the file under its bound name, but not a renamed file.
  renameSync(`${path.slice(0, path.lastIndexOf('/'))}/s`, path);
  server.close();
  await once(server, 'close');
}

/** Maximum of stored lines, for a client that prints without end. */
const MAX_SIGHTINGS = 10_000;

/** Running client under test. */
export class Client {
  readonly process: Process;
  readonly #sightings: Sighting[] = [];
  readonly #waking = new Set<() => void>();

  constructor(process: Process) {
    this.process = process;
    process.onLine((line) => {
      const sighting = readSighting(line);
      if (sighting === undefined || this.#sightings.length >= MAX_SIGHTINGS) return;
      this.#sightings.push(sighting);
      this.#resumeAll();
    });
    void process.ended.then(() => this.#resumeAll());
  }

  /** Whether the client has printed a line of the contract that no case has consumed yet. */
  get hasReported(): boolean {
    return this.#sightings.length > 0;
  }

  /** Waits for a line that reports this event, and consumes the line. */
  async saw(
    what: string,
    ms: number,
    matches: (sighting: Sighting) => boolean = () => true,
  ): Promise<Sighting> {
    const until = Date.now() + ms;
    for (;;) {
      const index = this.#sightings.findIndex((one) => one.saw === what && matches(one));
      const [found] = index < 0 ? [] : this.#sightings.splice(index, 1);
      if (found !== undefined) return found;
      if (this.#sightings.some((one) => one.saw === 'unsupported')) {
        throw new NotApplicable('the client says it does not offer this');
      }
      if (this.process.exit !== undefined) {
        const output = this.process.lastOutput();
        throw new Failure(
          `the client to print "${what}"`,
          withLastOutput(formatExit(this.process.exit), output),
          'gone',
        );
      }
      const left = until - Date.now();
      if (left <= 0) throw new Failure(`the client to print "${what}"`, this.#sawAny(ms), 'silent');
      await this.#change(left);
    }
  }

  /** Waits until the client has printed one of these lines, or has ended with an exit code of its own. */
  async sawAny(whats: readonly string[], ms: number): Promise<void> {
    const until = Date.now() + ms;
    while (Date.now() < until) {
      if (this.#sightings.some((one) => whats.includes(one.saw))) return;
      if (this.process.exit?.kind === 'code') return;
      await this.#change(until - Date.now());
    }
    throw new Failure(`the client to print ${whats.join(' or ')}, or to end`, this.#sawAny(ms), 'silent');
  }

  /** Verifies that the client has not printed this line. */
  notSeen(what: string): void {
    const found = this.#sightings.find((one) => one.saw === what);
    if (found !== undefined)
      throw new Failure(`the client not to print "${what}"`, formatText(JSON.stringify(found), 120));
  }

  /** Verifies that the client still runs or has exited regularly, without a crash. */
  verifyNoCrash(): void {
    const { exit } = this.process;
    if (exit === undefined || (exit.kind === 'code' && exit.code === 0)) return;
    throw new Failure(
      'the client not to crash',
      withLastOutput(formatExit(exit), this.process.lastOutput()),
      'gone',
    );
  }

  #sawAny(ms: number): string {
    const seen = this.#sightings.map((one) => one.saw).join(', ');
    return `nothing of the kind within ${ms} ms${seen === '' ? '' : `, but ${formatText(seen, 80)}`}`;
  }

  #resumeAll(): void {
    for (const notify of this.#waking) notify();
  }

  async #change(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const notify = () => {
        clearTimeout(timer);
        this.#waking.delete(notify);
        resolve();
      };
      const timer = setTimeout(notify, Math.max(1, ms));
      this.#waking.add(notify);
    });
  }
}

function readSighting(line: string): Sighting | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) && typeof value['saw'] === 'string' ? (value as unknown as Sighting) : undefined;
  } catch {
    return undefined;
  }
}

/** Environment of a case of the client suite: a private folder, its endpoints, and the client. */
export class Stage {
  readonly settings: Settings;
  readonly #command: string;
  readonly #folder: PrivateFolder = privateFolder();
  readonly #endpoints: Endpoint[] = [];
  readonly #clients: Client[] = [];
  #isClosed = false;

  constructor(settings: Settings, command: string) {
    this.settings = settings;
    this.#command = command;
  }

  /** Folder of XDG_RUNTIME_DIR and the other variables. */
  get folder(): string {
    return this.#folder.run;
  }

  get timeouts(): Timeouts {
    return this.settings.timeouts;
  }

  /** Serves an endpoint; `folder` is absolute. */
  async open(index = 0, folder = this.folder): Promise<Endpoint> {
    const endpoint = new Endpoint(endpointPath(folder, index), this.timeouts, this.settings.tracer?.current);
    await endpoint.open();
    this.#endpoints.push(endpoint);
    return endpoint;
  }

  /** Starts the client with a task. */
  start(task: Task, env: Readonly<Record<string, string | undefined>> = {}): Client {
    if (this.#isClosed) throw new Failure('the case to have ended', 'it starts the client again', 'gone');
    const process = startProcess(this.#command, {
      ...privateEnv(this.settings.env, this.#folder),
      CONFORMANCE_CLIENT_ID: this.settings.clientId,
      CONFORMANCE_TASK: task,
      CONFORMANCE_DETAILS: DETAILS,
      CONFORMANCE_EVENT: 'VOICE_SETTINGS_UPDATE',
      CONFORMANCE_CMD: 'GET_VOICE_SETTINGS',
      CONFORMANCE_COUNT: '1',
      ...env,
    });
    const client = new Client(process);
    this.#clients.push(client);
    return client;
  }

  /** Client with this task, its connection and its endpoint, after READY. */
  async meet(
    task: Task,
    env: Readonly<Record<string, string | undefined>> = {},
  ): Promise<{ client: Client; endpoint: Endpoint; visitor: Visitor }> {
    const endpoint = await this.open();
    const client = this.start(task, env);
    const visitor = await this.visit(endpoint, client);
    await visitor.welcome();
    return { client, endpoint, visitor };
  }

  /** Connection of the client; a client that prints `unsupported` does not connect. */
  async visit(endpoint: Endpoint, client: Client): Promise<Visitor> {
    const refusal = client.saw('unsupported', this.timeouts.startMs).then(
      () => new NotApplicable('the client says it does not offer this'),
      (error: unknown) => error,
    );
    const arrival = endpoint.visitor();
    arrival.catch(() => undefined);
    const first = await Promise.race([arrival, refusal]);
    if (first instanceof Visitor) return first;
    if (first instanceof Failure && first.kind === 'silent') return await arrival;
    throw first;
  }

  /** Ends all processes and endpoints, and removes the folder. */
  async close(): Promise<void> {
    // An abandoned case continues for a while, but must not start another process.
    this.#isClosed = true;
    await Promise.all(this.#clients.map((client) => client.process.kill()));
    await Promise.all(this.#endpoints.map((endpoint) => endpoint.close()));
    this.#folder.remove();
  }
}
