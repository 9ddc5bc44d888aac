import { describe, expect, it } from 'vitest';
import { type CommandSchema, protocolSchema } from '../../src/protocol/reference.ts';
import { commands, events, findCommand, findEvent } from '../../src/protocol/registry.ts';
import { allows, type ScopeRule } from '../../src/protocol/scope.ts';
import { Asking } from '../helpers/asking.ts';
import { type EmulatorSockets, emulatorSockets, type Standing } from '../helpers/emulator-sockets.ts';
import { type JsonSchema, problemsOf } from '../helpers/json-schema.ts';
import { wrongArguments } from '../helpers/wrong-arguments.ts';
import { documentedCommands, documentedEvents } from './documented-names.ts';

const printed = protocolSchema();
const standings: readonly Standing[] = ['anonymous', 'authenticated', 'own-site'];
/** Answered by the session itself, which looks at their arguments in an order of its own. */
const OF_THE_EVENT = ['SUBSCRIBE', 'UNSUBSCRIBE'];

/** An app whose scopes satisfy the rule. */
async function allowedBy(rule: ScopeRule, bridge: EmulatorSockets): Promise<Asking> {
  for (const standing of standings) {
    const { app, held } = await bridge.app(standing);
    if (allows(rule, held)) return new Asking(app, bridge);
    app.end();
  }
  throw new Error(`nobody here satisfies ${JSON.stringify(rule)}`);
}

/** Scope rules by what they say, so that apps that satisfy the same one are one. */
function byRule<T extends { readonly scope: ScopeRule }>(table: Readonly<Record<string, T>>) {
  const groups = new Map<string, { readonly rule: ScopeRule; readonly names: string[] }>();
  for (const [name, { scope: rule }] of Object.entries(table)) {
    const key = JSON.stringify(rule);
    const group = groups.get(key) ?? { rule, names: [] };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups].map(([key, group]) => ({ key, ...group }));
}

describe('an app that lacks a scope', () => {
  it.each(standings)('is refused every command and event that requires the scope (%s)', async (standing) => {
    const bridge = await emulatorSockets();
    const { app, held } = await bridge.app(standing);
    const asking = new Asking(app, bridge);
    let refused = 0;
    for (const name of Object.keys(commands)) {
      if (allows(findCommand(name)?.scope ?? { kind: 'open' }, held)) continue;
      refused += 1;
      // Scope comes before arguments: right ones help no more than wrong ones.
      for (const args of [documentedCommands[name], { pid: 'wrong' }]) {
        expect(await asking.ask(name, args)).toMatchObject({ answer: { cmd: name, data: { code: 4006 } } });
      }
    }
    for (const evt of Object.keys(events)) {
      if (allows(findEvent(evt)?.scope ?? { kind: 'open' }, held)) continue;
      refused += 1;
      expect(await asking.ask('SUBSCRIBE', documentedEvents[evt], evt)).toMatchObject({
        answer: { cmd: 'SUBSCRIBE', data: { code: 4006 } },
      });
    }
    expect(refused).toBeGreaterThan(5);
  });
});

describe('wrong arguments', () => {
  const withArguments = Object.fromEntries(
    Object.entries(printed.commands).filter(([name]) => !OF_THE_EVENT.includes(name)),
  );
  it.each(byRule<CommandSchema>(withArguments))(
    'are refused with 4000 and their path, for each command with the rule $key',
    async ({ rule, names }) => {
      const bridge = await emulatorSockets();
      const asking = await allowedBy(rule, bridge);
      for (const name of names) {
        const { args: schema } = printed.commands[name] ?? { args: {} };
        for (const { name: argument, args } of wrongArguments(
          { ...schema },
          documentedCommands[name] ?? {},
        )) {
          const outcome = await asking.ask(name, args);
          expect({ name, args, outcome }).toMatchObject({ outcome: { answer: { data: { code: 4000 } } } });
          if (outcome.kind !== 'answered') continue;
          expect(outcome.answer.data.message).toMatch(new RegExp(`^args\\.${argument}\\b.*: \\w`));
        }
      }
    },
  );
  it.each(byRule(printed.events))(
    'of SUBSCRIBE are refused with 4000 and their path, for each event with the rule $key',
    async ({ rule, names }) => {
      const bridge = await emulatorSockets();
      const asking = await allowedBy(rule, bridge);
      for (const evt of names) {
        const { args: schema } = printed.events[evt] ?? { args: {} };
        for (const { name: argument, args } of wrongArguments({ ...schema }, documentedEvents[evt] ?? {})) {
          const outcome = await asking.ask('SUBSCRIBE', args, evt);
          expect({ evt, args, outcome }).toMatchObject({ outcome: { answer: { data: { code: 4000 } } } });
          if (outcome.kind !== 'answered') continue;
          expect(outcome.answer.data.message).toMatch(new RegExp(`^args\\.${argument}\\b.*: \\w`));
        }
      }
    },
  );
});

describe('the printed schema', () => {
  it('accepts the minimal valid arguments of every command and event', () => {
    for (const [name, { args }] of Object.entries(printed.commands)) {
      expect([name, problemsOf(args as JsonSchema, documentedCommands[name])]).toEqual([name, []]);
    }
    for (const [name, { args }] of Object.entries(printed.events)) {
      expect([name, problemsOf(args as JsonSchema, documentedEvents[name])]).toEqual([name, []]);
    }
  });
  it('matches every answer, including the answers that a user decides', async () => {
    const bridge = await emulatorSockets();
    let answered = 0;
    for (const { rule, names } of byRule(printed.commands)) {
      const asking = await allowedBy(rule, bridge);
      for (const name of names) {
        const outcome = await asking.ask(name, documentedCommands[name]);
        if (outcome.kind === 'waiting') throw new Error(`${name} waits though everything is allowed`);
        const { evt, data } = outcome.answer;
        if (evt !== null) continue;
        answered += 1;
        expect([name, problemsOf(printed.commands[name]?.result as JsonSchema, data)]).toEqual([name, []]);
      }
    }
    expect(answered).toBeGreaterThan(40);
  });
});
