import { describe, expect, it } from 'vitest';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import {
  APP,
  authorized,
  type FaultBridge,
  faultBridge,
  isLinux,
  startCommand,
  tokenRequest,
} from '../helpers/fault-bridge.ts';
import { os } from '../helpers/ipc-bridge.ts';

const ASK = { args: ['--consent', 'ask', '--http-port', '0'] } as const;
const SLOW = { timeout: 20_000, interval: 50 } as const;

interface Request {
  readonly id: string;
  readonly clientId: string;
}
interface Grant {
  readonly id: string;
  readonly decidedBy: { readonly kind: string; readonly pid?: number; readonly program?: string };
}

const waiting = async (bridge: FaultBridge): Promise<Request[]> =>
  (await bridge.control.call('requests.list')) as Request[];
const grants = async (bridge: FaultBridge): Promise<Grant[]> =>
  (await bridge.control.call('grants.list')) as Grant[];

/** An app in a process of its own, which asks and then waits for its end. */
const ASKER = `
const { connect } = require('node:net');
const frame = (opcode, body) => {
  const text = Buffer.from(JSON.stringify(body));
  const head = Buffer.alloc(8);
  head.writeInt32LE(opcode, 0);
  head.writeInt32LE(text.length, 4);
  return Buffer.concat([head, text]);
};
const [path, client] = process.argv.slice(1);
const socket = connect(path);
socket.write(frame(0, { v: 1, client_id: client }));
socket.once('data', () => {
  socket.write(frame(1, { cmd: 'AUTHORIZE', nonce: '1', args: { client_id: client, scopes: ['identify'] } }));
  socket.on('data', (chunk) => console.log(chunk.subarray(8).toString()));
});
`;
const askElsewhere = (bridge: FaultBridge, client = APP, more = '') =>
  startCommand([process.execPath, '-e', ASKER + more, bridge.endpoint, client], bridge.env);

it('a hundred requests of one process show at most three prompts [T45]', async () => {
  const bridge = await faultBridge(ASK);
  for (let i = 1; i <= 100; i++) {
    const client = String(1000 + i);
    const app = await bridge.app(client);
    app.request('AUTHORIZE', { client_id: client, scopes: ['identify'] });
    if (i > 3) expect((await app.answer()).data.code).toBe(ErrorCode.OAUTH2_ERROR);
  }
  expect(await waiting(bridge)).toHaveLength(3);
});

describe('AUTHORIZE with a code challenge [T54]', () => {
  it('accepts S256 only, and its code is useless without the verifier', async () => {
    const bridge = await faultBridge();
    const app = await bridge.app();
    const scopes = ['identify'];
    const plain = { client_id: APP, scopes, code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' };
    expect((await app.call('AUTHORIZE', plain)).data.code).toBe(ErrorCode.OAUTH2_ERROR);
    const { data } = await app.call('AUTHORIZE', { ...plain, code_challenge_method: 'S256' });
    const answer = await tokenRequest(bridge, { grant_type: 'authorization_code', code: data.code });
    expect(answer).toMatchObject({ error: expect.stringMatching(/^invalid_/) });
  });
});

it('a wrong verifier and a second use of a code return no token [T57]', async () => {
  const bridge = await faultBridge();
  const app = await bridge.app();
  const challenge = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };
  const { data } = await app.call('AUTHORIZE', { client_id: APP, scopes: ['identify'], ...challenge });
  const wrong = { grant_type: 'authorization_code', code: data.code, code_verifier: 'b'.repeat(43) };
  expect(await tokenRequest(bridge, wrong)).toEqual({
    error: 'invalid_request',
    error_description: expect.stringContaining('code_verifier'),
  });
  const { code } = await authorized(bridge, await bridge.app());
  const again = { grant_type: 'authorization_code', code };
  expect(await tokenRequest(bridge, again)).toMatchObject({ error: 'invalid_grant' });
});

it('a revoked grant is removed with its tokens and sessions [T59]', async () => {
  const bridge = await faultBridge();
  const app = await bridge.app();
  const { access_token, refresh_token } = await authorized(bridge, app);
  const [grant] = await grants(bridge);
  await bridge.control.call('grants.revoke', { id: grant?.id ?? '' });
  expect((await app.closed()).code).toBe(4003);
  expect(await grants(bridge)).toEqual([]);
  const again = await bridge.app();
  expect((await again.call('AUTHENTICATE', { access_token })).evt).toBe('ERROR');
  const refresh = { grant_type: 'refresh_token', refresh_token };
  expect(await tokenRequest(bridge, refresh)).toMatchObject({ error: 'invalid_grant' });
});

it('a request is denied when its connection closes [T62]', async () => {
  const bridge = await faultBridge(ASK);
  const app = await bridge.app();
  app.request('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
  await expect.poll(() => waiting(bridge), SLOW).toHaveLength(1);
  const [request] = await waiting(bridge);
  app.end();
  await expect.poll(() => waiting(bridge), SLOW).toEqual([]);
  const late = bridge.control.call('requests.approve', { id: request?.id ?? '' });
  await expect(late).rejects.toThrow('waits any more');
  expect(await grants(bridge)).toEqual([]);
});

describe.skipIf(!isLinux || os.native.kind === 'absent')(
  'the approver of a request (requires koffi on Linux)',
  () => {
    it('is stored with pid and program, and listed with the grant', async () => {
      const bridge = await faultBridge(ASK);
      const asker = askElsewhere(bridge);
      await expect.poll(() => waiting(bridge), SLOW).toHaveLength(1);
      const [request] = await waiting(bridge);
      const { code } = await bridge.cli(['approve', request?.id ?? '', '--always']);
      expect(code).toBe(0);
      expect(await asker.said('code')).toContain('"code"');
      const [grant] = await grants(bridge);
      expect(grant?.decidedBy).toMatchObject({
        kind: 'person',
        pid: expect.any(Number),
        program: expect.stringContaining('node'),
      });
      const { stdout } = await bridge.cli(['grants']);
      expect(stdout).toContain('DECIDED BY');
      expect(stdout).toContain(`(pid ${grant?.decidedBy.pid})`);
    });
    it('cannot be the requesting process', async () => {
      const bridge = await faultBridge(ASK);
      const app = await bridge.app();
      app.request('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
      await expect.poll(() => waiting(bridge), SLOW).toHaveLength(1);
      const [request] = await waiting(bridge);
      const own = bridge.control.call('requests.approve', { id: request?.id ?? '' });
      await expect(own).rejects.toThrow(`process ${process.pid}, which cannot allow it itself`);
      expect(await waiting(bridge)).toHaveLength(1);
      // To say no to itself is nobody's harm.
      await bridge.control.call('requests.deny', { id: request?.id ?? '' });
      expect((await app.answer()).data.code).toBe(ErrorCode.OAUTH2_ERROR);
      expect(await grants(bridge)).toEqual([]);
    });
    it('cannot be a process that the requesting process started', async () => {
      const bridge = await faultBridge(ASK);
      const app = await bridge.app();
      app.request('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
      await expect.poll(() => waiting(bridge), SLOW).toHaveLength(1);
      const [request] = await waiting(bridge);
      const { code, stderr } = await bridge.cli(['approve', request?.id ?? '']);
      expect(code).toBe(1);
      expect(stderr).toContain('cannot allow it itself, nor can a process it started');
      expect(await grants(bridge)).toEqual([]);
    });
  },
);
