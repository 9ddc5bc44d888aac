import { createHash } from 'node:crypto';
import type { Page } from './operation.ts';

/** Text that is safe in HTML, because it is trusted or escaped. */
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

/** Tagged template for a piece of HTML. It escapes inserted values unless they are `Html`. */
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
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --quiet: color-mix(in srgb, CanvasText 70%, Canvas) }
* { box-sizing: border-box }
body { margin: 0; padding: min(8vh, 4rem) 1rem 1rem; background: Canvas; color: CanvasText }
main { max-width: 34rem; margin: auto; padding: 1.25rem clamp(1rem, 5vw, 2rem); border: 1px solid GrayText; border-radius: .5rem }
h1 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 1rem }
h1, p, li, code { overflow-wrap: anywhere }
ul { padding-left: 1.25rem }
li { margin: .5rem 0 }
li small { display: block }
small { color: var(--quiet) }
code { font-size: .95em }
.command { display: block; padding: .25rem .75rem; border-radius: .25rem; background: color-mix(in srgb, CanvasText 8%, Canvas) }
.note { padding-left: .75rem; border-left: .25rem solid #b26a00 }
.short { white-space: nowrap }
form { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem }
label { flex-basis: 100% }
input, select { display: block; width: 100%; margin-top: .25rem }
input { letter-spacing: .1em }
button, input, select { font: inherit; padding: .5rem 1.25rem; border-radius: .25rem; border: 1px solid GrayText }
button { min-width: 6rem; cursor: pointer }
button.yes { background: #2b5fd9; border-color: #2b5fd9; color: #fff }
:focus-visible { outline: 3px solid CanvasText; outline-offset: 2px }
`;

/**
 * Hides elements of the class `later` for the first `ms` milliseconds. It uses CSS because the pages forbid scripts. A
 * hidden button accepts neither clicks nor keys.
 */
function laterStyle(ms: number): string {
  return `.later { animation: later ${String(ms)}ms step-end }
@keyframes later { from { visibility: hidden } }
`;
}

/** Parts of a page. */
export interface PageParts {
  readonly status?: number;
  readonly title: string;
  readonly body: Html;
  /** Origins or schemes, besides the page's own origin, to which the page's forms may lead. */
  readonly formTargets?: readonly string[];
  /** Time for which elements of the class `later` are hidden at first, in milliseconds; default 0. */
  readonly laterMs?: number;
  /** Seconds after which the page reloads; without a value it does not reload. */
  readonly refreshSeconds?: number;
}

/**
 * Sources that are safe in a policy. A host may contain a semicolon, which would begin another directive, so only
 * unambiguous sources are permitted.
 */
const SOURCE = /^[a-z][a-z0-9+.-]*:(\/\/[a-z0-9.:[\]_-]+)?$/;

/** A page without scripts. It cannot be framed and loads nothing. */
export function page(parts: PageParts): Page {
  const { status = 200, title, body, formTargets = [], laterMs = 0, refreshSeconds } = parts;
  const style = laterMs > 0 ? STYLE + laterStyle(laterMs) : STYLE;
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    `form-action ${["'self'", ...formTargets.filter((one) => SOURCE.test(one))].join(' ')}`,
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
<style>${new Html(style)}</style>
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
      // The emulator's own forms must send their origin, which a stricter policy would suppress.
      'Referrer-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
    },
  };
}
