import { degradedWithoutNative } from '../../../../platform/degraded.ts';
import { type Check, notApplicable, ok, warning } from '../check.ts';

/** Whether the optional package for system calls is installed, and which guarantees are weaker without it. */
export const nativeCalls: Check = {
  id: 'native-calls',
  title: 'Calls of the operating system',
  explanation: `
    Node cannot ask the kernel who is at the other end of a socket, nor lock a file. The optional package koffi makes
    these calls. Without it the bridge works, and each line that begins with "weaker" is a guarantee that it cannot give.

    Install it with \`npm install koffi\` in the folder of footbridge, then restart the bridge. On Windows the calls do
    not exist, so nothing is missing there.
  `,
  inspect({ os, native }) {
    if (os === 'win32') return notApplicable('Windows offers none of these calls: see SECURITY.md');
    if (native.kind === 'loaded') return ok('koffi is loaded');
    return warning(
      'install the optional package: npm install koffi (in the folder of footbridge)',
      native.reason,
      ...degradedWithoutNative(os).map((text) => `weaker: ${text}`),
    );
  },
};
