import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { voiceCommands } from '../../src/cli/commands/voice.ts';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { startEmulator, type TestEmulator } from '../../src/testing/testing.ts';
import { AppPeer } from '../helpers/app-peer.ts';
import { person, testClient } from '../helpers/attach-bridge.ts';
import { bundled } from '../helpers/bundled.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { declaredAs, expectDeclared } from '../helpers/declared-result.ts';
import {
  type Example,
  examplesOf,
  isWhole,
  needsBrowser,
  runInSystemTests,
  wordsOf,
} from '../helpers/examples.ts';
import { addBot, gatewayBot } from '../helpers/gateway-bot.ts';
import { rawPeer } from '../helpers/raw-peer.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { fakeIo } from './fake-io.ts';

/** Every scope that needs no partner is asked for. */
const AUTHORIZE = `{"client_id":"300000000000000001","scopes":["rpc","identify"]}`;

const isOfUpstream = ({ command }: Example): boolean => /^upstream\b/.test(command.name);
const inProcess = (example: Example): boolean =>
  !(
    runInSystemTests(example.command) ||
    needsBrowser(example.command) ||
    example.command.group === 'attach' ||
    isOfUpstream(example) ||
    isWhole(example)
  );

async function cli(argv: readonly string[], env: Readonly<Record<string, string>>) {
  const io = fakeIo(env);
  const code = await runProgram(argv, commandTable, io);
  return { code, stdout: io.stdout(), stderr: io.stderr() };
}

/** A configuration file of one's own, with the endpoint that an example removes. */
function configured(words: readonly string[]): { readonly FOOTBRIDGE_CONFIG: string } {
  const path = join(temporaryFolder(), 'footbridge.toml');
  writeFileSync(path, words.includes('remove') ? '[[endpoints]]\npreset = "flatpak"\n' : '');
  return { FOOTBRIDGE_CONFIG: path };
}

/** What an example that succeeds leaves on stdout: something, and JSON where JSON was asked for. */
function check({ line }: Example, { code, stdout, stderr }: Awaited<ReturnType<typeof cli>>): void {
  // What the doctor says of this machine is not for a test to judge.
  const good = line.startsWith('footbridge doctor') ? [0, 1, 2] : [0];
  // The bridge of the test reads no configuration, so it does not learn what was written to one.
  const note = /^footbridge (?:endpoints (?:add|remove)|presence (?:hide|show|prefer))/.test(line)
    ? 'footbridge: nothing changes now: the running bridge reads no file\n'
    : '';
  expect(stderr).toBe(note);
  expect(good).toContain(code);
  expect(stdout).not.toBe('');
  if (line.includes('--json')) expect(() => JSON.parse(stdout) as unknown).not.toThrow();
}

