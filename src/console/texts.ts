// Pages without script or style: what a person sees who has no session, or is just getting one.

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

/** For a browser that the console does not know. */
export const STRANGER = page(
  'This console is closed to this browser',
  '',
  '<p>Run <code>footbridge console</code> in a terminal: it prints an address that opens it.</p>',
);

/** For an address that was opened before, is too old, or was never given out. */
export const USED = page(
  'This address does not open the console any more',
  '',
  `<p>An address opens it once, and within ten minutes. If you have opened it in this browser before, go to
<a href="/">the console</a>; else run <code>footbridge console</code> again, which prints a new one.</p>`,
);

/**
 * Leads to the page by a step of our own: after a redirect from elsewhere the browser would hold back a cookie that is only
 * for the same site.
 */
export const ENTERED = page(
  'The console opens',
  '<meta http-equiv="refresh" content="0;url=/">\n',
  '<p><a href="/">Go to the console</a></p>',
);
