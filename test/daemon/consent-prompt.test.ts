import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Stored } from '../../src/base/saves.ts';
import { styleFor } from '../../src/base/style.ts';
import { type Answer, promptForConsent, readAnswer } from '../../src/daemon/consent-prompt.ts';
import { requestText } from '../../src/daemon/request-text.ts';
import { READING_MS } from '../../src/emulator/accounts/consent/reading-time.ts';
import type { WaitingRequest } from '../../src/emulator/api/waiting-request.ts';
import { eventually } from '../helpers/eventually.ts';

const style = styleFor(false);

function authorization(id: string, more: Partial<WaitingRequest> = {}): WaitingRequest {
  return {
    kind: 'authorization',
    id,
    clientId: '300000000000000001',
    applicationName: `App ${id}`,
    userId: '1',
    scopes: [{ name: 'identify', description: 'See your name' }],
    peer: { transport: 'ipc', pid: 12, program: '/usr/bin/app', verified: false },
    requestedAt: 0,
    expiresAt: 120_000,
    ...more,
  } as WaitingRequest;
}

function prompted(result?: Stored) {
  const input = new PassThrough();
  const decided: [string, Answer][] = [];
  let said = '';
  let now = 1_000_000;
  let tell: (event: 'added' | 'settled', request: WaitingRequest) => void = () => {};
  let failing = false;
  const stop = promptForConsent({
    input,
    called: 'footbridge',
    write: (text) => {
      said += text;
    },
    style,
    now: () => now,
    onRequest: (listener) => {
      tell = listener;
      return () => {
        tell = () => {};
      };
    },
    decide: (request, answer) => {
      if (failing) return Promise.reject(new Error('No request waits any more'));
      decided.push([request.id, answer]);
      // The core tells of the settlement before the call returns.
      tell('settled', request);
      return Promise.resolve(result);
    },
  });
  onTestFinished(stop);
  return {
    decided,
    stop,
    said: () => said,
    add: (request: WaitingRequest) => tell('added', request),
    settle: (request: WaitingRequest) => tell('settled', request),
    fail: () => {
      failing = true;
    },
    /** A person who has read the question. */
    type: (line: string, after = 1000) => {
      now += after;
      input.write(`${line}\n`);
    },
    end: () => input.end(),
  };
}

