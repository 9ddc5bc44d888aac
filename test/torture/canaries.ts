import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FramePeer, type Heard } from '../bench/frame-peer.ts';
import { atMost, type Scenario } from './figure.ts';
import { createRuntime, withTarget } from './target.ts';

const APP = '300000000000000001';
const SECRET = 'canary-client-secret-2f7c9d';
const VERIFIER = 'canary-verifier-'.padEnd(43, 'v');
const PATIENCE_MS = 10_000;

/** Uses every secret rightly and wrongly, then looks for each in everything that the daemon left. */
export const canaries: Scenario = {
  name: 'canaries',
  rows: ['T64'],
  raised: {},
  async run() {
    const runtime = createRuntime();
    const args = ['--consent', 'allow', '--http-port', '0', '--log-level', 'debug'];
    try {
      const traces: string[] = [];
      const secrets = await withTarget(
        {},
        async (target) => {
          const used = await useSecrets(target.endpoint, target.ready.api, traces);
          traces.push(JSON.stringify(await target.control.status()), ...ofProcess(target.pid));
          const { stdout, stderr } = await target.stop();
          traces.push(stdout, stderr);
          return used;
        },
        { runtime, args },
      );
      traces.push(...filesIn(runtime.folder));
      const hits = secrets.reduce(
        (sum, secret) => sum + traces.filter((trace) => trace.includes(secret)).length,
        0,
      );
      const goal = 'token canary in logs, errors, environment, command line and files: 0 times';
      return [atMost(goal, hits, 0, { unit: 'times', digits: 0, note: ` (${traces.length} places)` })];
    } finally {
      runtime.remove();
    }
  },
};

/** A peer whose connection has ended waits for ever. */
function withinPatience(answer: Promise<Heard>): Promise<Heard> {
  const late = delay(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error('no answer');
  });
  return Promise.race([answer, late]);
}

/** Gives the secrets; what came back where none may be quoted goes to `traces`. */
async function useSecrets(path: string, api: string, traces: string[]): Promise<string[]> {
  // Not the client library: it takes out what a server repeats.
  const client = await FramePeer.open(path, APP);
  const call = (cmd: string, args: object): Promise<Heard> => withinPatience(client.request(cmd, args));
  const { data } = await call('AUTHORIZE', { client_id: APP, scopes: ['identify', 'rpc'] });
  const { code } = data as { code: string };
  const token = async (form: Record<string, string>): Promise<string> => {
    const body = new URLSearchParams({ client_id: APP, client_secret: SECRET, ...form });
    return (await fetch(`${api}/oauth2/token`, { method: 'POST', body })).text();
  };
  const answer = await token({ grant_type: 'authorization_code', code });
  const { access_token, refresh_token } = JSON.parse(answer) as {
    access_token: string;
    refresh_token: string;
  };
  await call('AUTHENTICATE', { access_token });
  const failing = async (cmd: string, args: object): Promise<void> => {
    traces.push(await call(cmd, args).then((result) => JSON.stringify(result), String));
  };
  await failing('AUTHENTICATE', { access_token: `${access_token}x` });
  await failing('GET_GUILD', { guild_id: access_token });
  await failing('SET_ACTIVITY', { pid: code });
  for (const form of [
    { grant_type: 'authorization_code', code, code_verifier: VERIFIER },
    { grant_type: 'refresh_token', refresh_token, client_id: '42' },
    { grant_type: SECRET, code },
  ]) {
    traces.push(await token(form));
  }
  client.close();
  return [code, access_token, refresh_token, SECRET, VERIFIER];
}

function ofProcess(pid: number): string[] {
  return ['environ', 'cmdline'].flatMap((file) => {
    try {
      return [readFileSync(`/proc/${pid}/${file}`, 'latin1')];
    } catch {
      // Refused to us as to everybody: nothing can be found there.
      return [];
    }
  });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
}