describe('an example of the help works as it is typed:', () => {
  /** For all that need no more than the world of the fixture. */
  let shared: TestEmulator;
  beforeAll(async () => {
    shared = await startEmulator({ consent: 'ask' });
  });
  afterAll(() => shared.close());
  /** That of the example: the shared one as it was at first, or one of its own for what `stages` puts there. */
  let emulator: TestEmulator;
  const emulatorFor = async (staged: boolean): Promise<TestEmulator> => {
    if (staged) {
      const own = await startEmulator({ consent: 'ask' });
      onTestFinished(() => own.close());
      return own;
    }
    await shared.operations.call('emulator.reset');
    await shared.clock.reset();
    return shared;
  };

  const waiting = async () => (await emulator.operations.call('requests.list')) as { id: string }[];
  /** What has to be there before an example makes sense, and the ids in it that are those of today. */
  const stages: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
    approve: asked,
    deny: asked,
    requests: asked,
    async revoke() {
      const { '6vvp5': id } = await asked();
      await emulator.operations.call('requests.approve', { id, always: true });
      const [grant] = (await emulator.operations.call('grants.list')) as { id: string }[];
      return { '624wk': grant?.id ?? '' };
    },
    'emulator unlink': linked,
    async 'emulator fault add'() {
      // What knows the routes is loaded with the first that is named, which takes a while from the sources.
      await import('../../src/emulator/compose/route-names.ts');
      return {};
    },
    async 'emulator fault remove'() {
      await cli(['emulator', 'fault', 'add', 'drop'], emulator.env);
      return {};
    },
    'emulator remove-app': linked,
    'emulator world seed': checkout,
    'emulator world reset': checkout,
    'emulator world remove': checkout,
    async 'emulator onboard'() {
      const prompt = {
        id: '9',
        title: 'Which boats?',
        options: [{ id: '8', title: 'Tug boats', description: '' }],
      };
      const guild = { id: '400000000000000001', onboarding_prompts: [prompt] };
      await emulator.operations.call('emulator.apply', { patch: { guilds: [guild] } });
      return {};
    },
    'emulator ask-to-join': gated,
    async 'emulator withdraw-request'() {
      await gated();
      await emulator.operations.call('guild.ask-to-join', { guild: GUILD, user: 'otter' });
      return {};
    },
    'emulator subscription start': selling,
    'emulator subscription set': subscribed,
    'emulator subscription renew': subscribed,
    'emulator subscription refund': subscribed,
    'emulator accept-invite': invited,
    'emulator invite-job': invited,
    async 'emulator vote'() {
      const id = '1461234567890123456';
      const answers = [
        { id: 1, text: 'High' },
        { id: 2, text: 'Low' },
      ];
      const expiry = new Date(Date.now() + 3_600_000).toISOString();
      const poll = { question: 'Tide?', answers, expiry };
      const message = { id, channel: '500000000000000002', content: '', poll };
      await emulator.operations.call('emulator.apply', { patch: { messages: [message] } });
      return {};
    },
    async 'emulator unban'() {
      await emulator.operations.call('user.ban', { user: 'heron' });
      return {};
    },
    async 'emulator speak'() {
      await cli(['emulator', 'join', 'otter', 'Lounge'], emulator.env);
      return {};
    },
    async 'origins remove'() {
      for (const words of [['300000000000000002', 'http://localhost:3000'], ['streamkit']])
        await cli(['origins', 'add', ...words], emulator.env);
      return {};
    },
    async 'emulator resend'() {
      const app = new AppPeer(await rawPeer(emulator.endpoint));
      await app.handshake(APP);
      await app.call('SET_ACTIVITY', { pid: process.pid });
      const { entries } = (await emulator.operations.call('journal.read', { kinds: ['frame'] })) as {
        entries: { seq: number; direction: string }[];
      };
      return { '41': String(entries.findLast(({ direction }) => direction === 'in')?.seq) };
    },
    'emulator use': botThere,
    'emulator click': clickable,
    'emulator choose': clickable,
    async 'emulator submit'() {
      const { [EXAMPLE_ID]: message = '' } = await clickable();
      const { id } = await emulator.operations.call('interaction.click', { message, button: 'accept' });
      return { [EXAMPLE_ID]: id };
    },
    async 'emulator interactions'() {
      await botThere();
      const { id } = await emulator.operations.call('interaction.use', { app: APP, command: '/tide' });
      return { [EXAMPLE_ID]: id };
    },
    'emulator webhook set': listening,
    async 'emulator webhook redeliver'() {
      const [url = ''] = Object.values(await listening());
      await emulator.operations.call('webhook.set', { app: '300000000000000001', url });
      const [sent] = (await emulator.operations.call('webhooks.list')) as { id: string }[];
      return { '1461234567890123456': sent?.id ?? '' };
    },
    'emulator activity launch': mapped,
    async 'emulator activity leave'() {
      await mapped();
      const { instance } = (await emulator.operations.call('activity.launch', {
        app: 'Harbour Example',
      })) as { instance: string };
      return { 'i-1461234567890123456-gc-400000000000000001-500000000000000001': instance };
    },
    async watch() {
      const app = new AppPeer(await rawPeer(emulator.endpoint));
      await app.handshake('300000000000000001');
      const talk = setInterval(() => app.request('GET_SELECTED_VOICE_CHANNEL', {}), 20);
      onTestFinished(() => clearInterval(talk));
      const session = emulator.operations.call('journal.read', { kinds: ['connect'] });
      const { entries } = (await session) as { entries: { session: string }[] };
      return { '5f2c81d0': entries[0]?.session.slice(0, 8) ?? '' };
    },
    ...Object.fromEntries(voiceCommands.map(({ name }) => [name, mayVoice])),
    'emulator activity join': shown,
    'emulator activity spectate': shown,
    async call() {
      approving();
      return {};
    },
  };
  function approving(): void {
    const approve = async (): Promise<void> => {
      for (const { id } of await waiting()) await emulator.operations.call('requests.approve', { id });
    };
    const approver = setInterval(() => void approve(), 20);
    onTestFinished(() => clearInterval(approver));
  }
  /** Footbridge has the consent to use voice. */
  async function mayVoice() {
    approving();
    await emulator.operations.call('voice.show');
    return {};
  }
  const GUILD = '400000000000000001';
  const EXAMPLE_ID = '1461234567890123456';
  const APP = '300000000000000001';
  /** A bot with the commands of the examples, which answers with a button and a select, and with a modal to the button. */
  async function botThere() {
    const boat = { type: 3, name: 'boat', description: 'Which' };
    const nights = { type: 4, name: 'nights', description: 'How many' };
    await addBot(emulator, APP, '400000000000000001', [
      { name: 'tide', description: 'How high it is' },
      {
        name: 'berth',
        description: 'Berths',
        options: [
          { type: 1, name: 'book', description: 'Book one', options: [boat, nights] },
          { type: 1, name: 'find', description: 'Find one', options: [{ ...boat, autocomplete: true }] },
        ],
      },
      { name: 'Greet', type: 2 },
    ]);
    const row = (component: object) => ({ type: 1, components: [component] });
    const options = ['a', 'b', 'low'].map((value) => ({ label: value, value }));
    await gatewayBot(emulator, APP, ({ type, data }) => {
      if (type === 4) return { type: 8, data: { choices: [{ name: 'Otter', value: 'Otter' }] } };
      if (data.custom_id === 'accept') {
        const components = [
          { type: 18, label: 'Boat', component: { type: 4, custom_id: 'boat', style: 1 } },
          { type: 18, label: 'Berths', component: { type: 22, custom_id: 'berths', options } },
        ];
        return { type: 9, data: { custom_id: 'booking', title: 'Book', components } };
      }
      const accept = row({ type: 2, style: 1, label: 'Yes', custom_id: 'accept' });
      const level = row({ type: 3, custom_id: 'level', options });
      return { type: 4, data: { content: 'Aye.', components: [accept, level] } };
    });
    return {};
  }
  async function clickable() {
    await botThere();
    const { message } = await emulator.operations.call('interaction.use', { app: APP, command: '/tide' });
    return { [EXAMPLE_ID]: message?.id ?? '' };
  }
  /** Moderators let members in one by one, and Otter is none. */
  async function gated() {
    const features = ['MEMBER_VERIFICATION_GATE_ENABLED', 'MEMBER_VERIFICATION_MANUAL_APPROVAL'];
    const guild = { id: GUILD, features, departed: [{ user: 'otter' }] };
    await emulator.operations.call('emulator.apply', { patch: { guilds: [guild] } });
    return {};
  }
  const PASS = '700000000000000003';
  async function selling() {
    await emulator.operations.call('emulator.apply', {
      patch: { skus: [{ id: PASS, name: 'Season', type: 5, application: '300000000000000001' }] },
    });
    return {};
  }
  async function subscribed() {
    await selling();
    const args = { user: 'otter', sku: PASS };
    const { id } = (await emulator.operations.call('subscription.start', args)) as { id: string };
    return { '1461234567890123456': id };
  }
  /** An invite that a bot made, with a file of users that is being read. */
  async function invited() {
    const created_at = new Date().toISOString();
    const job = { state: 'processing', total: 100, created_at };
    const targets = Array.from({ length: 100 }, (_, at) => ({ user: String(at + 1), pending: true }));
    targets.push({ user: '200000000000000003', pending: false });
    const invite = { code: 'jvuBeT38', channel: '500000000000000002', created_at, targeted: true };
    await emulator.operations.call('emulator.apply', {
      patch: { channel_invites: [{ ...invite, holds_jobs: true, job, targets }] },
    });
    return {};
  }
  async function linked() {
    const { '6vvp5': id } = await asked();
    await emulator.operations.call('requests.approve', { id });
    return {};
  }
  /** An application that answers as it has to, for the PING and for the wrong signature that comes after it. */
  async function listening() {
    let asked = 0;
    const server = createServer((request, response) => {
      request.resume();
      asked += 1;
      response.writeHead(asked % 2 === 1 ? 204 : 401).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return { 'http://127.0.0.1:3000/events': `http://127.0.0.1:${port}/events` };
  }
  async function mapped() {
    const mapping = { application: '300000000000000001', prefix: '/', target: '127.0.0.1:5173' };
    await emulator.operations.call('emulator.apply', { patch: { url_mappings: [mapping] } });
    return {};
  }
  async function shown() {
    const app = new AppPeer(await rawPeer(emulator.endpoint));
    await app.handshake('300000000000000001');
    const secrets = { join: 'join-me', spectate: 'watch-me' };
    const activity = { state: 'Out', party: { id: 'the-party', size: [1, 2] }, secrets };
    const { evt } = await app.call('SET_ACTIVITY', { pid: process.pid, activity });
    expect(evt).toBe(null);
    return {};
  }
  async function checkout() {
    await emulator.operations.call('world.add', { name: 'checkout' });
    return {};
  }
  async function asked() {
    // It ends with the emulator.
    void cli(['call', 'AUTHORIZE', AUTHORIZE], emulator.env);
    await expect.poll(waiting).toHaveLength(1);
    const [request] = await waiting();
    return { '6vvp5': request?.id ?? '' };
  }

  it.each(examplesOf(inProcess))('%s', async (_line, example) => {
    const stage = stages[example.command.name];
    emulator = await emulatorFor(stage !== undefined);
    const ids = Object.entries((await stage?.()) ?? {});
    const words = wordsOf(example.line).map((word) => ids.find(([id]) => id === word)?.[1] ?? word);
    if (words.includes('--follow') || words[0] === 'watch') {
      // It goes on until it is ended.
      const io = fakeIo(emulator.env);
      void runProgram(words, commandTable, io);
      await expect.poll(() => io.stdout()).toMatch(words.includes('--json') ? /^\{.*\}\n/ : /\n/);
      return;
    }
    const declared = declaredAs(example.command.name);
    const ended = await cli(declared === undefined ? words : [...new Set([...words, '--json'])], {
      ...emulator.env,
      ...(words[0] === 'endpoints' || words[0] === 'presence' ? configured(words) : {}),
    });
    check(example, ended);
    if (declared === undefined) return;
    const result = JSON.parse(ended.stdout) as never;
    expectDeclared(declared.name, result);
    expect([declared.command?.resultText(result, {} as never)].flat(2).join(' ')).toMatch(/\S/);
  });
});

describe('an example for a chat client that attaches works as it is typed:', () => {
  it('in the order of the help', async () => {
    const daemon = await startDaemon({
      command: [process.execPath, bundled('footbridge')],
      args: ['--core', 'attach', '--attach-port', '0'],
    });
    onTestFinished(async () => void (await daemon.stop()));
    for (const [, example] of examplesOf(({ command }) => command.group === 'attach')) {
      const ended = await cli(wordsOf(example.line), daemon.env);
      check(example, ended);
      if (!example.line.startsWith('footbridge attach ')) continue;
      // Whoever gets what it prints attaches with it.
      const [, url = '', code = ''] = /address +(\S+)\n +code +(\S+)/.exec(ended.stdout) ?? [];
      await testClient({ url, code, user: { ...person, id: '200000000000000001' } });
    }
  });
});

describe('an example for chat clients behind the bridge works as it is typed:', () => {
  it('in the order of the help', async () => {
    const daemon = await startDaemon({
      command: [process.execPath, bundled('footbridge')],
      args: ['--core', 'upstream'],
    });
    onTestFinished(async () => void (await daemon.stop()));
    for (const [, example] of examplesOf(isOfUpstream))
      check(example, await cli(wordsOf(example.line), daemon.env));
  });
});

it('the tests of examples cover every example of the help', () => {
  const all = examplesOf(() => true);
  const tested = examplesOf(
    (example) =>
      inProcess(example) ||
      isWhole(example) ||
      runInSystemTests(example.command) ||
      needsBrowser(example.command) ||
      isOfUpstream(example) ||
      example.command.group === 'attach',
  );
  expect(tested).toEqual(all);
  expect(all.length).toBeGreaterThan(70);
});
