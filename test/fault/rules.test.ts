import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/protocol/command.ts';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import type { EventDefinition } from '../../src/protocol/event.ts';
import { commands, type EventName, events } from '../../src/protocol/registry.ts';
import type { ScopeRule } from '../../src/protocol/scope.ts';
import { memoryBridge } from '../helpers/memory-bridge.ts';

/** What a session of a local connection has from its start. */
const LOCAL = 'rpc.local';
const NO_RATE = {
  messagesBurst: 1_000_000,
  bytesPerSecond: 1024 * 1024 * 1024,
  messagesPerSecond: 1_000_000,
};

const rules: readonly ScopeRule[] = [...Object.values(commands), ...Object.values(events)].flatMap((entry) =>
  'scope' in entry ? [entry.scope] : [],
);
/** Every scope that some rule names. */
const scopes = [...new Set(rules.flatMap((rule) => (rule.kind === 'open' ? [] : rule.scopes)))].sort();

/** Written apart from the code under test. */
function permits(rule: ScopeRule, held: readonly string[]): boolean {
  if (rule.kind === 'open') return true;
  const has = rule.scopes.filter((scope) => held.includes(scope)).length;
  return rule.kind === 'any' ? has > 0 : has === rule.scopes.length;
}

describe('the scope matrix [T67]', () => {
  it.each(['', ...scopes])(
    'opens and closes every command as declared, for a session with the scope %j',
    async (scope) => {
      const held = scope === '' ? [] : [scope];
      const bridge = await memoryBridge({ limits: NO_RATE, scopes: held });
      const app = await bridge.app();
      const wrong: string[] = [];
      for (const [cmd, command] of Object.entries(commands) as [string, Command][]) {
        if (cmd === 'AUTHORIZE' || cmd === 'AUTHENTICATE') continue;
        const { evt, data } = await app.call(cmd, {});
        const refused = evt === 'ERROR' && data.code === ErrorCode.INVALID_PERMISSIONS;
        if (refused === permits(command.scope, [LOCAL, ...held])) wrong.push(cmd);
      }
      expect(wrong).toEqual([]);
    },
  );
  it.each(['', ...scopes])(
    'opens and closes every event as declared, for a session with the scope %j',
    async (scope) => {
      const held = scope === '' ? [] : [scope];
      const bridge = await memoryBridge({ limits: NO_RATE, scopes: held });
      const app = await bridge.app();
      const wrong: string[] = [];
      for (const [evt, event] of Object.entries(events) as [string, EventDefinition][]) {
        if (event.kind === 'unsubscribable') continue;
        const { data } = await app.subscribe(evt, {});
        const refused = data.code === ErrorCode.INVALID_PERMISSIONS;
        if (refused === permits(event.scope, [LOCAL, ...held])) wrong.push(evt);
      }
      expect(wrong).toEqual([]);
    },
  );
});

it('none of 1,000 events reaches a client that lacks its scope [T69]', async () => {
  const samples = {
    VOICE_CHANNEL_SELECT: { channel_id: '1', guild_id: null },
    GUILD_STATUS: { guild: { id: '1', name: 'G', icon_url: null }, online: 0 },
    CHANNEL_CREATE: { id: '1', name: 'c', type: 0 },
    GUILD_CREATE: { id: '1', name: 'G' },
  } as const;
  const names = Object.keys(samples) as EventName[];
  const sets = [[], ['rpc'], ['rpc.voice.read'], ['identify'], ['rpc', 'rpc.voice.read']];
  let opened = 0;
  const bridge = await memoryBridge({
    limits: NO_RATE,
    scopes: [],
    open: (peer) => bridge.core.host.grant(peer.sessionId, sets[opened++] ?? []),
  });
  const apps = [];
  for (const held of sets) {
    const app = await bridge.app();
    for (const name of names) await app.subscribe(name, name === 'GUILD_STATUS' ? { guild_id: '1' } : {});
    await app.rest();
    apps.push({ app, held });
  }
  let delivered = 0;
  for (let i = 0; i < 1000; i++) {
    const name = names[(i * 7919) % names.length] as EventName;
    const filter = name === 'GUILD_STATUS' ? { filter: { guild_id: '1' } } : {};
    bridge.core.host.emit(name, Reflect.get(samples, name) as never, filter);
  }
  for (const { app, held } of apps) {
    for (const { body } of await app.rest()) {
      const { evt } = body as { evt: EventName };
      const event = events[evt] as EventDefinition;
      expect(permits(event.scope, [LOCAL, ...held]), `${evt} to ${held.join()}`).toBe(true);
      delivered += 1;
    }
  }
  expect(delivered).toBeGreaterThan(1000);
});

describe('the installed and loaded packages [T70]', () => {
  const text = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  const denied =
    /^(?:node-ipc|@node-ipc\/.+|peacenotwar|event-pubsub|js-message|js-queue|easy-stack|strong-type)$/;

  it('need no install script', () => {
    expect(text('.ci/setup.mjs')).toContain("'--ignore-scripts'");
    const { packages } = JSON.parse(text('package-lock.json')) as {
      packages: Record<string, { hasInstallScript?: boolean }>;
    };
    // Both bring what their script would fetch or build as packages of their own.
    const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    expect(scripted.map(([name]) => name)).toEqual(['node_modules/esbuild', 'node_modules/koffi']);
  });
  it('are locked with a checksum each, and without a download address', () => {
    const { packages } = JSON.parse(text('package-lock.json')) as {
      packages: Record<string, { integrity?: string; link?: boolean; resolved?: string }>;
    };
    const open = Object.entries(packages).filter(
      // The other packages are folders of this checkout.
      ([name, { integrity, link, resolved }]) =>
        name.includes('node_modules/') && !link && (!integrity || resolved),
    );
    expect(open.map(([name]) => name)).toEqual([]);
  });
  it('include no denied package, neither as a dependency of the daemon nor in its build', () => {
    const manifest = JSON.parse(text('package.json')) as Record<string, Record<string, string> | undefined>;
    const names = Object.keys({ ...manifest['dependencies'], ...manifest['optionalDependencies'] });
    expect(names.filter((name) => denied.test(name))).toEqual([]);
    const files = readdirSync(new URL('../../dist', import.meta.url)).filter((name) => name.endsWith('.js'));
    const imported = files.flatMap((name) =>
      [...text(`dist/${name}`).matchAll(/(?:\bfrom |\b(?:__require|import)\()"([^"'.:]+)"/g)].map(
        ([, found = '']) => found,
      ),
    );
    expect(imported.filter((name) => denied.test(name))).toEqual([]);
  });
});
