import { expect, it } from 'vitest';
import { hostText } from '../../../src/cli/forward/host-text.ts';
import { type CommandEndpoint, parseForwardEndpoint } from '../../../src/forward/endpoint.ts';

it.each([
  ['exec:sshpass -p hunter2 ssh pier footbridge', 'sshpass … pier'],
  ['exec:/opt/far.sh --from stdio:', '/opt/far.sh …'],
  [`exec:/${'x'.repeat(80)}/far.sh ssh pier footbridge`, `…/far.sh … pier`],
])('the host text of %s ends with the program and the host', (command, text) => {
  const host = hostText(parseForwardEndpoint('--to', command, 'linux') as CommandEndpoint);
  expect(host).toMatch(new RegExp(`${text.replace('…/', '^…x+/')}$`));
  expect(host.length).toBeLessThanOrEqual(64);
});
