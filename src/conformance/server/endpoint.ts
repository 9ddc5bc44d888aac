import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { verify } from '../failure.ts';
import { OPCODES } from '../tables.ts';
import type { Lab } from '../target/lab.ts';
import type { OwnerKind } from '../target/owner.ts';
import { formatExit } from '../target/process.ts';
import { exclusiveCase, type ServerCase } from './case.ts';

const exclusive = exclusiveCase();
const anywhere = exclusiveCase({ unixOnly: false });

function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket();
  } catch {
    return false;
  }
}

/** Case in which a live server owns index 0 and must keep it: the target takes the next index or ends by itself. */
async function besideOwner(lab: Lab, kind: OwnerKind): Promise<void> {
  const owner = await lab.own(0, kind);
  const result = await lab.launch();
  await owner.verifyUnchanged();
  if (result.kind === 'exited') return;
  verify(result.kind === 'listening', 'the target to take index 1, or to end', 'no endpoint in time');
  if (result.kind !== 'listening') return;
  verify(result.path === lab.path(1), 'the target to take index 1', result.path);
  await lab.app(result.path);
}

/** Case in which a file that is not a stale socket exists at index 0 and must stay unchanged. */
async function besideThing(lab: Lab, what: string, verifyUnchanged: () => void): Promise<void> {
  const result = await lab.launch();
  verifyUnchanged();
  if (result.kind === 'listening') {
    verify(result.path === lab.path(1), `index 1, because of ${what} at index 0`, result.path);
  }
}

async function removesSocket(lab: Lab, signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
  const instance = await lab.start();
  await lab.app(instance.path);
  await lab.stop(instance, signal);
  verify(!existsSync(instance.path), `no socket file after ${signal}`, 'it is still there');
}

/** Case in which only `name` of the four variables is set: the endpoint must be in the folder that it names. */
async function usesVariable(lab: Lab, name: string): Promise<void> {
  const folder = join(lab.root, 'elsewhere');
  mkdirSync(folder, { mode: 0o700 });
  const unset = { XDG_RUNTIME_DIR: undefined, TMPDIR: undefined, TMP: undefined, TEMP: undefined };
  const instance = await lab.start({ env: { ...unset, [name]: folder }, folder });
  verify(instance.path.startsWith(folder), `an endpoint in the folder of ${name}`, instance.path);
}

