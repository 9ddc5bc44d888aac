import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { logFilesIn } from '../../../platform/files/log-files.ts';
import { AppPeer } from '../../helpers/app-peer.ts';
import { startDaemon } from '../../helpers/daemon.ts';
import { rawPeer } from '../../helpers/raw-peer.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';
import { footbridge, temporaryPlace } from '../spawn.ts';

const SECRET = 'canary-client-secret-2f7c9d';
const TOKEN = '6qrZcUqja7812RVdnEKjpzOL4CvHBF';
const CANARIES = [SECRET, TOKEN, 'canary-field', 'canary-cookie-77aa88bb99cc', 'canary-code'];

const LOG = [
  JSON.stringify({
    level: 'warn',
    time: 1,
    msg: 'peer refused',
    reason: `token ${TOKEN}`,
    body: 'canary-field',
  }),
  JSON.stringify({ level: 'info', time: 2, msg: 'session ready', clientId: '300000000000000001' }),
  `a module wrote: client_secret=${SECRET} and cookie canary-cookie-77aa88bb99cc`,
  `GET https://example.org/cb?code=canary-code with authorization: Bearer ${TOKEN}`,
  `{"access_token":"${TOKEN}"`,
];

describe('footbridge bugreport', () => {
  it('writes one private file with every part and without the secrets of log, configuration and traffic', async () => {
    const place = temporaryPlace();
    const daemon = await startDaemon({
      args: ['--ws-port', 'off', '--http-port', '0', '--consent', 'allow'],
    });
    onTestFinished(async () => void (await daemon.stop()));
    const app = new AppPeer(await rawPeer(join(daemon.folder, 'discord-ipc-0')));
    await app.handshake('300000000000000001');
    const { data } = await app.call('AUTHORIZE', { client_id: '300000000000000001', scopes: ['rpc'] });
    const { code } = data as { code: string };
    await app.call('AUTHENTICATE', { access_token: TOKEN });

    const env = {
      ...place.env,
      ...daemon.env,
      FOOTBRIDGE_DATA_DIR: join(place.folder, 'Data'),
      MY_SECRET: SECRET,
    };
    const state = join(place.folder, 'state');
    mkdirSync(join(state, 'footbridge'), { recursive: true });
    const [, current] = logFilesIn(join(state, 'footbridge'));
    writeFileSync(current, `${LOG.join('\n')}\n`);
    writeFileSync(
      join(place.folder, 'footbridge.toml'),
      `[[forward]]\nfrom = "exec:ssh canary-field footbridge forward --from /tmp/x --to stdio:"\nto = "auto"\n`,
    );
    const output = join(temporaryFolder(), 'report.txt');
    const machine = { ...place, env: { ...env, HOME: place.folder, XDG_STATE_HOME: state } };
    const {
      code: exit,
      stdout,
      stderr,
    } = await footbridge(
      machine,
      'bugreport',
      '--out',
      output,
      '--config',
      join(place.folder, 'footbridge.toml'),
    );
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toContain(`Wrote ${output} (`);
    expect(stdout).toContain('Result of footbridge doctor (');

    const text = readFileSync(output, 'utf8');
    expect(statSync(output).mode & 0o777).toBe(0o600);
    expect(text).toContain(`node ${process.versions.node}`);
    expect(text).toContain('data_dir = "~/Data"  (environment)');
    expect(text).toContain('forward = 1 table  (file)');
    expect(text).toContain('sessions: 1 ipc ready');
    expect(text).toContain('handshake: ok');
    expect(text).toContain('1970-01-01T00:00:00.001Z warn peer refused reason=token [hidden]');
    expect(text).toContain('info session ready clientId=300000000000000001');
    expect(text).toContain('client_secret=[hidden]');
    expect(text).toContain(`(not a line of the log, ${LOG.at(-1)?.length} characters)`);
    for (const canary of [...CANARIES, code, place.folder]) expect(text).not.toContain(canary);
    expect(text).not.toMatch(new RegExp(`\\b${userInfo().username}\\b`));
  });

  it('never overwrites a file, a link or a folder', async () => {
    const place = temporaryPlace();
    const folder = temporaryFolder();
    const taken = join(folder, 'taken.txt');
    writeFileSync(taken, 'mine');
    symlinkSync(join(folder, 'away'), join(folder, 'link.txt'));
    for (const name of ['taken.txt', 'link.txt', '.']) {
      const path = join(folder, name);
      const { code, stdout, stderr } = await footbridge(place, 'bugreport', '--out', path);
      expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
      expect(stderr).toMatch(
        /there is a file already, and it is not overwritten\. Name another with --out\.\n$/,
      );
    }
    expect(readFileSync(taken, 'utf8')).toBe('mine');
    expect(readdirSync(folder).sort()).toEqual(['link.txt', 'taken.txt']);
    const { code, stderr } = await footbridge(
      place,
      'bugreport',
      '--out',
      join(folder, 'no/such/folder.txt'),
    );
    expect(code).toBe(78);
    expect(stderr).toContain('the report cannot be written');
  });

  it('works without a bridge and with a broken configuration, and prints JSON', async () => {
    const place = temporaryPlace();
    const output = join(temporaryFolder(), 'report.txt');
    const env = { ...place.env, FOOTBRIDGE_INDEX: SECRET };
    const { code, stdout } = await footbridge({ ...place, env }, 'bugreport', '--json', '--out', output);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ path: output, bytes: statSync(output).size });
    const text = readFileSync(output, 'utf8');
    expect(text).toContain('FOOTBRIDGE_INDEX');
    expect(text).not.toContain(SECRET);
  });
});
