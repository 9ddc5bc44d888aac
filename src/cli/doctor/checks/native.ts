import { degradedWithoutNative } from '../../../../platform/degraded.ts';
import { type Check, notApplicable, ok } from '../check.ts';

/** Whether the optional package for system calls is installed, and which guarantees are weaker without it. */
export const nativeCalls: Check = {
  id: 'native-calls',
  inspect({ os, native }) {
    if (os === 'win32') return notApplicable('Windows offers none of these calls: see SECURITY.md');
    if (native.kind === 'loaded') return ok('koffi is loaded');
    return {
      verdict: 'warning',
      evidence: [native.reason, ...degradedWithoutNative(os).map((text) => `weaker: ${text}`)],
      fix: 'install the optional package: npm install koffi (in the folder of footbridge)',
    };
  },
};