/** Cases about the choice of the endpoint, the protection of foreign files, and the cleanup at exit. */
export const endpointCases: readonly ServerCase[] = [
  anywhere('endpoint/1', 'index 0 when it is free', async (lab) => {
    const instance = await lab.start();
    verify(instance.path === lab.path(0), lab.path(0), instance.path);
    await lab.app(instance.path);
  }),
  exclusive('endpoint/2', 'another server that answers keeps index 0', (lab) =>
    besideOwner(lab, 'answering'),
  ),
  exclusive('endpoint/3', 'a silent server keeps index 0', (lab) => besideOwner(lab, 'silent')),
  exclusive('endpoint/4', 'a server that closes at once keeps index 0', (lab) => besideOwner(lab, 'closing')),
  exclusive('endpoint/5', 'a server too busy to accept keeps index 0', (lab) => besideOwner(lab, 'busy')),
  exclusive('endpoint/6', 'a socket whose owner was killed is taken over', async (lab) => {
    const first = await lab.start();
    await first.process.kill();
    verify(isSocket(lab.path(0)), 'a stale socket to begin with', 'none');
    const second = await lab.start();
    verify(second.path === lab.path(0), lab.path(0), second.path);
    await lab.app(second.path);
  }),
  exclusive('endpoint/7', 'a file at index 0 stays', async (lab) => {
    writeFileSync(lab.path(0), 'mine');
    await besideThing(lab, 'a file', () => {
      const isUnchanged = lstatSync(lab.path(0)).isFile() && readFileSync(lab.path(0), 'utf8') === 'mine';
      verify(isUnchanged, 'the file at index 0 to stay', 'it was replaced');
    });
  }),
  exclusive('endpoint/8', 'a symlink to a live socket stays', async (lab) => {
    const owner = await lab.own(7, 'answering');
    symlinkSync(owner.path, lab.path(0));
    await besideThing(lab, 'a symlink', () => {
      verify(lstatSync(lab.path(0)).isSymbolicLink(), 'the symlink at index 0 to stay', 'it was replaced');
    });
    await owner.verifyUnchanged();
  }),
  exclusive('endpoint/9', 'a symlink to nowhere stays', async (lab) => {
    symlinkSync(join(lab.root, 'nowhere'), lab.path(0));
    await besideThing(lab, 'a symlink', () => {
      const isUnchanged =
        lstatSync(lab.path(0)).isSymbolicLink() && readlinkSync(lab.path(0)).endsWith('nowhere');
      verify(isUnchanged, 'the symlink at index 0 to stay', 'it was replaced');
    });
  }),
  exclusive('endpoint/10', 'others may not write to the socket, whatever the umask', async (lab) => {
    const instance = await lab.start({ prefix: 'umask 0; ' });
    const mode = lstatSync(instance.path).mode & 0o777;
    verify((mode & 0o022) === 0, 'a socket that only its owner may write to', `mode 0${mode.toString(8)}`);
  }),
  exclusive('endpoint/11', 'SIGTERM ends it and removes the socket', (lab) => removesSocket(lab, 'SIGTERM')),
  exclusive('endpoint/12', 'SIGINT ends it and removes the socket', (lab) => removesSocket(lab, 'SIGINT')),
  exclusive('endpoint/13', 'nothing else that begins with discord-ipc-', async (lab) => {
    const instance = await lab.start();
    const app = await lab.app(instance.path);
    await app.succeed('SET_ACTIVITY', { pid: 4242 });
    const others = readdirSync(lab.folder)
      .filter((name) => name.startsWith('discord-ipc-'))
      .filter((name) => join(lab.folder, name) !== instance.path);
    verify(others.length === 0, 'one file that begins with discord-ipc-', () => `also ${others.join(', ')}`);
  }),
  exclusive('endpoint/14', 'TMPDIR when XDG_RUNTIME_DIR is not set', (lab) => usesVariable(lab, 'TMPDIR')),
  exclusive('endpoint/15', 'TMP when neither is set', (lab) => usesVariable(lab, 'TMP')),
  exclusive('endpoint/16', 'TEMP when none of the three is set', (lab) => usesVariable(lab, 'TEMP')),
  exclusive('endpoint/17', 'all ten indexes are taken: it ends with an error', async (lab) => {
    const owners = await Promise.all(Array.from({ length: 10 }, (_, index) => lab.own(index, 'answering')));
    const result = await lab.launch({ ms: lab.settings.timeouts.deadlineMs });
    for (const owner of owners) await owner.verifyUnchanged();
    const actual = result.kind === 'exited' ? formatExit(result.exit) : 'it runs';
    verify(result.kind === 'exited' && actual !== 'exit code 0', 'an exit code other than 0', actual);
  }),
  exclusive('endpoint/18', 'a second instance leaves the first alone', async (lab) => {
    const first = await lab.start();
    const app = await lab.app(first.path);
    const { ino } = lstatSync(first.path);
    await lab.launch({ ms: 2 * lab.settings.timeouts.answerMs, foreign: [first.path] });
    verify(
      isSocket(first.path) && lstatSync(first.path).ino === ino,
      'the first socket to stay',
      'it was replaced',
    );
    await app.usable();
    await lab.app(first.path);
  }),
  anywhere('endpoint/19', "another server's probe finds it occupied", async (lab) => {
    const instance = await lab.start();
    const probe = await lab.connect(instance.path);
    await probe.send(OPCODES.PING, '1');
    await probe.frame(OPCODES.PONG, 'PONG(4) within 1 s', 1000);
  }),
];