describe('promptForConsent', () => {
  it.each([
    ['y', 'once'],
    ['YES', 'once'],
    ['a', 'always'],
    ['n', 'deny'],
    ['', 'deny'],
    ['yeah right', 'deny'],
  ] as const)('reads %j as %s', async (line, answer) => {
    const prompt = prompted();
    prompt.add(authorization('abcde'));
    expect(prompt.said()).toContain('Allow it?');
    prompt.type(line);
    await expect.poll(() => prompt.decided).toEqual([['abcde', answer]]);
  });

  it.each([
    ['y', { stored: true }, 'Allowed.\n'],
    ['a', { stored: true }, 'Allowed, from now on.\n'],
    [
      'a',
      { stored: false, reason: 'the disk is full' },
      'Allowed.\nnot stored: the disk is full. It holds until',
    ],
    [
      'n',
      { stored: false, reason: 'the disk is full' },
      'Denied.\nnot stored: the disk is full. It holds until',
    ],
  ] as const)('answers %j with what became of it (%j)', async (line, result, text) => {
    const { add, type, said } = prompted(result);
    add(authorization('one'));
    type(line);
    await eventually(() => expect(said()).toContain(`[N] no: ${text}`));
  });

  it('is not confused by the end of a request that it does not show', async () => {
    const { add, settle, type, decided, said } = prompted();
    add(authorization('one'));
    settle(authorization('other'));
    type('y');
    await eventually(() => expect(decided).toEqual([['one', 'once']]));
    expect(said()).not.toContain('settled elsewhere');
  });

  it('displays one request at a time', async () => {
    const prompt = prompted();
    prompt.add(authorization('one11'));
    prompt.add(authorization('two22'));
    expect(prompt.said()).not.toContain('App two22');
    prompt.type('y');
    await expect.poll(() => prompt.said()).toContain('App two22');
    prompt.type('n');
    await expect
      .poll(() => prompt.decided)
      .toEqual([
        ['one11', 'once'],
        ['two22', 'deny'],
      ]);
  });

  it('ignores an answer that was typed before the request could be read', async () => {
    const prompt = prompted();
    prompt.add(authorization('abcde'));
    prompt.type('y', READING_MS - 1);
    await expect.poll(() => prompt.said()).toContain('too fast');
    expect(prompt.decided).toEqual([]);
    prompt.type('y', READING_MS);
    await expect.poll(() => prompt.decided).toEqual([['abcde', 'once']]);
  });

  it('repeats the question after an early line without a clear answer', async () => {
    const prompt = prompted();
    prompt.add(authorization('abcde'));
    prompt.type('', 10);
    await expect.poll(() => prompt.said()).toContain('too fast');
    expect(prompt.decided).toEqual([]);
  });

  it.each(['n', 'No'])('accepts an early %j, because it grants nothing', async (line) => {
    const prompt = prompted();
    prompt.add(authorization('abcde'));
    prompt.type(line, 10);
    await expect.poll(() => prompt.decided).toEqual([['abcde', 'deny']]);
    expect(prompt.said()).not.toContain('too fast');
  });

  it('continues with the next request when the current one is settled elsewhere', async () => {
    const prompt = prompted();
    const [first, second] = [authorization('one11'), authorization('two22')];
    prompt.add(first);
    prompt.add(second);
    prompt.settle(first);
    expect(prompt.said()).toContain('Request one11 was settled elsewhere.');
    prompt.type('y');
    await expect.poll(() => prompt.decided).toEqual([['two22', 'once']]);
  });

  it('drops a waiting request that is settled elsewhere', async () => {
    const prompt = prompted();
    const [first, second] = [authorization('one11'), authorization('two22')];
    prompt.add(first);
    prompt.add(second);
    prompt.settle(second);
    prompt.type('y');
    await expect.poll(() => prompt.decided).toEqual([['one11', 'once']]);
    expect(prompt.said()).not.toContain('App two22');
  });

  it('reports a decision that came too late', async () => {
    const prompt = prompted();
    prompt.add(authorization('abcde'));
    prompt.fail();
    prompt.type('y');
    await expect.poll(() => prompt.said()).toContain('No request waits any more');
  });

  it('ignores input while no request is open', async () => {
    const prompt = prompted();
    prompt.add(authorization('one11'));
    prompt.type('n');
    await expect.poll(() => prompt.decided).toHaveLength(1);
    prompt.type('y');
    prompt.add(authorization('two22'));
    await expect.poll(() => prompt.said()).toContain('App two22');
    expect(prompt.decided).toEqual([['one11', 'deny']]);
  });

  it('denies nothing when the input ends, because another terminal can still answer', async () => {
    const prompt = prompted();
    prompt.add(authorization('abcde'));
    prompt.end();
    await expect.poll(() => prompt.said()).toContain('footbridge approve abcde');
    expect(prompt.decided).toEqual([]);
  });

  it('displays no request after it was stopped', () => {
    const prompt = prompted();
    prompt.stop();
    prompt.add(authorization('abcde'));
    expect(prompt.said()).toBe('');
  });
});

it('accepts "always" only where it is offered', () => {
  expect(readAnswer('a', true)).toBe('always');
  expect(readAnswer('always', false)).toBe('deny');
});

describe('requestText', () => {
  it('names application, scopes and program, and replaces control characters', () => {
    const request = authorization('abcde', {
      applicationName: 'Evil\u001b[2J\n"Good"',
    });
    expect(requestText(request, style)).toBe(
      [
        '',
        '"Evil?[2J?"Good"" (application 300000000000000001) asks to:',
        '  - See your name (identify)',
        'Asked by /usr/bin/app, pid 12 (unverified). Request abcde.',
        '',
      ].join('\n'),
    );
  });

  it('describes a waiting command', () => {
    const request: WaitingRequest = {
      kind: 'command',
      id: 'abcde',
      clientId: '1',
      applicationName: 'App',
      cmd: 'OPEN_EXTERNAL_LINK',
      what: 'open a link',
      details: ['url: https://example.test'],
      pid: null,
      requestedAt: 0,
      expiresAt: 1,
    };
    expect(requestText(request, style)).toBe(
      [
        '',
        '"App" (application 1) asks to:',
        '  - open a link (OPEN_EXTERNAL_LINK)',
        '    url: https://example.test',
        'Asked by an unnamed program (unverified). Request abcde.',
        '',
      ].join('\n'),
    );
  });
});

