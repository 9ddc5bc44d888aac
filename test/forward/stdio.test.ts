import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, existsSync, openSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ForwardOptions, ForwardRights } from '../../src/forward/forward.ts';
import { type Hello, helloLine, readHello } from '../../src/forward/link/hello.ts';
import { Link, type OnSession } from '../../src/forward/link/link.ts';
import { joinPeers, type Peer } from '../../src/forward/peer.ts';
import { eventually } from '../helpers/eventually.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { app, closeIn, echoBridge, forwarding, paths } from './forwards.ts';
import { RecordingPeer } from './link/two-links.ts';

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

/** Pipes of a forward to the process that has started it, as descriptors and as the streams of that process. */
function pipes() {
  const folder = temporaryFolder();
  const pipe = (name: string): readonly [number, number] => {
    const path = join(folder, name);
    execFileSync('mkfifo', [path]);
    return [openSync(path, O_RDONLY | O_NONBLOCK), openSync(path, O_WRONLY | O_NONBLOCK)];
  };
  const [input, theirOutput] = pipe('in');
  const [theirInput, output] = pipe('out');
  const reading = new Socket({ fd: theirInput, readable: true, writable: false });
  const writing = new Socket({ fd: theirOutput, readable: false, writable: true });
  for (const socket of [reading, writing]) {
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
  }
  return { stdio: { input, output }, reading, writing };
}

/** The process that has started a forward: says hello, waits for the answer, and makes the link. */
async function otherEnd({ reading, writing }: ReturnType<typeof pipes>, own: Hello, onSession?: OnSession) {
  writing.write(helloLine(own));
  const result = await readHello(reading, writing, 5000);
  if (result.kind !== 'hello') throw new Error(result.fault);
  const ends: (string | undefined)[] = [];
  const link = new Link({
    input: reading,
    output: writing,
    early: result.early,
    opens: own.side === 'apps' ? 'this end' : 'the other end',
    ...(onSession === undefined ? {} : { onSession }),
    onEnd: (fault) => void ends.push(fault),
  });
  link.start();
  onTestFinished(() => link.end(undefined));
  return { link, hello: result.hello, ends };
}

/** A session that this end opens, and what comes back. */
function opened(link: Link): readonly [RecordingPeer, Peer] {
  const [peer, session] = [new RecordingPeer(), link.open(0)];
  if (session === undefined) throw new Error('no session');
  joinPeers(peer, session);
  return [peer, session];
}

const theirApps = (rights: ForwardRights = 'full', name = 'theirs'): Hello => ({
  side: 'apps',
  rights,
  name,
});

/** What a forward has asked the bridge for. */
function entering(path: string): Pick<ForwardOptions, 'enter'> & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async enter(rights, name) {
      asked.push(`${rights} ${name}`);
      return { path: async () => path, close: () => void asked.push('closed') };
    },
  };
}

