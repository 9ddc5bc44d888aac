// Page without script or style, for a browser that has no session or is about to get one.

const page = (title: string, head: string, body: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
${head}<title>${title}</title>
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
