// The same faults where messages keep their bounds by themselves: WebSocket and HTTP.
import { describe, expect, it } from 'vitest';
import type { FaultEffect } from '../../src/faults/fault.ts';
import { Faults } from '../../src/faults/faults.ts';
import { CLIENT_ID } from '../helpers/app-peer.ts';
import { ORIGIN, webBridge } from '../helpers/web-bridge.ts';

const RPC = `/rpc?v=1&client_id=${CLIENT_ID}`;
const HEADERS = { origin: ORIGIN, 'content-type': 'application/json' };
const GET_GUILDS = '{"cmd":"GET_GUILDS","nonce":"a"}';

function faultsOf(does: FaultEffect, command?: string): Faults {
  const faults = new Faults();
  const where = command === undefined ? ({ on: 'rpc' } as const) : ({ on: 'rpc', command } as const);
  faults.add({ effect: does, where, count: 1 });
  return faults;
}

describe('a fault over WebSocket', () => {
  it.each([
    { kind: 'delay', ms: 150 },
    { kind: 'slow', bytesPerSecond: 500 },
  ] as const)('%j: the answer arrives later', async (does) => {
    const app = await (await webBridge({ faults: faultsOf(does, 'GET_GUILDS') })).app();
    const begun = performance.now();
    expect(await app.call('GET_GUILDS')).toMatchObject({ data: { guilds: [] } });
    expect(performance.now() - begun).toBeGreaterThan(100);
  });
  it('drop: the answer is lost, and the next answer arrives', async () => {
    const app = await (await webBridge({ faults: faultsOf({ kind: 'drop' }, 'GET_GUILDS') })).app();
    app.request('GET_GUILDS');
    expect(await app.call('GET_GUILDS')).toMatchObject({ evt: null });
  });
  it('error: the answer is an ERROR with its code', async () => {
    const faults = faultsOf({ kind: 'error', code: 5000 }, 'GET_GUILDS');
    const app = await (await webBridge({ faults })).app();
    expect(await app.call('GET_GUILDS')).toMatchObject({ evt: 'ERROR', data: { code: 5000 } });
  });
  it('close: its code is the close code of the WebSocket', async () => {
    const faults = faultsOf({ kind: 'close', code: 4002 }, 'GET_GUILDS');
    const app = await (await webBridge({ faults })).app();
    app.request('GET_GUILDS');
    expect(await app.closed()).toMatchObject({ code: 4002 });
  });
  it('drop of the handshake: READY never arrives, and requests are answered as usual', async () => {
    const app = (await webBridge({ faults: faultsOf({ kind: 'drop' }, 'HANDSHAKE') })).connect();
    expect(await app.call('GET_GUILDS')).toMatchObject({ evt: null });
  });
  it.each(['split', 'coalesce'] as const)('%s: does not apply to messages', async (kind) => {
    const faults = faultsOf({ kind }, 'GET_GUILDS');
    const app = await (await webBridge({ faults })).app();
    expect(await app.call('GET_GUILDS')).toMatchObject({ evt: null });
    expect(faults.list()).toMatchObject([{ struck: 0 }]);
  });
  it('applies to a connection that was opened before the fault was added', async () => {
    const faults = new Faults();
    const app = await (await webBridge({ faults })).app();
    expect(await app.call('GET_GUILDS')).toMatchObject({ evt: null });
    faults.add({ effect: { kind: 'error', code: 1 }, where: { on: 'rpc' } });
    expect(await app.call('GET_GUILDS')).toMatchObject({ evt: 'ERROR', data: { code: 1 } });
  });
});

describe('a fault over HTTP', () => {
  it.each([
    { kind: 'delay', ms: 150 },
    { kind: 'slow', bytesPerSecond: 500 },
  ] as const)('%j: the answer arrives later', async (does) => {
    const { http } = await webBridge({ faults: faultsOf(does) });
    const begun = performance.now();
    expect(await http('POST', RPC, HEADERS, GET_GUILDS)).toMatchObject({ status: 200 });
    expect(performance.now() - begun).toBeGreaterThan(100);
  });
  it('drop: the connection is closed without an answer', async () => {
    const { exchange, port, server } = await webBridge({ faults: faultsOf({ kind: 'drop' }) });
    const lines = Object.entries({
      host: `127.0.0.1:${port}`,
      ...HEADERS,
      'content-length': GET_GUILDS.length,
    });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    expect(await exchange(`POST ${RPC} HTTP/1.1\r\n${head}\r\n${GET_GUILDS}`)).toBe('');
    expect(server.sessions()).toEqual([]);
  });
  it('error: the answer is an ERROR with its code', async () => {
    const { http } = await webBridge({ faults: faultsOf({ kind: 'error', code: 5000 }) });
    const { status, body } = await http('POST', RPC, HEADERS, GET_GUILDS);
    expect([status, JSON.parse(body)]).toMatchObject([
      200,
      { evt: 'ERROR', nonce: 'a', data: { code: 5000 } },
    ]);
  });
  it('close: the answer is 400 with its code', async () => {
    const { http } = await webBridge({ faults: faultsOf({ kind: 'close', code: 4002 }) });
    const { status, body } = await http('POST', RPC, HEADERS, GET_GUILDS);
    expect([status, JSON.parse(body)]).toMatchObject([400, { code: 4002 }]);
  });
  it('drop of the handshake: does not apply, because HTTP has no READY', async () => {
    const faults = faultsOf({ kind: 'drop' }, 'HANDSHAKE');
    const { http } = await webBridge({ faults });
    expect(await http('POST', RPC, HEADERS, GET_GUILDS)).toMatchObject({ status: 200 });
    expect(faults.list()).toMatchObject([{ struck: 0 }]);
  });
});
