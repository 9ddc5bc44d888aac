import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createEmulator } from '../../../src/emulator/compose/create-emulator.ts';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import { EmulatorClock, systemClock } from '../../../src/emulator/kernel/clock.ts';
import { timeOf } from '../../../src/emulator/kernel/snowflake.ts';
import { parseDuration, parseMoment } from '../../../src/emulator/kernel/time-text.ts';
import { emulatorWorld, ids } from '../../helpers/emulator-world.ts';
import { ManualClock } from '../../helpers/manual-clock.ts';
import { testPlatform } from '../../helpers/platform.ts';
import { linesMatching } from '../../helpers/source-text.ts';

const START = 1_800_000_000_000;
const HOUR = 3_600_000;

/** A clock on a machine's that stands still, and a way to note when something happened. */
function clocks() {
  const machine = new ManualClock(START);
  const clock = new EmulatorClock(machine);
  const happened: string[] = [];
  const note = (name: string) => () => void happened.push(`${name} ${clock.now() - START}`);
  return { machine, clock, note, happened: () => happened.splice(0) };
}

describe('the clock of the emulator', () => {
  it('follows the clock of the machine until it is set', () => {
    const { machine, clock, note, happened } = clocks();
    clock.setTimeout(note('a'), 50);
    machine.advance(60);
    expect(happened()).toEqual(['a 50']);
    expect(clock.status()).toEqual({ now: new Date(START + 60).toISOString(), frozen: false, ahead_ms: 0 });
    clock.set(START + HOUR);
    machine.advance(5);
    expect(clock.status()).toMatchObject({
      now: new Date(START + HOUR + 5).toISOString(),
      ahead_ms: HOUR - 60,
    });
    clock.reset();
    expect(clock.now()).toBe(machine.now());
  });

  it('runs due timers at their own time, in order, including the timers that they set', () => {
    const { clock, note, happened } = clocks();
    clock.setTimeout(note('b'), 200);
    clock.setTimeout(() => {
      note('a')();
      clock.setTimeout(note('c'), 150);
      clock.setTimeout(note('e'), 2000);
    }, 100);
    clock.setTimeout(note('d'), 1001);
    clock.advance(1000);
    expect(happened()).toEqual(['a 100', 'b 200', 'c 250']);
    clock.advance(1);
    expect(happened()).toEqual(['d 1001']);
  });

  it('counts the remaining time by the machine after it was advanced', () => {
    const { machine, clock, note, happened } = clocks();
    clock.setTimeout(note('a'), HOUR);
    clock.advance(HOUR - 10);
    expect(machine.pending).toBe(1);
    machine.advance(9);
    expect(happened()).toEqual([]);
    machine.advance(1);
    expect(happened()).toEqual([`a ${HOUR}`]);
    expect(machine.pending).toBe(0);
  });

  it('preserves the remaining time of a timer when it is set back', () => {
    const { machine, clock, note, happened } = clocks();
    clock.setTimeout(note('a'), 100);
    machine.advance(40);
    clock.set(START - HOUR);
    machine.advance(59);
    expect(happened()).toEqual([]);
    machine.advance(1);
    expect(happened()).toEqual([`a ${60 - HOUR}`]);
  });

  it('stops while it is frozen, and runs timers when it is advanced', () => {
    const { machine, clock, note, happened } = clocks();
    clock.setTimeout(note('a'), 100);
    clock.freeze();
    clock.setTimeout(note('b'), 200);
    machine.advance(HOUR);
    expect([clock.now() - START, machine.pending, happened()]).toEqual([0, 0, []]);
    clock.advance(150);
    expect(happened()).toEqual(['a 100']);
    clock.run();
    machine.advance(50);
    expect(happened()).toEqual(['b 200']);
    expect(clock.status()).toMatchObject({ frozen: false, ahead_ms: 150 - HOUR });
  });

  it('drops a cancelled timer in every state', () => {
    const { machine, clock, note, happened } = clocks();
    const cancels = [clock.setTimeout(note('a'), 100), clock.setTimeout(note('b'), 100)];
    cancels[0]?.();
    clock.advance(50);
    cancels[1]?.();
    clock.freeze();
    clock.setTimeout(note('c'), 10)();
    clock.run();
    machine.advance(HOUR);
    expect(happened()).toEqual([]);
    expect(machine.pending).toBe(0);
  });

  it('supports longer delays than a timer of Node', () => {
    const { machine, clock, note, happened } = clocks();
    clock.setTimeout(note('a'), 3 * 2 ** 31);
    machine.advance(3 * 2 ** 31 - 1);
    expect(happened()).toEqual([]);
    machine.advance(1);
    expect(happened()).toEqual([`a ${3 * 2 ** 31}`]);
    // And no timer of the machine ends at once for being too long.
    const real = new EmulatorClock(systemClock);
    real.setTimeout(note('b'), 2 ** 40)();
  });

  it('preserves the time of a deadline, whichever clock is moved', () => {
    const { machine, clock, note, happened } = clocks();
    const deadline = clock.at(START + HOUR, note('a'));
    clock.set(START - HOUR);
    machine.advance(HOUR);
    expect([deadline.over, happened()]).toEqual([false, []]);
    // The machine slept, or was set: nobody is told before the next look.
    machine.jump(HOUR);
    expect([deadline.over, happened()]).toEqual([true, []]);
    machine.advance(30_000);
    expect(happened()).toHaveLength(1);
    clock.at(clock.now(), note('b'));
    expect(happened()).toHaveLength(1);
    clock.at(clock.now() + 5, note('c')).cancel();
    machine.advance(5);
    expect([happened(), machine.pending]).toEqual([[], 0]);
  });

  it('calls each of many deadlines once, however far it is moved', () => {
    const { machine, clock } = clocks();
    let calls = 0;
    const set = machine.setTimeout.bind(machine);
    let armed = 0;
    machine.setTimeout = (callback, ms) => {
      armed += 1;
      return set(callback, ms);
    };
    const count = () => {
      calls += 1;
    };
    for (let n = 0; n < 2000; n += 1) clock.at(START + 7 * 24 * HOUR + n, count);
    clock.advance(8 * 24 * HOUR);
    expect({ calls, armed, pending: machine.pending }).toEqual({ calls: 2000, armed: 2000, pending: 0 });
  });

  it('reports its lead to the millisecond, even when the clock of the machine advances with each reading', () => {
    let now = START;
    const restless = new ManualClock(START);
    restless.now = () => {
      now += 1;
      return now;
    };
    const clock = new EmulatorClock(restless);
    const ahead = () => clock.status().ahead_ms;
    expect(ahead()).toBe(0);
    clock.advance(HOUR);
    expect(ahead()).toBe(HOUR);
    clock.run();
    expect(ahead()).toBe(HOUR);
    clock.set(now + 5 * HOUR);
    const { now: shown, ahead_ms } = clock.status();
    expect(Date.parse(shown) - ahead_ms).toBe(now);
    clock.reset();
    expect(ahead()).toBe(0);
  });

  it('stands at an exact time when it is set after it was frozen, although the clock of the machine advances', () => {
    let now = START;
    const restless = new ManualClock(START);
    restless.now = () => {
      now += 1;
      return now;
    };
    const clock = new EmulatorClock(restless);
    clock.freeze();
    clock.set(START + HOUR);
    expect([clock.now(), clock.now()]).toEqual([START + HOUR, START + HOUR]);
  });

  it('refuses a time that no id can contain, and continues unchanged', () => {
    const { clock } = clocks();
    for (const time of [Number.NaN, Number.POSITIVE_INFINITY, 0, Date.UTC(2014, 11, 31), Date.UTC(2085)]) {
      expect(() => clock.set(time)).toThrow(/time: must be from 2015-01-01T00:00:00\.000Z to 2084-/);
    }
    expect(() => clock.advance(1e15)).toThrow(/time: must be from/);
    expect(() => clock.advance(-1)).toThrow(/set it to go back/);
    expect(clock.now()).toBe(START);
  });

  it('parses durations and times in the formats of operators', () => {
    expect(['2h', '90s', '1d12h', '500ms', '1h30m', '0s'].map(parseDuration)).toEqual([
      2 * HOUR,
      90_000,
      36 * HOUR,
      500,
      1.5 * HOUR,
      0,
    ]);
    for (const text of ['', '2', 'h', '-2h', '2 h', '1s1h', '1e3s', '2H', `${'9'.repeat(20)}d`]) {
      expect(() => parseDuration(text)).toThrow(/must be a duration/);
    }
    expect(parseMoment('2030-01-31T12:00:00+01:00')).toBe(Date.UTC(2030, 0, 31, 11));
    expect(parseMoment('2030-01-31')).toBe(Date.UTC(2030, 0, 31));
    expect(parseMoment('2028-02-29')).toBe(Date.UTC(2028, 1, 29));
    const unreal = ['2030-13-01', '2030-02-29', '2030-04-31T12:00:00Z'];
    for (const text of ['', 'now', '2030', ...unreal, '2030-01-31T12:00:00', 'x2030-01-31']) {
      expect(() => parseMoment(text)).toThrow(/must be a time/);
    }
  });
});

