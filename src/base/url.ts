/**
 * An address, or undefined where the text is none. `URL.canParse` must not be used instead: Node 20 compiles a hot call
 * of it to one that takes Latin-1 text for UTF-8, so that from some call on `https://bücher.example` is no address any
 * more.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
