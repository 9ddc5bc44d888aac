import process from 'node:process';

/** What the suite asks of a client program; read from its environment. */
export const contract = {
  task: process.env['CONFORMANCE_TASK'] ?? 'idle',
  clientId: process.env['CONFORMANCE_CLIENT_ID'] ?? '',
  details: process.env['CONFORMANCE_DETAILS'] ?? '',
  event: process.env['CONFORMANCE_EVENT'] ?? '',
  cmd: process.env['CONFORMANCE_CMD'] ?? '',
  count: Number(process.env['CONFORMANCE_COUNT'] ?? 1),
} as const;

/** Prints one line about what the library showed the app. */
export function tell(saw: string, more: Readonly<Record<string, unknown>> = {}): void {
  process.stdout.write(`${JSON.stringify({ saw, ...more })}\n`);
}

/** Prints an answer; a long one only by its length. */
export function tellReply(number: number, data: unknown): void {
  const { length } = JSON.stringify(data ?? null);
  tell('reply', { number, data: length > 1000 ? { length } : data });
}

/** Prints an error as an app sees it. */
export function tellError(number: number, error: unknown): void {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  tell('error', { number, code, message });
}

/** The operations of a library that the tasks need. */
export interface Library {
  setActivity(activity: Record<string, unknown>): Promise<unknown>;
  clearActivity(): Promise<unknown>;
  request(cmd: string, args: Record<string, unknown>): Promise<unknown>;
  subscribe(event: string): Promise<unknown>;
  leave(): Promise<unknown>;
}

/** Carries out the task once the library is ready. */
export async function perform(library: Library): Promise<void> {
  const told = (number: number, work: Promise<unknown>) =>
    work.then(
      (data) => tellReply(number, data),
      (error: unknown) => tellError(number, error),
    );
  switch (contract.task) {
    case 'presence':
      await told(1, library.setActivity({ details: contract.details }));
      return;
    case 'clear':
      await told(1, library.setActivity({ details: contract.details }));
      await told(2, library.clearActivity());
      return;
    case 'subscribe':
      await told(1, library.subscribe(contract.event));
      return;
    case 'request':
      await Promise.all(
        Array.from({ length: contract.count }, (_, index) =>
          told(index + 1, library.request(contract.cmd, {})),
        ),
      );
      return;
    case 'leave':
      await library.leave();
      return;
    default:
  }
}

/** An app with a window does not end because its bridge is away. */
export function stay(): void {
  setInterval(() => undefined, 60_000);
}
