import { head, QUERY, upgradeHeaders } from './web-bridge.ts';

/** What a page, a program or a proxy may send as Origin instead of the one origin that is allowed: name and header lines. */
export const strangeOrigins: readonly (readonly [name: string, lines: readonly string[]])[] = [
  ['another site', ['Origin: https://evil.example']],
  ['null', ['Origin: null']],
  ['a longer host', ['Origin: http://localhost:3000.evil.example']],
  ['a longer port', ['Origin: http://localhost:30001']],
  ['a shorter port', ['Origin: http://localhost:300']],
  ['a trailing slash', ['Origin: http://localhost:3000/']],
  ['other case', ['Origin: HTTP://LOCALHOST:3000']],
  ['another scheme', ['Origin: https://localhost:3000']],
  ['an empty value', ['Origin:']],
  ['two values in one', ['Origin: http://localhost:3000 https://evil.example']],
  ['two headers, the first right', ['Origin: http://localhost:3000', 'Origin: https://evil.example']],
  ['two headers, both right', ['Origin: http://localhost:3000', 'origin: http://localhost:3000']],
  ['none, with the marks of a browser', ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Mode: websocket']],
  ['none', []],
];

/** What it may send as Host instead of where it connected to: name and header lines for a port. */
export const strangeHosts: readonly (readonly [name: string, lines: (port: number) => readonly string[]])[] =
  [
    ['a name pointed at this machine', (port: number) => [`Host: evil.example:${port}`]],
    ['0.0.0.0', (port: number) => [`Host: 0.0.0.0:${port}`]],
    ['no port', () => ['Host: 127.0.0.1']],
    ['another port', (port: number) => [`Host: localhost:${port + 1}`]],
    ['a longer name', (port: number) => [`Host: localhost.evil.example:${port}`]],
    ['another loopback address', (port: number) => [`Host: 127.0.0.2:${port}`]],
    ['the IPv6 loopback', (port: number) => [`Host: [::1]:${port}`]],
    ['other case', (port: number) => [`Host: LocalHost:${port}`]],
    ['two', (port: number) => [`Host: 127.0.0.1:${port}`, 'Host: evil.example']],
    ['none', () => []],
  ];

/** A WebSocket request in raw form, with these headers behind the usual ones. */
export function upgradeRequest(port: number, more: readonly string[], query = QUERY): string {
  const usual = head(`GET ${query}`, upgradeHeaders(port)).slice(0, -2);
  return `${usual}${more.map((line) => `${line}\r\n`).join('')}\r\n`;
}

/** What a browser would see of a raw answer: the upgrade's close code, or the refusal's status. */
export function outcomeOf(answer: string): number {
  const [first = '', rest = ''] = answer.split('\r\n\r\n', 2);
  const status = Number(first.split(' ')[1]);
  if (status !== 101) return status;
  const frame = Buffer.from(rest, 'latin1');
  if (frame[0] !== 0x88) throw new Error('the first frame is no close frame');
  return frame.readUInt16BE(2);
}

/** The same without the usual Host. */
export function hostlessRequest(port: number, lines: readonly string[], query = QUERY): string {
  const { host: _, ...others } = upgradeHeaders(port);
  return `${head(`GET ${query}`, others).slice(0, -2)}${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
}
