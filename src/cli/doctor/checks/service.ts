import type { ServiceStatus } from '../../../../service/manager.ts';
import { stateOf } from '../../../../service/receipt.ts';
import { version } from '../../../daemon/version.ts';
import { type Check, type Finding, notApplicable, warning } from '../check.ts';

/** State of the service, and whether its installed files are unchanged. */
export const service: Check = {
  id: 'service',
  title: 'Background service',
  explanation: `
    \`footbridge install\` registers the bridge with the service manager of your session and writes a receipt with the
    checksum of each file. The check compares the files with the receipt and asks the manager for the state.

    A file that was edited or is missing is a warning: install again, with \`--force\` once your changes are kept
    elsewhere. A service that failed leaves its reason in \`footbridge logs\`. A bridge can also run without a service,
    so no service is no fault.
  `,
  inspect({ service: found }) {
    if (found.kind === 'unknown') return notApplicable(found.reason);
    const { manager, state, receipt } = found;
    if (state.kind === 'absent' && receipt === undefined)
      return notApplicable('none is installed; footbridge install makes one');
    const summary = assess(state);
    const changed = (receipt?.files ?? []).flatMap((file) => {
      const is = stateOf(file);
      return is === 'ours' ? [] : [`${file.path} ${is === 'edited' ? 'was edited' : 'is gone'}`];
    });
    const older = receipt !== undefined && receipt.version !== version();
    const evidence = [
      `${manager}: ${summary.text}`,
      ...changed,
      ...(older ? [`installed by version ${receipt.version}, this is ${version()}`] : []),
    ];
    if (summary.verdict !== 'ok' || (changed.length === 0 && !older))
      return { verdict: summary.verdict, evidence, fix: summary.fix };
    return warning(
      `footbridge install${changed.length > 0 ? ' --force, once your changes are kept elsewhere' : ''}`,
      ...evidence,
    );
  },
};

function assess(state: ServiceStatus): Pick<Finding, 'verdict' | 'fix'> & { readonly text: string } {
  switch (state.kind) {
    case 'running': {
      const again = (state.restarts ?? 0) > 0 ? `, started again ${state.restarts} times` : '';
      return { verdict: 'ok', fix: null, text: `it runs${state.pid ? `, pid ${state.pid}` : ''}${again}` };
    }
    case 'starting':
      return {
        verdict: 'warning',
        fix: 'look again in a few seconds: footbridge status',
        text: 'it is starting',
      };
    case 'stopped':
      return {
        verdict: 'warning',
        fix: 'footbridge start',
        text: `it does not run${state.reason ? `: ${state.reason}` : ''}`,
      };
    case 'failed':
      return {
        verdict: 'failed',
        fix: 'footbridge logs says why; then footbridge restart',
        text: state.reason,
      };
    case 'unknown':
      return { verdict: 'warning', fix: 'ask again from a login session of your own', text: state.reason };
    case 'absent':
      return {
        verdict: 'failed',
        fix: 'footbridge install',
        text: 'it was installed, and the manager knows nothing of it',
      };
  }
}
