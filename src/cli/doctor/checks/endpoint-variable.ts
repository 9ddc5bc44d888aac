import { ENDPOINT_VARIABLE, isTrustedOwner } from '../../../../platform/endpoint/endpoints.ts';
import { decideOn } from '../../../../platform/endpoint/obstacle.ts';
import { type Probe, probeEndpoint } from '../../../../platform/endpoint/probe.ts';
import { endpointBehind, usableEndpoint } from '../../../../platform/endpoint/search.ts';
import { messageOf } from '../../../base/local-error.ts';
import { type Check, type Finding, failed, notApplicable, ok, type Scene, warning } from '../check.ts';

/** Whether a server answers at the endpoint that replaces every search of the client library. */
export const endpointVariable: Check = {
  id: 'endpoint-variable',
  title: 'FOOTBRIDGE_ENDPOINT',
  explanation: `
    This variable names the one endpoint that the client library, the SDK and the commands use; nothing else is searched.
    Other libraries do not read it: XDG_RUNTIME_DIR leads them.

    The check fails when nobody answers there, or the socket belongs to another user. Unset the variable to return to the
    search.
  `,
  async inspect({ os, env, uid, native }) {
    let path: string | undefined;
    try {
      path = usableEndpoint(os, env);
    } catch (error) {
      const evidence = [messageOf(error)];
      return failed('set the variable as it says, or unset it', ...evidence);
    }
    if (path === undefined) return notApplicable(`${ENDPOINT_VARIABLE} is not set`);
    return findingOf(path, await probeEndpoint(endpointBehind(path), { native }), uid);
  },
};

function findingOf(path: string, probe: Probe, uid: Scene['uid']): Finding {
  const fix = `start the server there, or: unset ${ENDPOINT_VARIABLE}`;
  if (probe.kind !== 'live') {
    const what = probe.kind === 'stale' ? 'a dead socket: nobody listens' : 'no socket is there';
    return failed(fix, `${path}: ${what}`);
  }
  if (probe.uid !== undefined && uid !== undefined && !isTrustedOwner(probe.uid, uid)) {
    const evidence = [`${path}: a socket of uid ${probe.uid}, to which apps of uid ${uid} do not connect`];
    return failed(`unset ${ENDPOINT_VARIABLE}`, ...evidence);
  }
  const judgement = decideOn(probe, uid, false);
  const text = `${path}: ${judgement.kind === 'blocked' ? judgement.why : 'somebody serves it'}`;
  if (probe.reason !== 'pong' && probe.reason !== 'talked') return warning(fix, text);
  return ok(text, 'only apps with the client library of Footbridge read the variable');
}
