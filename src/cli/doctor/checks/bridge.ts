import { amount } from '../../../base/text.ts';
import { version } from '../../../daemon/version.ts';
import { type Check, failed, isLedAway, LEAD_BACK, notApplicable, ok, warning } from '../check.ts';
import { forwardInFront } from '../forward-at.ts';

/** Whether a bridge runs for this folder, and has the version of this program. */
export const bridge: Check = {
  id: 'bridge',
  title: 'Running bridge',
  explanation: `
    A running bridge answers on a private control socket. Without one, no app is served, and most other checks have
    nothing to look at. It is not needed where \`footbridge forward\` serves the endpoint.

    Start one with \`footbridge run\`, or install the service. A bridge that runs for another XDG_RUNTIME_DIR is not
    found: give this command the same variable. A warning means that the bridge has another version than this command:
    restart it.
  `,
  async inspect(scene) {
    const { bridge: found } = scene;
    if (found.kind === 'unknown') {
      const forward = await forwardInFront(scene);
      if (forward !== undefined) {
        const text = `none runs here; footbridge forward (pid ${forward.pid}) leads apps to a bridge elsewhere`;
        return notApplicable(text);
      }
      const start = 'footbridge run, or footbridge install for one that starts with your session';
      return failed(isLedAway(scene) ? LEAD_BACK : start, found.reason);
    }
    const { status } = found;
    const evidence = `version ${status.version}, pid ${status.pid}, ${amount(status.sessions.length, 'session')}, ${status.executable}`;
    if (status.version === version()) return ok(evidence);
    return warning(
      'restart the bridge: footbridge restart, or stop and start it where it runs',
      evidence,
      `this command is of version ${version()}`,
    );
  },
};
