/**
 * The parsed address, or undefined where the text is no address. `URL.canParse` must not be used instead: Node 20
 * compiles a hot call of it to code that takes Latin-1 text for UTF-8, and from then on it rejects
 * `https://bücher.example`.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
