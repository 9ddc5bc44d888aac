import { describe, expect, it } from 'vitest';
import { styleFor } from '../../src/base/style.ts';
import { inFrontRemedy, strangerRemedy } from '../../src/daemon/in-front.ts';
import { pathBelowApi, unknownRoute } from '../../src/daemon/known-route.ts';
import {
  type ReadyReport,
  type ReadyStyle,
  readyReport,
  readyText,
  skippedText,
} from '../../src/daemon/ready.ts';
import { remedyFor } from '../../src/daemon/refusal-remedy.ts';
import type { Daemon } from '../../src/daemon/start.ts';
import { version } from '../../src/daemon/version.ts';

const summary = { user: { id: '7', username: 'x' }, guilds: ['1'], channels: { text: ['2'], voice: ['3'] } };

function daemon({
  api,
  admin = {},
  asks = false,
}: {
  api?: string;
  admin?: object;
  asks?: boolean;
} = {}): Daemon {
  return {
    server: {
      core: { name: 'emulator', admin, api, describe: () => [['upstream', '/a\u001b']] },
      endpoints: [{ kind: 'ipc', path: '/run/x' }],
    },
    control: { path: '/run/control' },
    call: async (name: string, args: object, caller: object) => ({ ...summary, asked: [name, args, caller] }),
    ...(asks ? { onRequest: () => () => {} } : {}),
  } as unknown as Daemon;
}

const bare: ReadyReport = {
  ready: true,
  version: version(),
  pid: process.pid,
  endpoints: [{ kind: 'ipc', path: '/run/x' }] as unknown as ReadyReport['endpoints'],
  api: null,
  control: '/run/control',
  user: null,
  guilds: [],
  channels: { text: [], voice: [] },
};

describe('the report that the bridge is ready', () => {
  it('leaves the account out for a core without one', async () => {
    expect(await readyReport(daemon())).toEqual(bare);
    expect(await readyReport(daemon({ api: 'http://h/api', admin: { summary: {} } }))).toEqual({
      ...bare,
      ...summary,
      user: { id: '7' },
      api: 'http://h/api',
    });
  });

  it('says as text how to connect, try, look and stop', () => {
    const options = { consent: 'ask', style: styleFor(false), called: 'fb' } as ReadyStyle;
    expect(readyText(daemon(), bare, options)).toBe(
      [
        `Footbridge ${version()} is ready, on the core "emulator".`,
        '  apps connect to  /run/x',
        '  upstream         /a?',
        `  try it           fb call SET_ACTIVITY '{"pid":1,"activity":{"state":"hello"}}'`,
        '  look             fb status',
        '  stop             Ctrl-C',
        '',
      ].join('\n'),
    );
    const textFor = (consent: string): string =>
      readyText(daemon({ asks: true }), { ...bare, api: 'http://h/api' }, { ...options, consent });
    expect(textFor('ask')).toContain(
      '\n  tokens come from  http://h/api\n  apps that ask     wait for you: fb requests\n',
    );
    expect(textFor('allow')).toContain('\n  apps that ask     are allowed without asking\n');
    expect(textFor('deny')).toContain('\n  apps that ask     are refused without asking\n');
  });
});

describe('the line about a program in front of the bridge', () => {
  const skipped = [{ path: '/run/0', why: 'another has it' }] as never;
  it('is left out where there is none', () => {
    expect(skippedText([], bare.endpoints, 'emulator')).toBeUndefined();
  });
  it.each([
    [
      'emulator',
      bare.endpoints,
      '/run/0 is not ours: another has it. The bridge is at /run/x. To do: most apps look only at /run/0: end what is there, then start the bridge, then that program again.',
    ],
    [
      'emulator',
      [],
      `/run/0 is not ours: another has it. The bridge is at another path. To do: ${inFrontRemedy('/run/0', 'x')}.`,
    ],
    [
      'upstream',
      bare.endpoints,
      'The bridge is not in front: /run/0 is not ours (another has it), and most apps go there. To do: either run the bridge as a service, so that it starts before the chat client, or end the chat client, start the bridge again, and then the chat client.',
    ],
  ])('of the core %s names the path, the reason and the remedy', (core, endpoints, text) => {
    expect(skippedText(skipped, endpoints as typeof bare.endpoints, core)).toBe(text);
  });
});

it.each([
  [
    true,
    undefined,
    'nothing if apps reach a bridge of yours there, as in a container or through a forward; otherwise most apps look only at /run/0: end what is there',
  ],
  [
    false,
    undefined,
    'most apps look only at /run/0: end what is there, then start the bridge, then that program again',
  ],
  [false, 'upstream', 'either run the bridge as a service, so that it starts before the chat client'],
])('the remedy for a stranger that answers as a bridge: %s (core %s)', (answers, core, text) => {
  expect(strangerRemedy('/run/0', answers, core)).toMatch(new RegExp(`^${text}`));
});

describe('the remedy for a refused page', () => {
  const page = { over: 'websocket', why: 'origin', origin: 'https://a.example', clientId: '7' } as const;
  it.each([
    [{ why: 'host' }, 'connect to 127.0.0.1 or localhost: the request was for another host'],
    [{ why: 'encoding' }, 'send encoding=json, or no encoding'],
    [{ why: 'frame' }, 'the HANDSHAKE of an app needs the frame_id of its address and its own client_id'],
    [{ over: 'postmessage' }, 'open the activity at its own address; no other page may connect to it'],
    [
      { origin: null },
      'send one Origin header, as a browser does; a program connects to the IPC endpoint instead',
    ],
    [{}, 'footbridge origins add 7 https://a.example'],
    [
      { clientId: null },
      "footbridge origins add CLIENT_ID https://a.example (CLIENT_ID is the id of the page's application)",
    ],
    [{ origin: 'http://[::1]:81' }, 'footbridge origins add 7 "http://[::1]:81"'],
    [{ origin: 'https://a$b.example' }, 'it cannot be allowed by a printed command: its name needs quoting'],
    [{ origin: 'null' }, expect.stringMatching(/^it cannot be allowed: ./)],
  ] as const)('for %j is %s', (more, remedy) => {
    expect(remedyFor({ ...page, ...more } as Parameters<typeof remedyFor>[0])).toEqual(remedy);
  });
});

it.each([
  ['/api/v10/users', '/users'],
  ['/api/users', '/users'],
  ['/users/api/v10/x', '/users/api/v10/x'],
  ['/api', '/api'],
  ['/apis/x', '/apis/x'],
])('pathBelowApi(%s) is %s', (path, below) => {
  expect(pathBelowApi(path)).toBe(below);
});

it('unknownRoute names the probable route', async () => {
  expect(await unknownRoute('GET /users/@me', { method: 'GET', path: '/users/@me' })).toBeUndefined();
  expect(await unknownRoute('x', { method: undefined, path: undefined })).toBeUndefined();
  expect(await unknownRoute('GET /user/@me', { method: 'GET', path: '/user/@me' })).toMatch(
    /^the platform has no route "GET \/user\/@me"\. Did you mean "GET \/users\/@me"\?$/,
  );
});
