/** A refusal of the bridge or of the console, in words for a person. */
class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}

/** Runs an operation of the bridge. Throws {@link Refusal}. */
export async function call<T>(operation: string, args: object = {}): Promise<T> {
  return (await exchange(`/call/${operation}`, args)) as T;
}

/** The verdicts of `footbridge doctor`. Throws {@link Refusal}. */
export async function doctor(): Promise<unknown> {
  return exchange('/doctor', {});
}

/** Names of the operations that this bridge has. Throws {@link Refusal}. */
export async function operationNames(): Promise<ReadonlySet<string>> {
  const list = (await exchange('/operations')) as readonly { readonly name: string }[];
  return new Set(list.map(({ name }) => name));
}

async function exchange(path: string, body?: object): Promise<unknown> {
  const init: RequestInit =
    body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'footbridge-console': '1' },
          body: JSON.stringify(body),
        };
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Refusal('FOOTBRIDGE_CONSOLE', 'The console does not answer: "footbridge console" has ended.');
  }
  const value = (await response.json().catch(() => ({}))) as {
    readonly code?: string;
    readonly message?: string;
  };
  if (response.ok) return value;
  if (response.status === 403 && value.message === undefined) {
    throw new Refusal(
      'FOOTBRIDGE_CONSOLE',
      'This page is not signed in any more: open a new address of "footbridge console".',
    );
  }
  throw new Refusal(
    value.code ?? 'FOOTBRIDGE_CONSOLE',
    value.message ?? `The console answered ${response.status}.`,
  );
}
