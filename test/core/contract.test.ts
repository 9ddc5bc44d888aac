import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contract } from '../../src/core/contract.ts';
import type { ClientCore, CoreHandlers, CoreHost, CoreSession } from '../../src/core/core.ts';
import { emulatorCore } from '../../src/core/emulator/emulator-core.ts';
import { createCore as createTemplate } from '../../src/core/template.ts';
import { anybodyMayAnswer } from '../../src/emulator/api/waiting-request.ts';
import { createEmulator } from '../../src/emulator/compose/create-emulator.ts';
import { defaultFixture } from '../../src/emulator/compose/fixture/default.ts';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import { RpcError } from '../../src/protocol/errors.ts';
import { CloseError } from '../../src/wire/close-error.ts';
import { CloseCode } from '../../src/wire/codes.ts';
import { fakeCore, fakeReady } from '../helpers/fake-core.ts';

const guide = readFileSync(new URL('../../src/core/README.md', import.meta.url), 'utf8');

describe('the core contract', () => {
  it('is met by the template', async () => {
    await contract(createTemplate);
  });
  it('is met by the example in the guide', async () => {
    const [, code = ''] = /```js\n(export function createCore[\s\S]*?)```/.exec(guide) ?? [];
    expect(code.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(24);
    const url = `data:text/javascript,${encodeURIComponent(code)}`;
    const { createCore } = (await import(/* @vite-ignore */ url)) as { createCore: () => ClientCore };
    await contract(createCore);
  });
  it('is met by the emulator', async () => {
    await contract(async () => {
      const emulator = await createEmulator({ fixture: defaultFixture(), consent: { policy: 'ask' } });
      return emulatorCore({ emulator, mayAnswer: anybodyMayAnswer, httpPort: 0 });
    });
  });
  it('is met by a core that relays', async () => {
    await contract(() => fakeCore({ relay: async () => null }));
  });

  const tolerant: CoreHandlers = {
    AUTHENTICATE: () => Promise.reject(new RpcError(ErrorCode.INVALID_TOKEN, 'no')),
  };
  const withSession = (change: Partial<Record<keyof CoreSession, unknown>>) => () => {
    const session = { ready: fakeReady, handlers: tolerant, close() {}, ...change };
    return { name: 'x', start: () => ({}), open: () => session, stop() {} } as unknown as ClientCore;
  };
  const withHandlers = (handlers: object) => withSession({ handlers: { ...tolerant, ...handlers } });
  const emitting = (emit: (host: CoreHost) => void) => () => {
    const core = withSession({})();
    return {
      ...core,
      start(host: CoreHost) {
        emit(host);
        return {};
      },
    };
  };
  const broken: [string, () => unknown, RegExp][] = [
    ['nothing', () => undefined, /it is no object/],
    ['no name', () => ({ start() {}, open() {}, stop() {} }), /without a name/],
    ['no stop', () => ({ name: 'x', start() {}, open() {} }), /without a function stop/],
    ['no session', () => ({ name: 'x', start: () => ({}), open() {}, stop() {} }), /open returns a session/],
    ['a session without close', withSession({ close: 7 }), /function close/],
    ['a session without handlers', withSession({ handlers: null }), /has handlers/],
    [
      'a READY without config',
      withSession({ ready: { v: 1 } }),
      /ready has the documented shape; at "config"/,
    ],
    ['a handler for no command', withHandlers({ NO_SUCH() {} }), /no command NO_SUCH/],
    ['a handler that is none', withHandlers({ GET_GUILDS: [] }), /handler of GET_GUILDS is a function/],
    [
      'an answer of another shape',
      withHandlers({ GET_GUILDS: () => ({ guilds: 'none' }) }),
      /the answer to GET_GUILDS has the documented shape; at "guilds"/,
    ],
    [
      'an error of its own',
      withHandlers({
        GET_GUILD() {
          throw new TypeError('x');
        },
      }),
      /GET_GUILD fails with RpcError or CloseError only, not with TypeError: x/,
    ],
    [
      'any token',
      withHandlers({ AUTHENTICATE: () => ({ scopes: ['rpc'] }) }),
      /refuses a token that was never issued/,
    ],
    ['a current value that is no list', withSession({ subscribe: () => 'x' }), /returns a list/],
    [
      'a current value of another shape',
      withSession({ subscribe: () => [{}] }),
      /the current VOICE_SETTINGS_UPDATE has the documented shape/,
    ],
    [
      'an event that does not exist',
      emitting((host) => host.emit('NO' as 'READY', {} as never)),
      /no event NO/,
    ],
    [
      'an event of another shape',
      emitting((host) => host.emit('GUILD_CREATE', {} as never)),
      /the data of the event GUILD_CREATE has the documented shape; at "id"/,
    ],
    [
      'half an operation',
      () => ({ ...withSession({})(), start: () => ({ admin: { 'a.b': { summary: 'x' } } }) }),
      /the operation a.b has/,
    ],
  ];
  it.each(broken)('rejects a core with %s', async (_name, createCore, message) => {
    await expect(contract(createCore as () => ClientCore)).rejects.toThrow(message);
  });

  it('accepts both kinds of documented errors', async () => {
    const kinds = [new RpcError(ErrorCode.INVALID_GUILD, 'x'), new CloseError(CloseCode.NORMAL, 'x')];
    for (const error of kinds) await contract(withHandlers({ GET_GUILDS: () => Promise.reject(error) }));
  });
  it('stops a core that violates a rule', async () => {
    const core = fakeCore();
    await expect(contract(() => core)).rejects.toThrow('never issued');
    expect(core.stops).toBe(1);
  });
});