it.each([
  [{ peer: { transport: 'ipc', verified: false } }, 'Asked by an unnamed program (unverified). Request a.'],
  [
    { peer: { transport: 'ipc', pid: 0, program: 'x\u001b', verified: false } },
    'Asked by x? (unverified). Request a.',
  ],
  [
    { peer: { transport: 'ipc', pid: 7, verified: false, entrance: 'endpoint "box\u001b"' } },
    'Asked by an unnamed program, pid 7 (unverified). Through the endpoint "box?". Request a.',
  ],
] as const)('requestText of an authorization by %j names who asks', (more, text) => {
  expect(requestText(authorization('a', more as unknown as Partial<WaitingRequest>), style)).toContain(
    `(identify)\n${text}\n`,
  );
});

it.each([
  [{ pid: null }, 'Asked by an unnamed program (unverified). Request a.'],
  [{ pid: 0 }, 'Asked by an unnamed program (unverified). Request a.'],
  [
    { pid: 9, entrance: 'endpoint "box"' },
    'Asked by an unnamed program, pid 9 (unverified). Through the endpoint "box". Request a.',
  ],
])('requestText of a command by %j names who asks', (more, text) => {
  const command = {
    kind: 'command',
    id: 'a',
    clientId: '1',
    applicationName: 'App',
    cmd: 'X',
    what: 'do\u001b',
    details: ['with\u001b'],
    requestedAt: 0,
    expiresAt: 1,
    ...more,
  } as WaitingRequest;
  expect(requestText(command, style)).toBe(
    `\n"App" (application 1) asks to:\n  - do? (X)\n    with?\n${text}\n`,
  );
});

it('a prompt offers "always" for an authorization alone, and takes "a" for a no where it does not', async () => {
  const prompt = prompted();
  prompt.add(authorization('one'));
  expect(prompt.said()).toMatch(/ Request one\.\nAllow it\? \[y\] yes, once {2}\[a\] always {2}\[N\] no: $/);
  prompt.type('n');
  await expect.poll(() => prompt.said()).toMatch(/no: Denied\.\n$/);
  const command = { ...authorization('two'), kind: 'command', what: 'x', details: [], cmd: 'X', pid: 1 };
  prompt.add(command as unknown as WaitingRequest);
  expect(prompt.said()).toMatch(/ Request two\.\nAllow it\? \[y\] yes, once {2}\[N\] no: $/);
  prompt.type('a');
  await expect.poll(() => prompt.decided.at(-1)).toEqual(['two', 'deny']);
});

it('a prompt whose input ends names a command for each request that waits, and asks anew with a later one', async () => {
  const prompt = prompted();
  prompt.add(authorization('one'));
  prompt.add(authorization('two'));
  prompt.end();
  const told = 'Nobody answers here: footbridge approve';
  await expect.poll(() => prompt.said()).toContain(`\n${told} one\n\n${told} two\n`);
  prompt.settle(authorization('one'));
  expect(prompt.said()).not.toContain('settled elsewhere');
});

it('a prompt says nothing of its own answer as one from elsewhere', async () => {
  const prompt = prompted();
  prompt.add(authorization('one'));
  prompt.type('y');
  await expect.poll(() => prompt.said()).toMatch(/Allowed\.\n$/);
  expect(prompt.said()).not.toContain('settled elsewhere');
});

it('a prompt takes one line for the answer, and nothing while it is carried out', async () => {
  const input = new PassThrough();
  const decided: string[] = [];
  let [now, said] = [0, ''];
  let tell: (event: 'added' | 'settled', request: WaitingRequest) => void = () => {};
  let finish: (result: Stored) => void = () => {};
  const stop = promptForConsent({
    input,
    called: 'fb',
    style,
    write: (text) => {
      said += text;
    },
    now: () => now,
    onRequest: (listener) => {
      tell = listener;
      return () => {};
    },
    decide: ({ id }, answer) => {
      decided.push(`${id} ${answer}`);
      return new Promise((resolve) => {
        finish = resolve;
      });
    },
  });
  onTestFinished(stop);
  tell('added', authorization('one'));
  tell('added', authorization('two'));
  now = READING_MS;
  input.write('n\nn\ny\n');
  await expect.poll(() => decided).toEqual(['one deny']);
  expect(said).not.toContain('App two');
  finish({ stored: true });
  await expect.poll(() => said).toContain('no: Denied.\n\n"App two"');
  expect(decided).toEqual(['one deny']);
  // What was typed before the second question counts for nothing either.
  input.write('n\n');
  await expect.poll(() => decided).toEqual(['one deny', 'two deny']);
  finish({ stored: true });
  await expect.poll(() => input.listenerCount('data')).toBe(0);
});
