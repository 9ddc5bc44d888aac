import { type Check, notApplicable, ok } from '../check.ts';

const WEAKER: { readonly [os: string]: readonly string[] } = {
  linux: [
    'nobody asks the kernel who connects: only a runtime folder of mode 0700 is served',
    'locks are files with a process id, which a killed bridge leaves behind',
    'core dumps and the memory of the bridge are not closed to other programs of yours',
    'a systemd service is of Type=exec: it counts as started before it listens',
  ],
  darwin: [
    'nobody asks the kernel who connects: only a runtime folder of mode 0700 is served',
    'locks are files with a process id, which a killed bridge leaves behind',
  ],
};

/** Whether the optional package for system calls is there, and what is weaker without it. */
export const nativeCalls: Check = {
  id: 'native-calls',
  look({ os, native }) {
    if (os === 'win32') return notApplicable('Windows offers none of these calls: see SECURITY.md');
    if (native.kind === 'loaded') return ok('koffi is loaded');
    return {
      verdict: 'warning',
      evidence: [native.reason, ...(WEAKER[os] ?? []).map((text) => `weaker: ${text}`)],
      fix: 'install the optional package: npm install koffi (in the folder of footbridge)',
    };
  },
};
