import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServiceContext, ServiceDefinition } from '../../../service/manager.ts';
import { programRunner } from '../../../service/run.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

/** A user's machine in one folder, whose programs are stand-ins. */
export interface Bench<S extends object> {
  readonly folder: string;
  readonly context: ServiceContext;
  /** What the stand-ins know now. */
  readonly state: () => S & { readonly calls: readonly string[] };
  readonly change: (values: Partial<S>) => void;
}

/** Puts `programs` on a PATH of their own: the name, and the words before its arguments. */
export function serviceBench<S extends object>(
  programs: Readonly<Record<string, readonly [script: string, ...words: string[]]>>,
  initial: S,
  more: Partial<ServiceContext> = {},
): Bench<S> {
  const folder = temporaryFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const [name, [script, ...words]] of Object.entries(programs)) {
    const path = fileURLToPath(new URL(script, import.meta.url));
    const command = [process.execPath, path, ...words].map((word) => `'${word}'`).join(' ');
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command} "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const file = join(folder, 'state.json');
  writeFileSync(file, JSON.stringify({ ...initial, calls: [] }));
  const state = () => JSON.parse(readFileSync(file, 'utf8')) as S & { readonly calls: readonly string[] };
  return {
    folder,
    context: {
      env: { USERDOMAIN: 'PC', SystemRoot: 'C:\\Windows' },
      home: folder,
      uid: 501,
      user: 'some body',
      stateFolder: join(folder, 'own'),
      run: programRunner({ PATH: bin, FAKE_STATE: file }),
      ...more,
    },
    state,
    change: (values) => writeFileSync(file, JSON.stringify({ ...state(), ...values })),
  };
}

/** Something to install; `folder` is where its log would go. */
export function definition(folder: string, core = 'upstream'): ServiceDefinition {
  return {
    argv: ['/opt/node dir/node', '/opt/fb & <co>/footbridge.js', 'run', '--service', '--core', core],
    env: { XDG_CONFIG_HOME: '/home/"x"/conf' },
    core,
    flags: {},
    version: '0.1.0',
    native: true,
    logFolder: join(folder, 'logs'),
  };
}

export const started = { start: true, linger: false, socket: false, force: false } as const;
