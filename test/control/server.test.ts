import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { MAX_BODY_BYTES } from '../../src/control/server.ts';
import { defineOperation } from '../../src/core/core.ts';
import { startControl, status } from './fixtures.ts';

interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
}

function ask(
  socketPath: string,
  method: string,
  path: string,
  body?: string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { socketPath, method, path, agent: false, headers: { host: 'footbridge', ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text === '' ? undefined : (JSON.parse(text) as unknown),
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const refused = (code: string, message: unknown = expect.any(String)) => ({ code, message });

describe('the control API', () => {
  it('returns the status with a header that forbids caching', async () => {
    const { socketPath } = await startControl();
    const answer = await ask(socketPath, 'GET', '/v1/status?x=1');
    expect(answer).toMatchObject({ status: 200, body: status });
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('lists the operations with the names of their arguments', async () => {
    const { socketPath } = await startControl();
    const { body } = await ask(socketPath, 'GET', '/v1/operations');
    expect(body).toContainEqual({
      name: 'thing.echo',
      summary: 'Says it again',
      args: ['word', 'times'],
      command: null,
    });
    expect(body).toContainEqual({ name: 'nothing', summary: 'Does nothing', args: [], command: null });
  });

  it('runs an operation for an identified caller', async () => {
    const { socketPath, calls } = await startControl();
    const answer = await ask(socketPath, 'POST', '/v1/operations/thing.echo', '{"word":"hi","times":2}');
    expect(answer).toMatchObject({ status: 200, body: { word: 'hi', times: 2 } });
    expect(calls).toEqual([
      { args: { word: 'hi', times: 2 }, caller: { via: 'control', pid: 42, program: '/bin/test' } },
    ]);
  });

  it('describes an operation with the schema of its arguments and its result, where declared', async () => {
    const { socketPath } = await startControl();
    expect(await ask(socketPath, 'GET', '/v1/operations/thing.echo')).toMatchObject({
      status: 200,
      body: {
        name: 'thing.echo',
        summary: 'Says it again',
        args: ['word', 'times'],
        command: null,
        about: null,
        schema: { args: { type: 'object', required: ['word'] }, result: null },
      },
    });
  });

  it.each([
    [{ user: 'otter', txt: 'hi', text: 'a' }, '"txt": not known here. Did you mean "text"?'],
    [{ text: 'a', as: 'otter' }, '"as": not known here. Did you mean "user"?'],
    [{ text: 'a', in: 'general' }, '"in": not known here.'],
    [{ text: 'a', __proto__x: 1 }, '"__proto__x": not known here.'],
  ])('rejects arguments that an operation would leave out: %j', async (args, told) => {
    const ran: unknown[] = [];
    const say = defineOperation({
      summary: 'Says it',
      args: () => z.object({ user: z.optional(z.string()), text: z.string() }),
      run: (input) => void ran.push(input),
    });
    const { socketPath } = await startControl({ operations: { say } });
    const answer = await ask(socketPath, 'POST', '/v1/operations/say', JSON.stringify(args));
    const message = `say: arguments: must not have ${told}`;
    expect(answer).toMatchObject({ status: 400, body: refused('FOOTBRIDGE_ARGUMENTS', message) });
    expect(ran).toEqual([]);
  });

  it('lets an operation take what its schema keeps besides', async () => {
    const loose = defineOperation({
      summary: 'Takes anything',
      args: () => z.looseObject({ text: z.string() }),
      run: (input) => input,
    });
    const { socketPath } = await startControl({ operations: { loose } });
    const answer = await ask(socketPath, 'POST', '/v1/operations/loose', '{"text":"a","as":"otter"}');
    expect(answer).toMatchObject({ status: 200, body: { text: 'a', as: 'otter' } });
  });

  it('accepts no body for no arguments, and returns null for no result', async () => {
    const { socketPath } = await startControl();
    expect(await ask(socketPath, 'POST', '/v1/operations/nothing')).toMatchObject({
      status: 200,
      body: null,
    });
  });

  it.each([
    ['{"word":7}', 'thing.echo: word: must be a text'],
    ['{}', 'thing.echo: word: is missing'],
    ['{"word":"a","x":1}', 'thing.echo: arguments: must not have "x": not known here.'],
    ['[]', 'thing.echo: arguments: must be an object'],
    ['null', 'thing.echo: arguments: must be an object'],
    ['{"word":', 'The body is not JSON in UTF-8'],
    ['\u0000', 'The body is not JSON in UTF-8'],
  ])('rejects the arguments %j before the operation runs', async (body, message) => {
    const { socketPath, calls } = await startControl();
    const answer = await ask(socketPath, 'POST', '/v1/operations/thing.echo', body);
    expect(answer).toMatchObject({ status: 400, body: refused('FOOTBRIDGE_ARGUMENTS', message) });
    expect(calls).toEqual([]);
  });

  it('rejects a body that is not UTF-8', async () => {
    const { socketPath } = await startControl();
    const body = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
    expect((await ask(socketPath, 'POST', '/v1/operations/thing.echo', body)).status).toBe(400);
  });

  it.each([
    ['refuse', refused('FOOTBRIDGE_REFUSED', 'There is no such thing')],
    ['refuse.code', refused('FOOTBRIDGE_SETTING', 'mute: not that')],
    ['refuse.disk', refused('FOOTBRIDGE_REFUSED', 'disk full')],
  ])('forwards the reason with which %s refuses', async (name, body) => {
    const { socketPath, defects } = await startControl();
    expect(await ask(socketPath, 'POST', `/v1/operations/${name}`)).toMatchObject({ status: 409, body });
    expect(defects).toEqual([]);
  });

  it('hides a defect from the caller and reports it', async () => {
    const { socketPath, defects } = await startControl();
    const answer = await ask(socketPath, 'POST', '/v1/operations/breaks');
    expect(answer).toMatchObject({
      status: 500,
      body: refused('FOOTBRIDGE_INTERNAL', 'The operation failed'),
    });
    expect(defects).toEqual([new TypeError('canary of the inside')]);
  });

  it.each([
    ['GET', '/', 404],
    ['GET', '/v1', 404],
    ['GET', '/v2/status', 404],
    ['GET', '/v1/status/', 404],
    ['POST', '/v1/operations/missing', 404],
    ['POST', '/v1/operations/constructor', 404],
    ['POST', '/v1/operations/__proto__', 404],
    ['POST', '/v1/operations/a%2fb', 404],
    ['POST', `/v1/operations/${'x'.repeat(65)}`, 404],
    ['GET', '/v1/operations/missing', 404],
    ['PUT', '/v1/operations/nothing', 405],
    ['POST', '/v1/status', 405],
    ['PUT', '/v1/operations', 405],
  ])('answers %s %s with %i', async (method, path, code) => {
    const { socketPath } = await startControl();
    const answer = await ask(socketPath, method, path);
    expect(answer.status).toBe(code);
    expect(answer.body).toEqual(refused(expect.stringMatching(/^FOOTBRIDGE_/) as unknown as string));
  });

  it.each([
    { origin: 'https://example.test' },
    { origin: 'null' },
    { origin: '' },
    { referer: 'https://example.test/' },
    { host: 'localhost' },
    { host: 'footbridge:80' },
    { host: 'footbridge.example.test' },
    { host: '127.0.0.1' },
    { host: 'FOOTBRIDGE' },
  ])('rejects a request with %j', async (headers) => {
    const { socketPath, calls } = await startControl();
    const answer = await ask(
      socketPath,
      'POST',
      '/v1/operations/thing.echo',
      '{"word":"a"}',
      headers as never,
    );
    expect(answer).toMatchObject({ status: 403, body: refused('FOOTBRIDGE_FORBIDDEN') });
    expect(calls).toEqual([]);
  });

  it('runs an approval only for a caller that may allow the request', async () => {
    const ran: unknown[] = [];
    const askers: Record<string, unknown> = { theirs: 42, other: 7, nobody: null, forgotten: undefined };
    const approve = defineOperation({
      summary: 'Allows it',
      args: () => z.object({ id: z.string() }),
      requester: ({ id }) => askers[id] as number | null,
      run: ({ id }) => void ran.push(id),
    });
    const { socketPath } = await startControl({
      operations: { approve },
      mayAllow: (asker, by) => (by.pid === asker ? 'theirs' : undefined),
    });
    const answers = [];
    for (const id of Object.keys(askers))
      answers.push(await ask(socketPath, 'POST', '/v1/operations/approve', JSON.stringify({ id })));
    expect(answers.map(({ status }) => status)).toEqual([409, 200, 200, 500]);
    expect(answers[0]?.body).toMatchObject({ message: 'approve: it was theirs' });
    expect(ran).toEqual(['other', 'nobody']);
  });

  it('checks the processes for which a call is made as well', async () => {
    const { socketPath, calls } = await startControl();
    const echo = (text: string) =>
      ask(socketPath, 'POST', '/v1/operations/thing.echo', '{"word":"a"}', {
        'footbridge-for-processes': text,
      });
    expect((await echo('7,4194304')).status).toBe(200);
    expect((await echo('unknown')).status).toBe(200);
    expect(calls.map(({ caller }) => caller.forProcesses)).toEqual([[7, 4_194_304], 'unknown']);
    // What restricts is not passed over because it is written wrongly.
    const many = Array.from({ length: 65 }, (_, at) => at + 1).join(',');
    for (const wrong of ['', '0', '-1', '7,', '7, 8', '1.5', 'known', 'x', '99999999999', many])
      expect(await echo(wrong)).toMatchObject({ status: 400, body: refused('FOOTBRIDGE_ARGUMENTS') });
    expect(calls).toHaveLength(2);
  });

  it('rejects a caller that the system does not identify', async () => {
    const { socketPath, calls } = await startControl({
      identify: () => {
        throw new Error('no credentials');
      },
    });
    const answer = await ask(socketPath, 'POST', '/v1/operations/thing.echo', '{"word":"a"}');
    expect(answer).toMatchObject({ status: 403, body: refused('FOOTBRIDGE_FORBIDDEN') });
    expect(calls).toEqual([]);
  });

  it('rejects a body of more than 250,000 values', async () => {
    const { socketPath } = await startControl();
    const answer = await ask(socketPath, 'POST', '/v1/operations/thing.large', `{"x":${'['.repeat(300_000)}`);
    expect(answer).toMatchObject({
      status: 413,
      body: refused('FOOTBRIDGE_TOO_LARGE', 'The body may have at most 250000 values'),
    });
  });

  it('stops a text stream whose reader does not read', async () => {
    let isOver = false;
    const said = defineOperation({
      summary: 'Says without an end',
      args: () => z.object({}),
      text: {
        outputs: function* () {
          try {
            for (;;) yield 'x'.repeat(65_536);
          } finally {
            isOver = true;
          }
        },
      },
      run: () => null,
    });
    const { server, socketPath } = await startControl({ operations: { said } });
    const sockets: Socket[] = [];
    server.on('connection', (socket) => sockets.push(socket));
    const reader = connect(socketPath).on('error', () => {});
    reader.pause().write('GET /v1/operations/said/text HTTP/1.1\r\nhost: footbridge\r\n\r\n');
    await expect.poll(() => sockets[0]?.writableLength ?? 0).toBeGreaterThan(0);
    expect([sockets[0]?.timeout, isOver]).toEqual([10_000, false]);
    sockets[0]?.emit('timeout');
    await expect.poll(() => isOver).toBe(true);
    reader.destroy();
  });

  it('accepts a body of 1 MiB and rejects a larger body', async () => {
    const { socketPath } = await startControl();
    const body = (size: number) => `{"word":"a"${' '.repeat(size - 12)}}`;
    expect((await ask(socketPath, 'POST', '/v1/operations/thing.echo', body(MAX_BODY_BYTES))).status).toBe(
      200,
    );
    const answer = await ask(socketPath, 'POST', '/v1/operations/thing.echo', body(MAX_BODY_BYTES + 1));
    expect(answer).toMatchObject({ status: 413, body: refused('FOOTBRIDGE_TOO_LARGE') });
  });

  it('accepts a body up to the limit of its operation', async () => {
    const { socketPath } = await startControl();
    const large = (size: number) =>
      ask(socketPath, 'POST', '/v1/operations/thing.large', JSON.stringify({ text: 'x'.repeat(size) }));
    expect(await large(MAX_BODY_BYTES + 1)).toMatchObject({ status: 200, body: MAX_BODY_BYTES + 1 });
    expect(await large(2 * MAX_BODY_BYTES)).toMatchObject({
      status: 413,
      body: refused('FOOTBRIDGE_TOO_LARGE', `The body may have at most ${2 * MAX_BODY_BYTES} bytes`),
    });
    // Whoever names no operation is not listened to for long.
    expect((await ask(socketPath, 'POST', '/v1/status', 'x'.repeat(MAX_BODY_BYTES + 1))).status).toBe(413);
  });

  it('stops reading a chunked body without an end', async () => {
    const { socketPath } = await startControl();
    const socket = connect(socketPath).resume();
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      'POST /v1/operations/nothing HTTP/1.1\r\nHost: footbridge\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const pour = (): void => {
      if (!socket.destroyed && socket.write(chunk)) setImmediate(pour);
    };
    socket.on('drain', pour);
    pour();
    await closed;
    expect((await ask(socketPath, 'GET', '/v1/status')).status).toBe(200);
  });

  it.each([
    ['is too large', 'nothing', `Content-Length: ${MAX_BODY_BYTES + 1}`, '413'],
    ['turns out to be too large', 'nothing', 'Transfer-Encoding: chunked', '413'],
    [
      'comes with an Origin',
      'nothing',
      `Origin: https://a.example\r\nContent-Length: ${MAX_BODY_BYTES}`,
      '403',
    ],
  ])(
    'sends the reason to a client that is still sending a body that %s',
    async (_why, operation, header, status) => {
      const { socketPath } = await startControl();
      const socket = connect(socketPath);
      let answer = '';
      const failures: unknown[] = [];
      socket.on('data', (text) => {
        answer += String(text);
      });
      socket.on('error', () => {});
      const write = async (text: string): Promise<void> => {
        const failure = await new Promise((resolve) => socket.write(text, resolve));
        if (failure) failures.push(failure);
        await new Promise((resolve) => setTimeout(resolve, 50));
      };
      const isChunked = header.startsWith('Transfer');
      await write(
        `POST /v1/operations/${operation} HTTP/1.1\r\nHost: footbridge\r\nConnection: close\r\n${header}\r\n\r\n`,
      );
      const most = isChunked ? MAX_BODY_BYTES + 1 : Number(/Length: (\d+)/.exec(header)?.[1]);
      if (isChunked) await write(`${most.toString(16)}\r\n`);
      for (let left = most; left > 0; left -= 400_000) await write('x'.repeat(Math.min(left, 400_000)));
      if (isChunked) await write('\r\n0\r\n\r\n');
      await expect.poll(() => answer).toContain(`HTTP/1.1 ${status}`);
      expect(failures).toEqual([]);
      socket.destroy();
    },
  );

  it('continues after requests that are no HTTP', async () => {
    const { socketPath } = await startControl();
    for (const bytes of [
      '\u0000\u0001\u0002',
      'GET /v1/status',
      'POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n',
    ]) {
      const socket = connect(socketPath);
      socket.on('error', () => {});
      socket.end(bytes);
      await new Promise((resolve) => socket.once('close', resolve).resume());
    }
    expect((await ask(socketPath, 'GET', '/v1/status')).status).toBe(200);
  });
});
