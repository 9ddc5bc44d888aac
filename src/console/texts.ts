// Page without script, for a browser that has no session or is about to get one.
import { createHash } from 'node:crypto';

/** Its style has the colours of the console, whose own files a browser without a session does not get. */
const STYLE = `:root { background: light-dark(#f5f6f8, #121519); color: light-dark(#1a1f27, #e4e8ee); font: 0.95rem/1.45 system-ui, "DejaVu Sans", sans-serif; }
body { display: grid; min-height: 90vh; place-items: center; margin: 1rem; }
main { max-width: 32rem; padding: 1.5rem; border: 1px solid light-dark(#d7dce3, #333a44); border-radius: 10px; background: light-dark(#ffffff, #1a1e24); }
h1 { margin: 0 0 0.5rem; font-size: 1.4rem; }
a { color: light-dark(#1a56a8, #7db4f5); }
code { font-family: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 0.87em; }`;

/** Header of these pages, which lets them have that style and nothing else. */
export const POLICY = {
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;

const page = (title: string, head: string, body: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
${head}<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;

/** Page for an unknown browser. */
export const STRANGER = page(
  'This console is closed to this browser',
  '',
  '<p>Run <code>footbridge console</code> in a terminal: it prints an address that opens it.</p>',
);

/** Page for an address that was used, has expired, or was never issued. */
export const USED = page(
  'This address does not open the console any more',
  '',
  `<p>An address opens it once, and within ten minutes. If you have opened it in this browser before, go to
<a href="/">the console</a>; else run <code>footbridge console</code> again, which prints a new one.</p>`,
);

/**
 * Redirects by a page of our own: after an HTTP redirect from another site the browser would not send a same-site
 * cookie.
 */
export const ENTERED = page(
  'The console opens',
  '<meta http-equiv="refresh" content="0;url=/">\n',
  '<p><a href="/">Go to the console</a></p>',
);
