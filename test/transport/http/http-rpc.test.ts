import { describe, expect, it } from 'vitest';
import { CloseError } from '../../../src/wire/close-error.ts';
import { CloseCode } from '../../../src/wire/codes.ts';
import { CLIENT_ID, settled } from '../../helpers/app-peer.ts';
import { later } from '../../helpers/fake-core.ts';
import { head, loopback, ORIGIN, webBridge } from '../../helpers/web-bridge.ts';

const RPC = `/rpc?v=1&client_id=${CLIENT_ID}`;
const JSON_HEADERS = { origin: ORIGIN, 'content-type': 'application/json' };
const GET_GUILDS = '{"cmd":"GET_GUILDS","nonce":"a"}';

describe('POST /rpc', () => {
  it('answers one request with its payload, and leaves no session', async () => {
    const { http, core, server } = await webBridge();
    const { status, headers, body } = await http('POST', RPC, JSON_HEADERS, GET_GUILDS);
    expect([status, body]).toEqual([200, '{"cmd":"GET_GUILDS","data":{"guilds":[]},"evt":null,"nonce":"a"}']);
    expect(headers).toEqual({
      'access-control-allow-origin': ORIGIN,
      vary: 'Origin',
      'content-type': 'application/json',
      'content-length': String(body.length),
      'cache-control': 'no-store',
      connection: 'close',
    });
    expect(core.peers[0]).toMatchObject({ transport: 'http', clientId: CLIENT_ID, origin: ORIGIN });
    await settled();
    expect(server.sessions()).toEqual([]);
    expect(core.left).toHaveLength(1);
  });
  it.each([
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/vnd.api+json',
    'application/json ',
  ])('accepts the content type %j', async (type) => {
    const { http } = await webBridge();
    const answer = await http('POST', RPC, { origin: ORIGIN, 'content-type': type }, GET_GUILDS);
    expect(answer.status).toBe(200);
  });
  it.each(['text/plain', 'text/json', 'application/jsonp', 'application/x-www-form-urlencoded', ''])(
    'answers 400 to the content type %j',
    async (type) => {
      const { http, core } = await webBridge();
      const answer = await http('POST', RPC, { origin: ORIGIN, 'content-type': type }, GET_GUILDS);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toEqual({
        code: 1003,
        message: 'Content-Type must be application/json',
      });
      expect(core.peers).toEqual([]);
    },
  );
  it.each([
    ['SET_ACTIVITY, whatever the session holds', '{"cmd":"SET_ACTIVITY","args":{"pid":1},"nonce":"a"}', 4002],
    ['an unknown command', '{"cmd":"NO_SUCH_COMMAND","nonce":"a"}', 4002],
    ['no nonce', '{"cmd":"GET_GUILDS"}', 4000],
  ])('answers an ERROR payload with 200: %s', async (_what, request, code) => {
    const { http } = await webBridge();
    const { status, body } = await http('POST', RPC, JSON_HEADERS, request);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ evt: 'ERROR', data: { code } });
  });
  it('needs no version in the query', async () => {
    const { http } = await webBridge();
    const { status, body } = await http('POST', `/rpc?client_id=${CLIENT_ID}`, JSON_HEADERS, GET_GUILDS);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ cmd: 'GET_GUILDS', evt: null });
  });
  it('has no scope of its own', async () => {
    const { http } = await webBridge({ scopes: [] });
    const { body } = await http('POST', RPC, JSON_HEADERS, GET_GUILDS);
    expect(JSON.parse(body)).toMatchObject({ evt: 'ERROR', data: { code: 4006 } });
  });
  it.each([
    [`/rpc?v=2&client_id=${CLIENT_ID}`, GET_GUILDS, 4004],
    [`/rpc?v=&client_id=${CLIENT_ID}`, GET_GUILDS, 4004],
    ['/rpc?v=1', GET_GUILDS, 4000],
    ['/rpc?v=1&client_id=abc', GET_GUILDS, 4000],
    [RPC, '{', 1003],
    [RPC, '', 1003],
    [RPC, '[]', 1003],
  ])('answers 400 when no session can be opened: %s %s', async (path, body, code) => {
    const { http, server } = await webBridge();
    const answer = await http('POST', path, JSON_HEADERS, body);
    expect(answer.status).toBe(400);
    expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(JSON.parse(answer.body)).toEqual({ code, message: expect.stringMatching(/./) });
    await settled();
    expect(server.sessions()).toEqual([]);
  });
  it('answers 400 when the core refuses the app', async () => {
    const { http } = await webBridge({
      open: () => {
        throw new CloseError(CloseCode.NORMAL, 'User logged out');
      },
    });
    const { status, body } = await http('POST', RPC, JSON_HEADERS, GET_GUILDS);
    expect([status, body]).toEqual([400, '{"code":1000,"message":"User logged out"}']);
  });
  it('accepts a body of exactly the frame limit, and none larger', async () => {
    const { http, exchange, port } = await webBridge({ limits: { frameBytes: 1024 } });
    const fits = GET_GUILDS.padEnd(1024);
    expect((await http('POST', RPC, JSON_HEADERS, fits)).status).toBe(200);
    expect(JSON.parse((await http('POST', RPC, JSON_HEADERS, `${fits} `)).body)).toEqual({
      code: 1003,
      message: 'The body exceeds 1024 bytes',
    });
    const chunked = { host: `127.0.0.1:${port}`, ...JSON_HEADERS, 'transfer-encoding': 'chunked' };
    const body = `400\r\n${fits}\r\n1\r\n \r\n0\r\n\r\n`;
    expect(await exchange(head(`POST ${RPC}`, chunked) + body)).toContain('The body exceeds 1024 bytes');
  });
  it('sends 100 Continue to an app that waits for it', async () => {
    const { exchange, port } = await webBridge();
    const headers = { host: `127.0.0.1:${port}`, ...JSON_HEADERS, expect: '100-continue' };
    const request =
      head(`POST ${RPC}`, { ...headers, 'content-length': String(GET_GUILDS.length) }) + GET_GUILDS;
    expect(await exchange(request)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });
  it('aborts the request when the app disconnects', async () => {
    const asked = later();
    const aborted = later<string>();
    const { port, server } = await webBridge({
      handlers: {
        GET_GUILDS: (_args, { signal }) => {
          signal.addEventListener('abort', () => aborted.resolve('aborted'));
          asked.resolve();
          return new Promise<never>(() => {});
        },
      },
    });
    const socket = await loopback(port);
    const headers = { host: `127.0.0.1:${port}`, ...JSON_HEADERS };
    socket.write(
      head(`POST ${RPC}`, { ...headers, 'content-length': String(GET_GUILDS.length) }) + GET_GUILDS,
    );
    await asked.promise;
    socket.destroy();
    expect(await aborted.promise).toBe('aborted');
    await settled();
    expect(server.sessions()).toEqual([]);
  });
  it('answers requests in flight when the bridge stops', async () => {
    const asked = later();
    const { http, server } = await webBridge({
      handlers: {
        GET_GUILDS: () => {
          asked.resolve();
          return new Promise<never>(() => {});
        },
      },
    });
    const answer = http('POST', RPC, JSON_HEADERS, GET_GUILDS);
    await asked.promise;
    await server.close();
    expect(await answer).toMatchObject({
      status: 400,
      body: '{"code":1000,"message":"The bridge is shutting down"}',
    });
  });
});

describe('the preflight of /rpc', () => {
  it('is answered for an allowed origin, and names no other', async () => {
    const { http } = await webBridge();
    const headers = {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    expect(await http('OPTIONS', RPC, headers)).toEqual({
      status: 200,
      headers: {
        'access-control-allow-origin': ORIGIN,
        vary: 'Origin',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type',
        'content-length': '0',
        connection: 'close',
      },
      body: '',
    });
  });
  it('is not answered for another app', async () => {
    const { http } = await webBridge();
    expect((await http('OPTIONS', '/rpc?v=1&client_id=1', { origin: ORIGIN })).status).toBe(404);
  });
});
