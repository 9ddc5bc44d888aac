import { createHash } from 'node:crypto';
import type { Page } from './reply.ts';

/** Text that is safe in HTML, as it was put there or escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A piece of HTML; whatever is put into it is escaped, unless it is HTML itself. */
export function html(
  pieces: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  const filled = values.map((value) => {
    if (value instanceof Html) return value.text;
    if (typeof value === 'string') return value.replaceAll(/[&<>"']/g, (letter) => ESCAPES[letter] ?? '');
    return value.map(({ text }) => text).join('');
  });
  return new Html(pieces.map((piece, index) => piece + (filled[index] ?? '')).join(''));
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0; display: grid; place-items: center; min-height: 100vh; background: Canvas; color: CanvasText }
main { max-width: 30rem; margin: 1rem; padding: 1.5rem 2rem; border: 1px solid GrayText; border-radius: .5rem }
h1 { font-size: 1.25rem; margin-top: 0; overflow-wrap: anywhere }
li { margin: .25rem 0 }
form { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem }
button, input { font: inherit; padding: .5rem 1.25rem; border-radius: .25rem; border: 1px solid GrayText }
button.yes { background: #2b5fd9; border-color: #2b5fd9; color: #fff }
code { overflow-wrap: anywhere }
small { color: GrayText }
`;

/** What a page is made of. */
export interface PageParts {
  readonly status?: number;
  readonly title: string;
  readonly body: Html;
  /** Where its forms may lead, besides here: origins or schemes. */
  readonly leadsTo?: readonly string[];
  /** Asks again after so many seconds. */
  readonly refreshSeconds?: number;
}

/** A host may have a semicolon in it, which would begin another directive: only what cannot mean anything else is named. */
const SOURCE = /^[a-z][a-z0-9+.-]*:(\/\/[a-z0-9.:[\]_-]+)?$/;

/** A page without scripts, that nobody can frame and that loads nothing. */
export function page({ status = 200, title, body, leadsTo = [], refreshSeconds }: PageParts): Page {
  const style = createHash('sha256').update(STYLE).digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${style}'`,
    `form-action ${["'self'", ...leadsTo.filter((one) => SOURCE.test(one))].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  const refresh =
    refreshSeconds === undefined
      ? html``
      : html`<meta http-equiv="refresh" content="${String(refreshSeconds)}">`;
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh}
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body><main>${body}</main></body>
</html>
`;
  return {
    status,
    html: text,
    headers: {
      'Content-Security-Policy': policy.join('; '),
      'X-Frame-Options': 'DENY',
      // A form of our own names its origin; with less than this it would name none.
      'Referrer-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
    },
  };
}
