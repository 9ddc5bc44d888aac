import { ENDPOINT_INDEXES, endpointPath } from '../../../../platform/endpoint/endpoints.ts';
import { probeEndpoint } from '../../../../platform/endpoint/probe.ts';
import {
  HIGH_INTEGRITY,
  integrityName,
  ownIntegrity,
  type PipeServer,
  pipeServers,
} from '../../../../platform/process/integrity.ts';
import { type Check, notApplicable, ok, type Scene, warning } from '../check.ts';

/** Whether a program with administrator rights serves a pipe, to which apps without those rights cannot connect. */
export const elevation: Check = {
  id: 'elevation',
  title: 'Rights of the server on Windows',
  explanation: `
    Windows refuses a program with ordinary rights at a pipe of a program that runs as administrator. The app then shows
    EPERM, error 5 or "access is denied", although the server runs.

    The check measures the integrity level of this program and of the server of each pipe. End the server and start it
    without "Run as administrator".
  `,
  async inspect(scene) {
    const { os, env, run } = scene;
    if (os !== 'win32') return notApplicable('only Windows has integrity levels');
    const own = await ownIntegrity(run, env);
    if (own === undefined) return notApplicable('whoami /groups did not give the integrity level');
    const level = `this program has the integrity level ${integrityName(own)}`;
    const names = await liveNames(scene);
    if (names.length === 0) return ok(level, 'no pipe to compare it with');
    const servers = await pipeServers(run, env, names);
    const evidence = [level, ...names.map((name) => pipeText(name, servers, scene))];
    const above = servers.find(({ rights }) => rights === 'elevated');
    // A program with the same rights can connect, so the server's rights are stated but are no problem for it.
    if (above === undefined || own >= HIGH_INTEGRITY) return ok(...evidence);
    return warning(
      `end ${programText(above, scene)}, and start it without "Run as administrator"`,
      ...evidence,
      'an app with the level medium is refused there: EPERM, or "access is denied"',
    );
  },
};

/** Names of the pipes that exist, also of those that refuse this program. */
async function liveNames({ os, endpoints, native }: Scene): Promise<string[]> {
  if (endpoints.kind === 'unknown') return [];
  const { folder } = endpoints;
  const found = await Promise.all(
    ENDPOINT_INDEXES.map(async (index) => {
      const probe = await probeEndpoint(endpointPath(os, folder, index), { native });
      return probe.kind === 'live' ? [`discord-ipc-${index}`] : [];
    }),
  );
  return found.flat();
}

function pipeText(name: string, servers: readonly PipeServer[], scene: Scene): string {
  const server = servers.find((one) => one.name === name);
  if (server === undefined) return `${name}: its server could not be measured`;
  const level = server.integrity === undefined ? '' : `, integrity level ${integrityName(server.integrity)}`;
  const runs =
    server.rights === 'elevated'
      ? 'runs as administrator'
      : server.rights === 'same user'
        ? 'runs as this user'
        : 'belongs to another user';
  return `${name}: ${programText(server, scene)} ${runs}${level}`;
}

function programText({ pid }: PipeServer, { bridge }: Scene): string {
  if (bridge.kind === 'known' && pid === bridge.status.pid) return `the bridge (pid ${pid})`;
  return pid === undefined ? 'its server' : `the program with pid ${pid}`;
}
