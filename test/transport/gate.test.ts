import { describe, expect, it } from 'vitest';
import { checkRpc, checkUpgrade, type GateRequest } from '../../src/transport/gate.ts';

const APP = '207646673902501888';
const ORIGIN = 'http://localhost:3000';
const PORT = 6463;

const gate = {
  port: PORT,
  originAllowed: (clientId: string | undefined, origin: string) =>
    origin === ORIGIN && (clientId === undefined || clientId === APP),
};

type Headers = readonly (readonly [string, string])[];

const upgrade: Headers = [
  ['Host', `127.0.0.1:${PORT}`],
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ['Origin', ORIGIN],
];

function request(headers: Headers, url = `/?v=1&client_id=${APP}`, method = 'GET'): GateRequest {
  return { method, url, rawHeaders: headers.flat() };
}

/** The headers with one left out, replaced or added. */
function but(name: string, ...values: string[]): Headers {
  return [...upgrade.filter(([key]) => key !== name), ...values.map((value) => [name, value] as const)];
}

function handshakeOf(url: string): unknown {
  const verdict = checkUpgrade(request(upgrade, url), gate);
  if (verdict.kind !== 'open') throw new Error(`expected an admission, got ${verdict.kind}`);
  return JSON.parse(new TextDecoder().decode(verdict.handshake.body));
}

describe('the upgrade gate', () => {
  it.each([
    ['localhost', but('Host', `localhost:${PORT}`)],
    ['127.0.0.1', upgrade],
    ['an Upgrade in capitals', but('Upgrade', 'WebSocket')],
  ])('admits a valid request: %s', (_what, headers) => {
    expect(checkUpgrade(request(headers), gate)).toMatchObject({ kind: 'open', origin: ORIGIN });
  });
  it.each([
    ['/', { client_id: null }],
    [`/?client_id=${APP}`, { client_id: APP }],
    [`/?v=&client_id=${APP}`, { v: '', client_id: APP }],
    [`/?v=1&client_id=${APP}`, { v: '1', client_id: APP }],
    [`/?v=2&client_id=${APP}&encoding=json`, { v: '2', client_id: APP }],
    [`/?client_id=%32${APP.slice(1)}&v=1&v=2`, { v: '1', client_id: APP }],
    ['/?v=1&client_id=abc', { v: '1', client_id: 'abc' }],
    ['/?v=1&client_id=%00%ff', { v: '1', client_id: '\0\ufffd' }],
  ])('builds the handshake from %s', (url, handshake) => {
    expect(handshakeOf(url)).toEqual(handshake);
  });
  it.each([
    ['another path', request(upgrade, `/rpc?v=1&client_id=${APP}`)],
    ['an absolute URL', request(upgrade, `http://127.0.0.1:${PORT}/?v=1&client_id=${APP}`)],
    ['another method', request(upgrade, '/', 'POST')],
    ['another protocol', request(but('Upgrade', 'h2c'))],
    ['two protocols', request(but('Upgrade', 'websocket', 'websocket'))],
    ['another version', request(but('Sec-WebSocket-Version', '8'))],
    ['no key', request(but('Sec-WebSocket-Key'))],
    ['a short key', request(but('Sec-WebSocket-Key', 'abc'))],
    ['two keys', request(but('Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ==', 'dGhlIHNhbXBsZSBub25jZQ=='))],
  ])('returns not-found for %s', (_what, wrong) => {
    expect(checkUpgrade(wrong, gate)).toEqual({ kind: 'not-found' });
  });
  it('checks the Host before the Origin', () => {
    expect(checkUpgrade(request(but('Host', 'evil.example')), gate)).toMatchObject({
      kind: 'wrong-host',
      page: { over: 'websocket', why: 'host', origin: ORIGIN, clientId: APP },
    });
  });
  it.each(['etf', 'JSON', '', 'json,etf'])(
    'closes with 4005 for the encoding %j of an allowed origin',
    (encoding) => {
      const url = `/?v=1&client_id=${APP}&encoding=${encoding}`;
      expect(checkUpgrade(request(upgrade, url), gate)).toMatchObject({ kind: 'closed', code: 4005 });
    },
  );
  it.each([
    `/?v=9&client_id=${APP}`,
    '/?v=1&client_id=abc',
    '/?v=1&client_id=1',
    `/?v=1&client_id=${APP}&encoding=etf`,
    '/',
  ])('closes with the same 4001 for every query of a foreign origin: %s', (url) => {
    expect(checkUpgrade(request(but('Origin', 'https://evil.example'), url), gate)).toMatchObject({
      kind: 'closed',
      code: 4001,
      message: 'Invalid Origin',
    });
  });
  it.each([
    ['https://evil.example', APP, 'https://evil.example', APP],
    ['https://user:secret@evil.example?token=secret', 'abc', 'https://…@evil.example…', undefined],
    [`https://${'e'.repeat(500)}.example`, APP, `https://${'e'.repeat(247)}`, APP],
    ['https://evil\u0085.example', APP, 'https://evil?.example', APP],
  ])('names the page of a foreign origin in one short line: %s', (sent, id, origin, clientId) => {
    const url = `/?v=1&client_id=${id}&access_token=secret`;
    expect(checkUpgrade(request(but('Origin', sent), url), gate)).toMatchObject({
      kind: 'closed',
      page: { over: 'websocket', why: 'origin', origin, clientId },
    });
  });
  it('admits an origin for its own app only', () => {
    const url = '/?v=1&client_id=905987126099836938';
    expect(checkUpgrade(request(upgrade, url), gate)).toMatchObject({ kind: 'closed', code: 4001 });
  });
});

describe('the gate of /rpc', () => {
  const rpc = `/rpc?v=1&client_id=${APP}`;

  it.each(['POST', 'OPTIONS'])('admits %s of an allowed origin', (method) => {
    expect(checkRpc(request(upgrade, rpc, method), gate)).toMatchObject({ kind: 'open', origin: ORIGIN });
  });
  it.each([
    ['GET', request(upgrade, rpc, 'GET')],
    ['another path', request(upgrade, `/rpc/?v=1&client_id=${APP}`, 'POST')],
  ])('returns not-found for %s', (_what, wrong) => {
    expect(checkRpc(wrong, gate)).toEqual({ kind: 'not-found' });
  });
  it.each([
    ['no Origin', request(but('Origin'), rpc, 'POST')],
    ['two Origins', request(but('Origin', ORIGIN, ORIGIN), rpc, 'POST')],
    ['a strange Origin', request(but('Origin', 'https://evil.example'), rpc, 'POST')],
    ['the Origin of another app', request(upgrade, '/rpc?v=1&client_id=1', 'POST')],
    ['another Host', request(but('Host', 'evil.example'), rpc, 'POST')],
  ])('refuses %s, and names the page', (what, wrong) => {
    const why = what === 'another Host' ? 'host' : 'origin';
    expect(checkRpc(wrong, gate)).toMatchObject({ kind: 'refused', page: { over: 'http', why } });
  });
});
