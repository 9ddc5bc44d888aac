/** Files of the page by request path. */
const FILES = {
  '/': { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/app.js': { name: 'app.js', type: 'text/javascript; charset=utf-8' },
  '/drawn.js': { name: 'drawn.js', type: 'text/javascript; charset=utf-8' },
  '/app.css': { name: 'app.css', type: 'text/css; charset=utf-8' },
  // Browsers request this path before they have read the page.
  '/favicon.ico': { name: 'icon.svg', type: 'image/svg+xml' },
} as const;

/** File of the page. */
export interface PageFile {
  readonly type: string;
  readonly body: Uint8Array;
}

/**
 * File for a request path; undefined where there is none. The path is looked up in a list and never joined to a folder.
 */
export function pageFile(path: string, read: (name: string) => Uint8Array): PageFile | undefined {
  if (!Object.hasOwn(FILES, path)) return undefined;
  const { name, type } = FILES[path as keyof typeof FILES];
  return { type, body: read(name) };
}
