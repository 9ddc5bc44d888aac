import { describe, expect, it } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { commandTable } from '../../../src/cli/table.ts';
import { Opcode } from '../../../src/wire/codes.ts';
import { type Script, scriptedServer, wellBehaved } from '../../helpers/scripted-server.ts';
import { fakeIo } from '../fake-io.ts';
import { footbridgeCommand, startProgram, temporaryPlace } from '../spawn.ts';

/** `footbridge call - ARGS` in this process. */
async function lines(script: Script, stdin: string | Uint8Array, ...args: readonly string[]) {
  const server = await scriptedServer(script);
  const io = fakeIo({ XDG_RUNTIME_DIR: server.folder }, stdin);
  const code = await runProgram(['call', '-', ...args], commandTable, io);
  return { server, code, stdout: io.stdout(), stderr: io.stderr() };
}

const refusing: Script = (frame, peer, connection) => {
  if (frame.body.cmd !== 'NO') return wellBehaved(frame, peer, connection);
  peer.payload({
    cmd: 'NO',
    nonce: frame.body.nonce,
    evt: 'ERROR',
    data: { code: 4000, message: 'no\nway' },
  });
};

describe('call -', () => {
  it('sends each line over one connection after the response to the previous line', async () => {
    const { server, ...ended } = await lines(
      wellBehaved,
      '{"cmd":"ECHO","args":{"a":1}}\n\r\n{"cmd":"SUBSCRIBE","evt":"X"}\n{"cmd":"ECHO"}',
    );
    expect(ended).toEqual({
      code: 0,
      stdout:
        '{"cmd":"ECHO","data":{"a":1}}\n{"cmd":"SUBSCRIBE","data":{"evt":"X"}}\n{"cmd":"ECHO","data":{}}\n',
      stderr: '',
    });
    expect(server.peers).toHaveLength(1);
    expect(server.peer.requests()).toMatchObject([
      { cmd: 'ECHO' },
      { cmd: 'SUBSCRIBE', evt: 'X' },
      { cmd: 'ECHO' },
    ]);
  });

  it('prints each refusal in the order of the lines, continues, and exits with 1', async () => {
    const { code, stdout } = await lines(refusing, '{"cmd":"NO"}\n{"cmd":"ECHO"}\n');
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: '{"cmd":"NO","error":{"code":4000,"message":"no?way"}}\n{"cmd":"ECHO","data":{}}\n',
    });
  });

  it.each<[string, string | Uint8Array, string, number]>([
    ['no JSON', '{"cmd":"ECHO"}\nsecret-word\n', 'stdin, line 2: is not JSON.', 64],
    ['a list', '{"cmd":"ECHO"}\n[1]', 'stdin, line 2: is no object.', 64],
    ['no command', '{"cmd":"ECHO"}\n{"args":{}}', 'stdin, line 2: has no "cmd", which is a text.', 64],
    ['wrong arguments', '{"cmd":"ECHO"}\n{"cmd":"X","args":1}', 'line 2: has "args" that are no object.', 64],
    ['a wrong event', '{"cmd":"ECHO"}\n{"cmd":"X","evt":1}', 'line 2: has an "evt" that is no text.', 64],
    [
      'another member',
      '{"cmd":"ECHO"}\n{"cmd":"X","arg":1}',
      'line 2: has "arg" in it. Did you mean "args"?',
      64,
    ],
    ['other bytes', Buffer.from('{"cmd":"ECHO"}\n\xff\n', 'latin1'), 'stdin, line 2: is not UTF-8.', 78],
    [
      'no end',
      `{"cmd":"ECHO"}\n${' '.repeat(4_194_305)}`,
      'stdin, line 2: is longer than 4194304 bytes.',
      78,
    ],
  ])('stops at a line with %s and names the line', async (_what, stdin, message, code) => {
    const ended = await lines(wellBehaved, stdin);
    expect(ended).toMatchObject({
      code,
      stdout: '{"cmd":"ECHO","data":{}}\n',
      stderr: expect.stringContaining(message),
    });
    expect(ended.stderr).not.toContain('secret-word');
    expect(ended.stderr.split('\n')).toHaveLength(2);
  });

  it('reports an input without any line', async () => {
    expect(await lines(wellBehaved, '\n \n')).toMatchObject({
      code: 64,
      stderr: 'footbridge: stdin: there is no request in it. Try: {"cmd":"GET_GUILDS"}\n',
    });
  });

  it('applies --timeout to each line separately', async () => {
    const silent: Script = (frame, peer, connection) => {
      if (frame.body.cmd !== 'NO') wellBehaved(frame, peer, connection);
    };
    expect(await lines(silent, '{"cmd":"ECHO"}\n{"cmd":"NO"}\n', '--timeout', '0.3')).toMatchObject({
      code: 1,
      stdout: '{"cmd":"ECHO","data":{}}\n',
      stderr: 'footbridge: No answer to NO within 0.3 s; --timeout sets how long to wait.\n',
    });
  });

  it('continues with events after the last line with --follow, and exits with 1 when the server closes', async () => {
    const script: Script = (frame, peer, connection) => {
      wellBehaved(frame, peer, connection);
      if (frame.opcode === Opcode.HANDSHAKE) return;
      peer.dispatch('X', { a: 1 });
      peer.send(Opcode.CLOSE, { code: 4003, message: 'Token revoked' });
    };
    expect(await lines(script, '{"cmd":"SUBSCRIBE","evt":"X"}\n', '--follow')).toMatchObject({
      code: 1,
      stdout: '{"cmd":"SUBSCRIBE","data":{"evt":"X"}}\n{"evt":"X","data":{"a":1}}\n',
      stderr: 'footbridge: Closed by the server: 4003 Token revoked.\n',
    });
  });

  it('prints responses while stdin is open, and exits before the end of stdin when the server closes', async () => {
    const server = await scriptedServer();
    const { env } = temporaryPlace();
    const running = startProgram(footbridgeCommand('call', '-'), {
      env: { ...env, XDG_RUNTIME_DIR: server.folder },
    });
    running.child.stdin?.write('{"cmd":"ECHO"}\n');
    await running.stdoutWith('{"cmd":"ECHO","data":{}}\n');
    server.peer.send(Opcode.CLOSE, { code: 1000, message: 'bye' });
    expect(await running.ended).toMatchObject({
      code: 1,
      stderr: 'footbridge: Closed by the server: 1000 bye.\n',
    });
  });
});