describe.skipIf(process.platform === 'win32')('a forward from stdio: (not on Windows)', () => {
  it('leads the sessions of the process that started it to the bridge', async () => {
    const { bridge } = paths();
    await echoBridge(bridge);
    const all = pipes();
    const starting = forwarding('stdio:', bridge, { stdio: all.stdio, name: 'here' });
    const { link, hello } = await otherEnd(all, theirApps());
    expect(hello).toEqual({ side: 'bridge', rights: 'full', name: 'here' });
    const { forward, reports } = await starting;
    const [peer, session] = opened(link);
    const sent = randomBytes(100_000);
    session.send(sent);
    await eventually(() => expect(peer.bytes.equals(sent)).toBe(true));
    expect(forward.status()).toMatchObject({ sessions: 1, why: null, lastError: null });
    expect(reports).toEqual([]);
  });

  it.each<[ForwardRights, ForwardRights, string, string, boolean]>([
    ['full', 'full', 'here', 'full here', false],
    ['full', 'presence', 'here', 'presence here', false],
    ['presence', 'full', 'here', 'presence here', true],
    ['presence', 'presence', '', 'presence theirs', false],
  ])('has rights %s here and %s there, and the name %j', async (rights, there, name, asked, isReported) => {
    const { bridge } = paths();
    const all = pipes();
    const way = entering(bridge);
    const starting = forwarding('stdio:', bridge, { stdio: all.stdio, rights, name, enter: way.enter });
    await otherEnd(all, theirApps(there));
    const { forward, reports } = await starting;
    expect(way.asked).toEqual([asked]);
    const text =
      'The other end asks for full rights, and this end allows presence. Full needs --rights full here, too.';
    expect(reports).toEqual(isReported ? [text] : []);
    forward.close();
    expect(way.asked).toEqual([asked, 'closed']);
  });

  it('ends when the process that started it has gone', async () => {
    const { bridge } = paths();
    const all = pipes();
    const starting = forwarding('stdio:', bridge, { stdio: all.stdio });
    const { link } = await otherEnd(all, theirApps());
    const { forward } = await starting;
    link.end(undefined);
    all.writing.destroy();
    expect(await forward.ended).toBeUndefined();
  });

  it('ends when that process no longer reads', async () => {
    const { bridge } = paths();
    const all = pipes();
    const starting = forwarding('stdio:', bridge, { stdio: all.stdio });
    await otherEnd(all, theirApps());
    const { forward } = await starting;
    all.reading.destroy();
    all.writing.destroy();
    expect(await forward.ended).toBeUndefined();
  });

  it('names the fault of a process that breaks the protocol', async () => {
    const { bridge } = paths();
    const all = pipes();
    const starting = forwarding('stdio:', bridge, { stdio: all.stdio });
    all.writing.write(helloLine(theirApps()));
    const { forward } = await starting;
    all.writing.write(new Uint8Array(64).fill(0xff));
    expect(await forward.ended).toMatch(/\w/);
  });

  it('tells its other end when it ends itself', async () => {
    const { bridge } = paths();
    const sockets = await echoBridge(bridge);
    const all = pipes();
    const starting = forwarding('stdio:', bridge, { stdio: all.stdio });
    const { link, ends } = await otherEnd(all, theirApps());
    const { forward } = await starting;
    const [peer] = opened(link);
    await eventually(() => expect(sockets).toHaveLength(1));
    forward.close();
    await eventually(() => expect(ends).toEqual([undefined]));
    await eventually(() => expect(sockets[0]?.destroyed).toBe(true));
    expect(peer.aborted).toBeDefined();
  });

  it('closes both streams when the bridge cannot be entered', async () => {
    const all = pipes();
    const enter = () => Promise.reject(new Error('no bridge'));
    const starting = forwarding('stdio:', '/nowhere', { stdio: all.stdio, enter });
    all.writing.write(helloLine(theirApps()));
    await expect(starting).rejects.toThrow('no bridge');
    const closed = new Promise<void>((resolve) => all.reading.once('end', resolve));
    all.reading.resume();
    await closed;
  });

  it.each<[string, string]>([
    [
      helloLine({ ...theirApps(), side: 'bridge' }),
      'is the same end of a forward as this one: one needs "--to stdio:".',
    ],
    [
      'footbridge-forward/9 apps full "x"\n',
      'speaks version 9 of the forward protocol, and this end version 1',
    ],
    ['', 'ended before it said hello.'],
  ])('does not start behind %j', async (line, fault) => {
    const all = pipes();
    const starting = forwarding('stdio:', '/nowhere', { stdio: all.stdio });
    all.writing.end(line);
    await expect(starting).rejects.toMatchObject({
      code: 'FOOTBRIDGE_FORWARD',
      message: expect.stringContaining(`stdio: the other end ${fault}`),
    });
  });

  it.each(['input', 'output'] as const)('needs a pipe as standard %s', async (name) => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const all = pipes();
    const stdio = { ...all.stdio, [name]: openSync(file, 'r+') };
    await expect(forwarding('stdio:', '/nowhere', { stdio })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_USAGE',
      message:
        `stdio: standard ${name} is not a pipe to another forward. Start this end from the other one: ` +
        "footbridge forward --from PATH --to 'exec:… footbridge forward --from stdio: --to auto'",
    });
  });
});

describe.skipIf(process.platform === 'win32')('a forward to stdio: (not on Windows)', () => {
  it('leads apps to the process that started it', async () => {
    const { apps } = paths();
    const all = pipes();
    const starting = forwarding(apps, 'stdio:', { stdio: all.stdio, name: 'here', rights: 'presence' });
    const sessions: RecordingPeer[] = [];
    const { hello } = await otherEnd(all, { side: 'bridge', rights: 'full', name: '' }, (peer) => {
      const one = new RecordingPeer();
      joinPeers(one, peer);
      sessions.push(one);
    });
    expect(hello).toEqual({ side: 'apps', rights: 'presence', name: 'here' });
    const { forward } = await starting;
    const one = app(apps);
    one.socket.write('question');
    await eventually(() => expect(sessions[0]?.bytes.toString()).toBe('question'));
    expect(forward.status().sessions).toBe(1);
    sessions[0]?.partner?.send(Buffer.from('answer'));
    await eventually(() => expect(one.read().toString()).toBe('answer'));
    forward.close();
    expect(existsSync(apps)).toBe(false);
    expect(closeIn(await one.all)).toBeUndefined();
  });

  it('ends its apps when that process has gone', async () => {
    const { apps } = paths();
    const all = pipes();
    const starting = forwarding(apps, 'stdio:', { stdio: all.stdio });
    const { link } = await otherEnd(all, { side: 'bridge', rights: 'full', name: '' }, (peer) => {
      new RecordingPeer().join(peer);
    });
    const { forward } = await starting;
    link.end(undefined);
    all.writing.destroy();
    expect(await forward.ended).toBeUndefined();
  });

  it('removes its socket when the process that started it is the wrong one', async () => {
    const { apps } = paths();
    const all = pipes();
    const starting = forwarding(apps, 'stdio:', { stdio: all.stdio });
    all.writing.write(helloLine(theirApps()));
    await expect(starting).rejects.toMatchObject({
      message: 'stdio: the other end is the same end of a forward as this one: one needs "--from stdio:".',
    });
    expect(existsSync(apps)).toBe(false);
  });
});
