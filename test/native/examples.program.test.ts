import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../../.ci/bundle.ts';
import { exchangeCode } from '../../src/client/oauth2.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { compiled, isThere, missing, POSIX, WARNINGS } from './compiled.ts';

const APP = '300000000000000001';

it.skipIf(!isThere('gcc'))(
  `the example link asks once, keeps the token, and asks again when it was taken back${missing('gcc')}`,
  async () => {
    const bridge = await startEmulator();
    onTestFinished(() => bridge.close());
    const flags = [POSIX, ...WARNINGS, '-I', join(root, 'src/native')];
    const program = compiled('../../src/native/examples/link.c', 'gcc', ...flags);
    const file = join(temporaryFolder(), 'token');
    /** Runs the example. `exchange` is what its server does with the code. */
    const run = async (isAsked: boolean): Promise<string> => {
      const child = spawn(program, [APP, file], {
        env: { ...process.env, ...bridge.env },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill());
      const ended = once(child, 'close');
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
      if (isAsked) {
        await expect.poll(() => text).toMatch(/^verifier .*\n/m);
        const [, code = '', verifier = ''] = /^code (.*)\nverifier (.*)\n/m.exec(text) ?? [];
        const { accessToken } = await exchangeCode({ api: bridge.api, clientId: APP }, { code, verifier });
        child.stdin.write(`${accessToken}\n`);
      }
      expect(await ended).toEqual([0, null]);
      return text;
    };
    const asked = /^code \w+\nverifier [\w-]{43}\nlinked as river\n$/;
    expect(await run(true)).toMatch(asked);
    expect(readFileSync(file, 'utf8')).toMatch(/^\S+\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await run(false)).toBe('linked as river\n');

    const [grant] = await bridge.operations.call('grants.list');
    await bridge.operations.call('grants.revoke', { id: grant?.id ?? '' });
    const again = await run(true);
    expect(again.slice(0, again.indexOf('\n') + 1)).toBe(
      'AUTHENTICATE failed: 4009 the access token is unknown\n',
    );
    expect(again.slice(again.indexOf('\n') + 1)).toMatch(asked);
    expect(existsSync(file)).toBe(true);
  },
);
