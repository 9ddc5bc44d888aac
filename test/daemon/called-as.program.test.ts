import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { calledAs } from '../../src/daemon/called-as.ts';
import { startFootbridge, startProgram, temporaryPlace } from '../cli/spawn.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const npm = { npm_package_name: 'footbridge', npm_lifecycle_event: 'start' };

it.each([
  [{}, 'footbridge'],
  [npm, 'npm run -s footbridge --'],
  [{ ...npm, npm_lifecycle_event: 'footbridge' }, 'npm run -s footbridge --'],
  // A script of somebody else that has us as a dependency, and npx.
  [{ ...npm, npm_package_name: 'my-game' }, 'footbridge'],
  [{ ...npm, npm_lifecycle_event: 'npx' }, 'footbridge'],
])('messages in the environment %j name the command %s', (env, typed) => {
  expect(calledAs(env)).toBe(typed);
});

it('the banner contains commands that work where the bridge was started', async () => {
  const place = temporaryPlace();
  const env = { ...place.env, ...npm };
  const bridge = startFootbridge({ ...place, env }, ['run', '--http-port', '0', '--ws-port', 'off']);
  const banner = await bridge.stdoutWith('Ctrl-C');
  expect(banner).toContain('wait for you: npm run -s footbridge -- requests\n');
  const [, look = ''] = /^ {2}look +(.*)$/m.exec(banner) ?? [];
  const { code, stdout } = await startProgram(['sh', '-c', look], { cwd: root, env: { ...place.env } }).ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('answers after') });
  expect(look).toBe('npm run -s footbridge -- status');
});
