import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Ran, Runner } from '../../service/manager.ts';

/** What a unit is for the fake manager. */
interface Unit {
  loaded: boolean;
  enabled: boolean;
  active: 'active' | 'inactive' | 'failed' | 'activating' | 'reloading';
}

/** A user manager in this process: knows the units in a folder once it was told to read it. */
export class FakeSystemd {
  readonly units = new Map<string, Unit>();
  readonly calls: string[] = [];
  lingering = false;
  /** What `systemctl` says when it is not reached at all. */
  unreachable: string | undefined;
  /** How the service ends when it is started; undefined is that it runs. */
  failure: { readonly result: string; readonly status: string } | undefined;
  lingerRefused = false;
  restarts = 0;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  readonly run: Runner = ([program, ...args]) => {
    const words = args.filter((word) => word !== '--user');
    this.calls.push([program, ...words].join(' '));
    if (program === 'loginctl') return Promise.resolve(this.#loginctl(words));
    if (this.unreachable !== undefined) return Promise.resolve(failed(this.unreachable));
    return Promise.resolve(this.#systemctl(words));
  };

  /** The calls that change something, since the last look. */
  changes(): string[] {
    return this.calls.splice(0).filter((call) => !/ show\b/.test(call));
  }

  unit(name: string): Unit {
    const known = this.units.get(name) ?? { loaded: false, enabled: false, active: 'inactive' as const };
    this.units.set(name, known);
    return known;
  }

  #systemctl([verb = '', ...rest]: string[]): Ran {
    const names = rest.filter((word) => !word.startsWith('-'));
    switch (verb) {
      case 'daemon-reload':
        for (const name of ['footbridge.service', 'footbridge.socket']) {
          this.unit(name).loaded = existsSync(join(this.#folder, name));
        }
        return done();
      case 'show':
        return names[0] === undefined ? done('252\n') : this.#show(names[0]);
      case 'reset-failed':
        for (const name of names)
          if (this.unit(name).active === 'failed') this.unit(name).active = 'inactive';
        return done();
      case 'disable':
        for (const name of names) {
          this.unit(name).enabled = false;
          if (rest.includes('--now')) this.unit(name).active = 'inactive';
        }
        return done();
      default:
        return names.map((name) => this.#act(verb, name)).find(({ code }) => code !== 0) ?? done();
    }
  }

  #act(verb: string, name: string): Ran {
    const unit = this.unit(name);
    if (!unit.loaded) return failed(`Unit ${name} not found.`);
    if (verb === 'enable') unit.enabled = true;
    if (verb === 'stop') unit.active = 'inactive';
    if (verb === 'start') {
      const service = this.unit('footbridge.service');
      if (name.endsWith('.socket') && service.active === 'active') return failed('already active, refusing');
      unit.active = name.endsWith('.service') && this.failure !== undefined ? 'failed' : 'active';
      if (unit.active === 'failed') return failed(`Job for ${name} failed.`);
    }
    return done();
  }

  #show(name: string): Ran {
    const { loaded, active } = this.unit(name);
    return done(
      [
        `LoadState=${loaded ? 'loaded' : 'not-found'}`,
        `ActiveState=${active}`,
        `MainPID=${active === 'active' ? 4711 : 0}`,
        `NRestarts=${this.restarts}`,
        `Result=${this.failure?.result ?? 'success'}`,
        `ExecMainStatus=${this.failure?.status ?? 0}`,
        '',
      ].join('\n'),
    );
  }

  #loginctl([verb]: string[]): Ran {
    if (verb === 'show-user') return done(this.lingering ? 'yes\n' : 'no\n');
    if (this.lingerRefused) return failed('Could not enable linger: Access denied');
    this.lingering = verb === 'enable-linger';
    return done();
  }
}

function done(stdout = ''): Ran {
  return { code: 0, stdout, stderr: '' };
}

function failed(stderr: string): Ran {
  return { code: 1, stdout: '', stderr: `${stderr}\n` };
}