describe('the clock of the emulator determines', () => {
  it('ids, timestamps and the timeout of consent requests', async () => {
    const { emulator, clock: machine } = await emulatorWorld();
    emulator.clock.freeze();
    emulator.clock.set(Date.UTC(2031, 4, 6));
    const { id, timestamp } = emulator.messages.send(ids.general, 'later', ids.river);
    expect([timeOf(id), timestamp]).toEqual([Date.UTC(2031, 4, 6), '2031-05-06T00:00:00.000Z']);
    const asked = emulator.oauth2.authorize({
      clientId: ids.lighthouse,
      scopes: ['identify'],
      peer: { transport: 'ipc' },
      signal: new AbortController().signal,
    });
    const refused = expect(asked).rejects.toMatchObject({ error: 'access_denied' });
    machine.advance(HOUR);
    expect(emulator.requests.list()).toHaveLength(1);
    emulator.clock.advance(120_000);
    expect(emulator.requests.list()).toEqual([]);
    await refused;
  });

  it('the Date header of a response, against which clients set their clock', async () => {
    const { emulator, call } = await testPlatform();
    emulator.clock.freeze();
    emulator.clock.set(Date.UTC(2031, 4, 6, 7, 8, 9));
    const { headers } = await call('GET /gateway');
    expect(headers.get('date')).toBe('Tue, 06 May 2031 07:08:09 GMT');
    expect(Number(headers.get('x-ratelimit-reset'))).toBe(Date.UTC(2031, 4, 6, 7, 8, 10) / 1000);
  });

  it('the expiry of codes and tokens', async () => {
    const machine = new ManualClock();
    const emulator = await createEmulator({
      fixture: defaultFixture(),
      clock: machine,
      consent: { policy: 'allow' },
    });
    const authorize = () =>
      emulator.oauth2.authorize({
        clientId: ids.lighthouse,
        scopes: ['identify'],
        peer: { transport: 'ipc' },
        signal: new AbortController().signal,
      });
    const client = { clientId: ids.lighthouse, clientSecret: 'any' };
    const issuer = 'http://127.0.0.1:1/api';
    const late = await authorize();
    emulator.clock.advance(HOUR);
    await expect(emulator.oauth2.exchangeCode(client, { code: late.code, issuer })).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const { code } = await authorize();
    const { access_token, expires_in } = await emulator.oauth2.exchangeCode(client, { code, issuer });
    emulator.clock.advance(expires_in * 1000 - 1);
    expect(emulator.oauth2.introspect(access_token).state).toBe('active');
    emulator.clock.advance(1);
    expect(emulator.oauth2.introspect(access_token)).toEqual({ state: 'invalid', reason: 'expired' });
  });
});

