import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './sockets.ts';

/**
 * A program that attaches, written from the description of the protocol in the guide alone: no code of ours is in it.
 * FAULT makes it wrong in one way; with LEFT it never comes back, and makes that file instead.
 */
const PROGRAM = `
import { writeFileSync } from 'node:fs';
const { WebSocket } = await import(${JSON.stringify(import.meta.resolve('ws'))});
const { FOOTBRIDGE_ATTACH_URL: url, FOOTBRIDGE_ATTACH_CODE: code, FAULT, LEFT } = process.env;
const user = {
  id: '42', username: 'somebody', discriminator: '0', global_name: null, avatar: null,
  avatar_decoration_data: null, bot: false, flags: 0, premium_type: 0,
};
const answers = {
  AUTHORIZE: () => new Promise(() => {}),
  AUTHENTICATE() {
    if (FAULT === 'any token') {
      return { application: { id: '1', name: 'x' }, scopes: ['rpc'], expires: '2099-01-01T00:00:00.000Z' };
    }
    throw { code: 4009, message: 'Invalid token' };
  },
  GET_GUILDS: () => (FAULT === 'a wrong shape' ? { guilds: [{ id: 1 }] } : { guilds: [] }),
  GET_GUILD() {
    throw { code: 4003, message: 'There is no such guild' };
  },
};
let token;
function connect() {
  const socket = new WebSocket(url);
  const send = (message) => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  socket.on('open', () => {
    if (FAULT === 'a wrong version') return send({ id: 0, method: 'hello', params: { v: 2, code, commands: [] } });
    send({ id: 0, method: 'hello', params: { v: 1, ...(token ? { token } : { code }), user, commands: Object.keys(answers) } });
  });
  socket.on('message', async (text) => {
    const { id, method, params, result } = JSON.parse(text);
    if (method === undefined && id === 0) {
      if (FAULT !== 'no memory') token = result.token ?? token;
      if (FAULT === 'a wrong event') send({ method: 'event', params: { evt: 'GUILD_CREATE', data: {} } });
      if (FAULT === 'unasked answers') send({ id: 99, result: null });
      if (FAULT === 'nonsense') send({ method: 'nonsense' });
    }
    if (method === 'subscribe') send({ id, result: [] });
    if (method === 'call') {
      try {
        send({ id, result: await answers[params.cmd](params.args) });
      } catch (error) {
        send({ id, error });
      }
    }
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    if (LEFT) return writeFileSync(LEFT, '');
    setTimeout(connect, 20);
  });
}
if (FAULT === 'an end') {
  console.log('nothing to do\\u0007');
  console.error('and a reason');
  process.exit(3);
}
if (FAULT === 'much output') {
  console.log('x'.repeat(3000) + 'end');
  process.exit(3);
}
if (FAULT !== 'silence') connect();
setInterval(() => {}, 1000);
`;

/** The shell command that runs that program. */
export function attachingProgram(): string {
  const file = join(temporaryFolder(), 'program.mjs');
  writeFileSync(file, PROGRAM);
  return `${JSON.stringify(process.execPath)} ${JSON.stringify(file)}`;
}
