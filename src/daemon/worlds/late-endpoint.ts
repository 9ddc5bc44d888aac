import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { IpcTransport } from '../../transport/ipc/ipc.ts';
import type { Transport } from '../../transport/transport.ts';

/** The endpoint of a world. It is created by the first request for it, because most worlds serve no app. */
export class LateEndpoint implements Transport {
  readonly #path: string;
  readonly #makeTransport: (path: string) => IpcTransport;
  #accept: Parameters<Transport['listen']>[0] = () => {};
  #opened: Promise<IpcTransport> | undefined;
  #isOpen = false;

  constructor(path: string, makeTransport: (path: string) => IpcTransport) {
    this.#path = path;
    this.#makeTransport = makeTransport;
  }

  /** Path of the socket or pipe; null before `open`. */
  get path(): string | null {
    return this.#isOpen ? this.#path : null;
  }

  async listen(accept: Parameters<Transport['listen']>[0]): Promise<readonly []> {
    this.#accept = accept;
    return [];
  }

  /** Listens, once. Rejects with the reason when that fails. */
  async open(): Promise<string> {
    this.#opened ??= this.#listen();
    await this.#opened;
    return this.#path;
  }

  async #listen(): Promise<IpcTransport> {
    if (!this.#isPipe) mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const transport = this.#makeTransport(this.#path);
    await transport.listen(this.#accept);
    this.#isOpen = true;
    return transport;
  }

  stopAccepting(): void {
    void this.#opened?.then((transport) => transport.stopAccepting());
  }

  async close(): Promise<void> {
    if (this.#opened === undefined) return;
    this.#isOpen = false;
    await (await this.#opened.catch(() => undefined))?.close();
    if (!this.#isPipe) rmSync(dirname(this.#path), { recursive: true, force: true });
  }

  get #isPipe(): boolean {
    return this.#path.startsWith('\\\\');
  }
}
