/** Prefix of the bridge's own paths on the host of an activity. URL mappings do not apply to these paths. */
export const OURS = '/.footbridge/';

const HTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Activity</title>
<link rel="stylesheet" href="activity.css">
<p role="status">Connecting …</p>
<iframe title="Activity" hidden
  sandbox="allow-downloads allow-forms allow-modals allow-pointer-lock allow-popups allow-popups-to-escape-sandbox allow-same-origin allow-scripts"
  allow="autoplay; clipboard-write; fullscreen; gamepad"></iframe>
<script src="activity.js"></script>
`;

const STYLE = `:root { color-scheme: light dark }
html, body { height: 100%; margin: 0; overflow: hidden }
iframe { display: block; width: 100%; height: 100%; border: 0 }
[hidden] { display: none }
p { box-sizing: border-box; max-width: 36rem; margin: 20vh auto 0; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif;
  text-align: center; text-wrap: balance }
`;

/**
 * Script that relays messages between the frame and the bridge. It ignores messages to its window from any other
 * source, and posts messages only to the frame. The key in the address is used up and removed from the address at once;
 * the bridge then sends another key, with which the page can be reloaded.
 */
const SCRIPT = `'use strict';
const [frame] = document.getElementsByTagName('iframe');
const [status] = document.getElementsByTagName('p');
const SLOT = 'footbridge-activity';
const key = location.hash.slice(1) || sessionStorage.getItem(SLOT) || '';
sessionStorage.removeItem(SLOT);
history.replaceState(null, '', location.pathname);
let entered = false;
const socket = new WebSocket('ws://' + location.host + '${OURS}rpc?key=' + encodeURIComponent(key));
socket.onmessage = ({ data }) => {
  const said = JSON.parse(data);
  if (Array.isArray(said)) return frame.contentWindow?.postMessage(said, location.origin);
  sessionStorage.setItem(SLOT, said.key);
  entered = true;
  status.hidden = true;
  frame.hidden = false;
  frame.src = '/?' + said.query;
};
socket.onclose = ({ code, reason }) => {
  sessionStorage.removeItem(SLOT);
  frame.remove();
  const why = reason || (code === 1009 && 'The app has said more at once than a message may hold.') ||
    (entered && 'Footbridge has ended, or no longer answers.') ||
    'There is no activity here: each address is good once, and for ten minutes.';
  status.textContent = why + ' Launch it again: footbridge emulator activity launch';
  status.hidden = false;
};
// The address of another launch, in this same tab.
addEventListener('hashchange', () => location.reload());
addEventListener('message', ({ source, origin, data }) => {
  if (source === null || source !== frame.contentWindow || origin !== location.origin) return;
  if (!Array.isArray(data) || socket.readyState !== WebSocket.OPEN) return;
  const [opcode, payload = null] = data;
  if (!Number.isInteger(opcode) || opcode < 0 || opcode > 9) return;
  try {
    socket.send(JSON.stringify([opcode, payload]));
  } catch {
    // It cannot be said in JSON, and the SDK says no such thing.
  }
});
`;

/** A file of the host page. */
export interface PageFile {
  readonly type: string;
  readonly text: string;
}

/** The files of the host page by name. */
export const PAGE_FILES: ReadonlyMap<string, PageFile> = new Map([
  ['activity', { type: 'text/html; charset=utf-8', text: HTML }],
  ['activity.js', { type: 'text/javascript; charset=utf-8', text: SCRIPT }],
  ['activity.css', { type: 'text/css; charset=utf-8', text: STYLE }],
]);

/**
 * Headers of the host page. No page may frame it. The page that opened it gets no reference to its window, because the
 * SDK would then post to that page. The frame may load only this host, so that the referrer is also this host.
 */
export function pageHeaders(host: string): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy':
      `default-src 'none'; script-src 'self'; style-src 'self'; frame-src 'self'; connect-src ws://${host}; ` +
      "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
}

/**
 * Header with the sources that the page of an app may load: as on the platform, only mapped sources and images of the
 * platform's own hosts.
 */
export function frameHeader(host: string): string {
  return (
    `default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; connect-src 'self' data: blob: ws://${host}; ` +
    "img-src 'self' data: blob: https://cdn.discordapp.com https://media.discordapp.net; frame-ancestors 'self'"
  );
}