it('the emulator uses no other source of time', () => {
  const root = fileURLToPath(new URL('../../../src', import.meta.url));
  const other =
    /Date\.now|new Date\(\)|(?<![.\w])(?:setTimeout|setInterval)\(|performance\.now|node:timers|setIssuedAt\(\)|setExpirationTime|\.timeout\(/;
  const files = ['emulator', 'core/emulator'].flatMap((folder) =>
    readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  );
  expect(files.length).toBeGreaterThan(100);
  const matching = (pattern: RegExp) =>
    files.filter((file) => linesMatching(readFileSync(resolve(root, file), 'utf8'), pattern).length > 0);
  // How long an application may take to answer a webhook is its own time, and so is how long a peer may go on sending
  // and what the journal says that an exchange took. A client of the gateway is greeted a little after its upgrade.
  // A test waits for bots in the machine's time, in which they work.
  // Whether this process is idle is asked of the machine, and a call that waits for a change waits in the machine's time.
  expect(matching(other).sort()).toEqual([
    'core/emulator/when-idle.ts',
    'emulator/applications/webhooks/clock-moves.ts',
    'emulator/applications/webhooks/post.ts',
    'emulator/interactions/view/channel-view.ts',
    'emulator/kernel/clock.ts',
    'emulator/serve/gateway/connection.ts',
    'emulator/serve/http/exchange.ts',
    'emulator/serve/http/send.ts',
    'emulator/serve/settle.ts',
  ]);
  // What the clock follows, and when a file was put aside.
  expect(matching(/systemClock/).sort()).toEqual([
    'emulator/accounts/oauth2/storage/file-store.ts',
    'emulator/compose/compose-platform.ts',
    'emulator/kernel/clock.ts',
  ]);
  for (const line of ['const a = Date.now();', 'setTimeout(f, 5);', 'new Date().getTime()']) {
    expect(linesMatching(line, other)).toEqual([1]);
  }
});
