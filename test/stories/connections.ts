import { createHook } from 'node:async_hooks';

/** Below every function of Node's that opens a connection, asks for a name or sends a datagram stands one of these. */
const WATCHED: readonly string[] = [
  'TCPCONNECTWRAP',
  'GETADDRINFOREQWRAP',
  'GETNAMEINFOREQWRAP',
  'QUERYWRAP',
  'UDPSENDWRAP',
];

/** What Node writes down of such a request, once it has been made. */
interface Asked {
  readonly kind: string;
  readonly resource: { readonly address?: string; readonly hostname?: string };
}

/** Whether an address or a name is of this machine and no other. */
export function isOfThisMachine(place: string): boolean {
  return place === 'localhost' || place === '::1' || /^127(\.\d{1,3}){3}$/.test(place);
}

/** Where this process connects to, and which names it asks for, by whatever function. */
export class ConnectionWatch {
  #seen: Asked[] = [];
  readonly #hook = createHook({
    init: (_id, kind, _trigger, resource) => {
      if (WATCHED.includes(kind)) this.#seen.push({ kind, resource });
    },
  });

  start(): void {
    this.#seen = [];
    this.#hook.enable();
  }

  /** Ends the watch; every connection and question since its start, in words. */
  stop(): { readonly kind: string; readonly place: string }[] {
    this.#hook.disable();
    return this.#seen.map(({ kind, resource }) => ({
      kind,
      place: resource.address ?? resource.hostname ?? 'unknown',
    }));
  }
}
