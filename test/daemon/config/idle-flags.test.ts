import { expect, it } from 'vitest';
import { idleFlags } from '../../../src/daemon/config/idle-flags.ts';
import { type Flags, loadConfiguration } from '../../../src/daemon/config/settings.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

async function idle(flags: Flags, env: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  return idleFlags(await loadConfiguration(flags, env, { config: folder, data: folder }));
}

it('idleFlags names each flag that only another core reads, and that core', async () => {
  expect(await idle({ core: 'upstream', fixture: '/f.toml', consent: 'deny', 'ws-port': 'off' })).toEqual([
    '--fixture means nothing on the core "upstream": it is for --core emulator',
    '--consent means nothing on the core "upstream": it is for --core emulator',
  ]);
  expect(await idle({ 'attach-port': '0', upstream: 'auto', fallback: 'emulator' })).toEqual([
    '--upstream means nothing on the core "emulator": it is for --core upstream',
    '--fallback means nothing on the core "emulator": it is for --core upstream',
    '--attach-port means nothing on the core "emulator": it is for --core attach',
  ]);
  expect(await idle({ core: '/x/core.mjs', 'http-port': '0' })).toEqual([
    '--http-port means nothing on the core "/x/core.mjs": it is for --core emulator',
  ]);
  expect(await idle({ core: 'attach', 'bridge-secrets': 'true' })).toEqual([
    '--bridge-secrets means nothing without --bridge-port',
  ]);
});

it('idleFlags accepts flags that the fallback reads, and keys from a file or a variable', async () => {
  expect(await idle({ core: 'upstream', fallback: 'emulator', fixture: '/f.toml' })).toEqual([]);
  expect(await idle({ core: 'attach' }, { FOOTBRIDGE_CONSENT: 'deny', FOOTBRIDGE_UPSTREAM: 'auto' })).toEqual(
    [],
  );
  expect(await idle({ core: 'attach', 'bridge-port': '0', 'bridge-secrets': 'true' })).toEqual([]);
});
