import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { Operation } from '../../src/emulator/api/operation.ts';
import { platformRoutes } from '../../src/emulator/compose/reference.ts';
import { requestPathOf } from '../../src/emulator/serve/http/routes.ts';
import type { Judge } from '../helpers/public-document.ts';

/** An answer of the platform, as it left. */
export interface GivenAnswer {
  readonly operation: Operation;
  readonly status: number;
  readonly text: string;
}

/** Ports at which an emulator of a story listens: whatever else listens in this process is a story's own. */
const ports = new Set<number>();

/** From here on the answers at this port are watched. */
export function watchPort(port: number): void {
  ports.add(port);
}

/** Every answer of every emulator in this process. */
export class AnswerWatch {
  readonly #routes = platformRoutes();
  #given: GivenAnswer[] = [];

  /** Stands between the program and its socket, for as long as the process lives. */
  install(): void {
    subscribe('http.server.request.start', (message) => {
      const { response } = message as { readonly response: ServerResponse };
      // Whoever has not sent all of a request is answered in a write and an end, and the end may be said again.
      let written = '';
      const write = response.write.bind(response) as (...args: unknown[]) => boolean;
      response.write = (...args: unknown[]) => {
        written += typeof args[0] === 'string' ? args[0] : '';
        return write(...args);
      };
      const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
      response.end = (...args: unknown[]) => {
        if (!response.writableEnded) this.#note(response, typeof args[0] === 'string' ? args[0] : written);
        return end(...args);
      };
    });
  }

  #note(response: ServerResponse, text: string): void {
    const { req, statusCode } = response;
    if (!ports.has(req.socket.localPort ?? 0)) return;
    const [path = ''] = (req.url ?? '').split('?');
    const found = this.#routes.find(req.method ?? '', requestPathOf(path.replaceAll('%40', '@')));
    if (found.kind !== 'found') return;
    // A file has no shape; a refusal has one, whatever it says of itself.
    const isFile = text !== '' && !String(response.getHeader('content-type')).includes('json');
    if (isFile && statusCode < 300 && !found.operation.isPage) return;
    this.#given.push({ operation: found.operation, status: statusCode, text });
  }

  /** What was answered since the last call. */
  take(): GivenAnswer[] {
    return this.#given.splice(0);
  }
}

/** Whatever an answer must not say: a place in our source, or a stack. */
const TELLING = /\.(ts|js|mjs):\d+|\n {2,}at |node:internal|\/dist\//;

/** What is wrong with an answer: by our own declaration, and by the public document where that is at hand. */
export function faultOf(
  { operation, status, text }: GivenAnswer,
  judge: Judge | undefined,
): string | undefined {
  const where = `${operation.id} answered ${status} ${text.slice(0, 600)}`;
  if (TELLING.test(text)) return `${where}: tells of its inside`;
  if (operation.isPage) return undefined;
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  if (status < 300) {
    const declared = operation.answers[status];
    if (declared === undefined) return `${where}: that status is not declared`;
    const wrong = declared === null ? text !== '' : !declared.safeParse(body).success;
    if (wrong) return `${where}: not as it is declared`;
  } else if (!isError(body)) {
    return `${where}: neither an error of the API nor one of OAuth 2.0`;
  } else if (status >= 500 && text.includes('a fault answered in the place of the platform'))
    return undefined;
  const faults = judge?.faults(operation.id, status, body) ?? [];
  return faults.length === 0 ? undefined : `${where}: by the public document ${faults.join(', ')}`;
}

function isError(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const { message, code, error, errors = {}, target_users_file } = body as Readonly<Record<string, unknown>>;
  // The lines of a list of users have a shape of their own.
  if (target_users_file !== undefined) {
    return Array.isArray(target_users_file) && target_users_file.every((line) => /^Line \d+: /.test(line));
  }
  if (typeof error === 'string') return /^[a-z_]+$/.test(error);
  return typeof message === 'string' && Number.isInteger(code) && isFaults(errors);
}

/** Faults where they stand: objects in objects, and in each `_errors` a list of codes and sentences. */
function isFaults(tree: unknown): boolean {
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) return false;
  return Object.entries(tree).every(([name, below]) =>
    name === '_errors' ? Array.isArray(below) && below.length > 0 && below.every(isFault) : isFaults(below),
  );
}

function isFault(value: unknown): boolean {
  const { code, message } = Object(value) as Readonly<Record<string, unknown>>;
  return typeof code === 'string' && typeof message === 'string' && message !== '';
}
