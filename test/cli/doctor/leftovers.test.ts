import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { leftovers } from '../../../src/cli/doctor/checks/leftovers.ts';
import { leaveStaleSocket, listenOn } from '../../helpers/sockets.ts';
import { scene } from './scene.ts';

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Finding about the folder of a test: the machine may have endpoints elsewhere. */
async function found(machine: Awaited<ReturnType<typeof scene>>) {
  const { verdict, evidence, fix, repair } = await leftovers.inspect(machine);
  expect(repair).toBeUndefined();
  const isHere = (line: string): boolean => line.includes(machine.folder);
  return {
    verdict,
    evidence: evidence.filter(isHere).map((line) => line.replaceAll(`${machine.folder}/`, '')),
    commands: (Array.isArray(fix) ? (fix as string[]) : []).filter(isHere),
  };
}

/** Runs the command of a finding as a user would. */
const run = (command: string | undefined): void => void execFileSync('/bin/sh', ['-c', command ?? 'false']);

describe('the check of leftovers', () => {
  it('passes without links and relays', async () => {
    const machine = await scene();
    await listenOn({ path: join(machine.folder, 'discord-ipc-0') });
    expect((await found(machine)).evidence).toEqual([]);
    expect((await leftovers.inspect({ ...machine, os: 'win32' })).verdict).toBe('not applicable');
  });

  it('finds a link without a target, and its command removes the link', async () => {
    const machine = await scene();
    const link = join(machine.folder, 'discord-ipc-0');
    symlinkSync('app/com.discordapp.Discord/discord-ipc-0', link);
    const { verdict, evidence, commands } = await found(machine);
    expect(verdict).toBe('warning');
    expect(evidence).toEqual([
      'discord-ipc-0: a link to app/com.discordapp.Discord/discord-ipc-0, where nothing is',
    ]);
    expect(commands).toEqual([`rm ${link}`]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    run(commands[0]);
    expect((await found(machine)).evidence).toEqual([]);
  });

  it('tells a link to a dead socket and to a file from one that works', async () => {
    const machine = await scene();
    const client = join(machine.folder, 'app/com.discordapp.Discord');
    mkdirSync(client, { recursive: true });
    await listenOn({ path: join(client, 'discord-ipc-0') });
    await leaveStaleSocket(join(machine.folder, 'dead'));
    writeFileSync(join(machine.folder, 'file'), '');
    symlinkSync(join(client, 'discord-ipc-0'), join(machine.folder, 'discord-ipc-0'));
    symlinkSync('dead', join(machine.folder, 'discord-ipc-1'));
    symlinkSync('file', join(machine.folder, 'discord-ipc-2'));
    const { evidence, commands } = await found(machine);
    expect(evidence).toEqual([
      'discord-ipc-0: a link to app/com.discordapp.Discord/discord-ipc-0, which works while its server runs, and hinders sandboxes when it ends',
      'discord-ipc-1: a link to dead, where nobody listens',
      'discord-ipc-2: a link to file, which is not a socket',
    ]);
    expect(commands).toEqual([1, 2].map((index) => `rm ${join(machine.folder, `discord-ipc-${index}`)}`));
  });

  it('follows a link in the folder of a sandbox to another endpoint alone', async () => {
    const machine = await scene();
    const client = join(machine.folder, 'app/com.discordapp.Discord');
    mkdirSync(join(client, 'own'), { recursive: true });
    await listenOn({ path: join(machine.folder, 'discord-ipc-0') });
    await listenOn({ path: join(client, 'own/socket') });
    symlinkSync('../../discord-ipc-0', join(client, 'discord-ipc-0'));
    symlinkSync('own/socket', join(client, 'discord-ipc-1'));
    const { verdict, evidence } = await found(machine);
    expect(verdict).toBe('ok');
    expect(evidence).toEqual([
      'app/com.discordapp.Discord/discord-ipc-0: a link to ../../discord-ipc-0, which works while its server runs, and hinders sandboxes when it ends',
      'app/com.discordapp.Discord/discord-ipc-1: a link to own/socket, which is not followed, because a program in a sandbox can write there',
    ]);
  });

  it('removes the file of user-tmpfiles.d that makes the link again, or its line in a file with others', async () => {
    const machine = await scene();
    const link = join(machine.folder, 'discord-ipc-0');
    const file = join(machine.folder, '.config/user-tmpfiles.d/discord rpc.conf');
    symlinkSync('app/x/discord-ipc-0', link);
    write(file, '# rich presence\nL %t/discord-ipc-0 - - - - app/x/discord-ipc-0\n');
    const alone = await found(machine);
    expect(alone.commands).toEqual([`rm ${link} '${file}'`]);
    write(file, 'd %t/mine\nL+ %t/discord-ipc-0 - - - - app/x/discord-ipc-0\n');
    const shared = await found(machine);
    expect(shared.commands).toEqual([`rm ${link} && sed -i 2d '${file}'`]);
    run(shared.commands[0]);
    expect(existsSync(file)).toBe(true);
    expect(execFileSync('/bin/cat', [file], { encoding: 'utf8' })).toBe('d %t/mine\n');
    expect((await found(machine)).evidence).toEqual([]);
  });

  it('leaves dead sockets to the check of endpoints, and says nothing of them', async () => {
    const machine = await scene();
    await leaveStaleSocket(join(machine.folder, 'discord-ipc-0'));
    expect(await leftovers.inspect(machine)).toMatchObject({ evidence: ['no link and no relay of others'] });
  });

  it('finds a relay that hangs up, and tells it from one that works', async () => {
    const machine = await scene();
    const path = join(machine.folder, 'discord-ipc-0');
    const program = join(machine.folder, 'socat');
    copyFileSync(process.execPath, program);
    chmodSync(program, 0o755);
    const relay = spawn(
      program,
      [
        '-e',
        `require('node:net').createServer((socket) => socket.destroy()).listen(${JSON.stringify(path)}, () => console.log(1))`,
      ],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    onTestFinished(() => void relay.kill('SIGKILL'));
    await new Promise((resolve) => relay.stdout.once('data', resolve));
    const { verdict, evidence, commands } = await found({ ...machine });
    expect(verdict).toBe('warning');
    expect(evidence[0]).toMatch(
      /^discord-ipc-0: a relay, socat \(pid \d+, .*\), which hangs up on apps: its target is away$/,
    );
    expect(commands).toEqual([]);
    expect((await leftovers.inspect(machine)).fix).toContain(`kill ${relay.pid}`);
  });
});
