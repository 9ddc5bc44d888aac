import { expect, it, onTestFinished } from 'vitest';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import { commands, events, findCommand, findEvent } from '../../src/protocol/registry.ts';
import { allows } from '../../src/protocol/scope.ts';
import type { Answer } from '../helpers/app-peer.ts';
import { Asking } from '../helpers/asking.ts';
import { emulatorSockets, type HeldApp, type Standing } from '../helpers/emulator-sockets.ts';
import { ids } from '../helpers/emulator-world.ts';
import { documentedCommands, documentedEvents, unknownCommands, unknownEvents } from './documented-names.ts';

/** Promises of this process that were rejected with nobody to hear it, while the test runs. */
function unheardRejections(): readonly unknown[] {
  const unheard: unknown[] = [];
  const note = (reason: unknown): void => void unheard.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  return unheard;
}

/** Fails unless an answer is a result of its declared shape, or an error that its declaration names. */
function expectDeclared(name: string, answer: Answer): void {
  const command = findCommand(name);
  const { data, evt } = answer;
  if (evt === null) {
    expect({ name, result: command?.result().safeParse(data) }).toMatchObject({ result: { success: true } });
    return;
  }
  const declined = command?.recorded?.declined;
  const codes = [
    ErrorCode.INVALID_PAYLOAD,
    ...(command?.errors ?? []),
    ...(command?.refusal ? [command.refusal.code] : []),
    ...(declined && 'code' in declined ? [declined.code] : []),
  ];
  expect({ name, evt, codes, message: data.message }).toEqual({
    name,
    evt: 'ERROR',
    codes: expect.arrayContaining([data.code]),
    message: expect.stringMatching(/\w/),
  });
}

/** Asks for one command without arguments and with the least valid ones; whoever has to decide says yes, then no. */
async function walkCommand(name: string, { held }: HeldApp, asking: Asking): Promise<void> {
  const valid = documentedCommands[name];
  const command = findCommand(name);
  if (command === undefined) throw new Error(`${name} is not declared`);
  // Without a token AUTHENTICATE obtains one, and the app would hold more than it came with.
  for (const args of name === 'AUTHENTICATE' ? [valid] : [undefined, valid]) {
    const outcome = await asking.ask(name, args);
    if (outcome.kind === 'waiting') {
      expect(outcome.request.cmd).toBe(name === 'AUTHORIZE' ? undefined : name);
      const approved = await asking.decide('requests.approve', outcome.request);
      expect([name, approved.evt]).toEqual([name, null]);
      expectDeclared(name, approved);
      const again = await asking.ask(name, args);
      if (again.kind !== 'waiting') throw new Error(`${name} waits for a person only the first time`);
      expectDeclared(name, await asking.decide('requests.deny', again.request));
      continue;
    }
    const { answer } = outcome;
    if (!allows(command.scope, held)) {
      expect([name, answer.data?.code]).toEqual([name, 4006]);
      continue;
    }
    expectDeclared(name, answer);
    if (args !== valid) continue;
    expect([name, answer.data?.code]).not.toEqual([name, 4000]);
    // To succeed without a person's word, or at what is refused, would be a false success.
    expect([name, command.recorded]).toEqual([name, undefined]);
    if (command.refusal) expect([name, answer.data?.code]).toEqual([name, command.refusal.code]);
  }
}

async function walkEvent(name: string, { held }: HeldApp, asking: Asking): Promise<void> {
  const event = findEvent(name);
  if (event === undefined) throw new Error(`${name} is not declared`);
  const args = documentedEvents[name];
  for (const [cmd, given] of [['SUBSCRIBE'], ['SUBSCRIBE', args], ['UNSUBSCRIBE', args]] as const) {
    const outcome = await asking.ask(cmd, given, name);
    if (outcome.kind === 'waiting') throw new Error(`${cmd} ${name} waits for a person`);
    const { data } = outcome.answer;
    if (event.kind === 'unsubscribable') expect([name, data.code]).toEqual([name, 4004]);
    else if (cmd === 'UNSUBSCRIBE') expect([name, data]).toEqual([name, { evt: name }]);
    else if (!allows(event.scope, held)) expect([name, data.code]).toEqual([name, 4006]);
    else if (event.refusal) expect([name, data.code]).toEqual([name, event.refusal.code]);
    else if (given === args || event.args().safeParse({}).success) {
      expect([name, data]).toEqual([name, { evt: name }]);
    } else expect([name, data.code]).toEqual([name, 4000]);
  }
}

it('the registry holds the documented names and no others', () => {
  expect(Object.keys(commands).sort()).toEqual(Object.keys(documentedCommands).sort());
  expect(Object.keys(events).sort()).toEqual(Object.keys(documentedEvents).sort());
});

it.each<Standing>(['anonymous', 'authenticated', 'own-site'])(
  'every name of the protocol is answered exactly once within a second, for an app that is %s [§9 case 12]',
  async (standing) => {
    const unheard = unheardRejections();
    const bridge = await emulatorSockets('ask');
    const entered = await bridge.app(standing);
    const asking = new Asking(entered.app, bridge);
    const sessions = () => bridge.server.sessions().length;
    expect(sessions()).toBe(1);

    for (const name of Object.keys(documentedCommands)) await walkCommand(name, entered, asking);
    for (const name of Object.keys(documentedEvents)) await walkEvent(name, entered, asking);
    for (const name of unknownCommands) {
      for (const args of [undefined, { guild_id: ids.harbour }]) {
        expect(await asking.ask(name, args)).toMatchObject({
          answer: { cmd: name, evt: 'ERROR', data: { code: 4002 } },
        });
      }
    }
    for (const name of unknownEvents) {
      for (const cmd of ['SUBSCRIBE', 'UNSUBSCRIBE']) {
        expect(await asking.ask(cmd, {}, name)).toMatchObject({
          answer: { cmd, evt: 'ERROR', data: { code: 4004 } },
        });
      }
    }

    expect(await asking.uneven()).toEqual([]);
    expect(await bridge.run('requests.list')).toEqual([]);
    expect(sessions()).toBe(1);
    expect(unheard).toEqual([]);
    // Whatever was asked, nothing failed inside.
    expect(bridge.log.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  },
);
