import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { LocalError } from '../../base/local-error.ts';
import { isWorldName } from '../../emulator/applications/bot.ts';
import { type MemoryLimits, memoryLimits } from '../../emulator/kernel/memory.ts';
import { unknownWorldText } from '../../emulator/serve/http/unknown-world.ts';
import type { WorldSetting, WorldsOptions } from './options.ts';
import type { World } from './world.ts';

/** Maximum number of worlds: each takes up to 2 MB as it begins. */
const MAX_WORLDS = 200;

/** Share of one world in the memory of the emulator, so that a world that grows does not take that of the others. */
const MEMORY_SHARE = 1 / 8;

/** The worlds of a bridge: isolated emulators behind its port, each by its name. */
export class Worlds {
  readonly #options: WorldsOptions;
  readonly #memory: MemoryLimits;
  readonly #worlds = new Map<string, World>();
  /** Names of worlds that are being made. */
  readonly #coming = new Set<string>();
  /** Ends of worlds that are being removed: until then their addresses are theirs. */
  readonly #leaving = new Map<string, Promise<void>>();
  #made = 0;
  #isClosed = false;

  constructor(options: WorldsOptions) {
    const { room, replayed, unread } = memoryLimits();
    const part = (bytes: number): number => bytes * MEMORY_SHARE;
    const memory = {
      room: { soft: part(room.soft), hard: part(room.hard), whole: part(room.whole) },
      replayed: part(replayed),
      unread: part(unread),
    };
    this.#options = options;
    this.#memory = memory;
    // A killed bridge left the sockets of its worlds.
    this.#removeFolder();
  }

  list(): readonly World[] {
    return [...this.#worlds.values()];
  }

  /** Throws `LocalError` FOOTBRIDGE_UNKNOWN_WORLD, which names the known ones. */
  of(name: string): World {
    const world = this.#worlds.get(name);
    if (world !== undefined) return world;
    throw new LocalError('FOOTBRIDGE_UNKNOWN_WORLD', `${unknownWorldText(name, [...this.#worlds.keys()])}.`);
  }

  /** Makes a world. Rejects with the mistake, which changes nothing. */
  async add(setting: Partial<WorldSetting>): Promise<World> {
    const name = setting.name ?? this.#freeName();
    const fail = (text: string): never => {
      throw new LocalError('FOOTBRIDGE_WORLD', text);
    };
    if (!isWorldName(name)) {
      fail(
        `${JSON.stringify(name.slice(0, 40))} is no name of a world: 1 to 32 small letters, digits and "-", not "-" first, ` +
          'and not "emulator".',
      );
    }
    await this.#leaving.get(name)?.catch(() => {});
    if (this.#worlds.has(name) || this.#coming.has(name))
      fail(`There is a world "${name}" already. Remove it first, or take another name.`);
    if (this.#worlds.size + this.#coming.size >= MAX_WORLDS)
      fail(`There are ${MAX_WORLDS} worlds, which is the limit. Remove one first.`);
    this.#coming.add(name);
    try {
      const { createWorld } = await import('./world.ts');
      const { fixture = null, consent = this.#options.consent, strict = false } = setting;
      const world = await createWorld(
        { name, fixture, consent, strict },
        this.#pathOf(name),
        this.#options,
        this.#memory,
      );
      if (this.#isClosed) {
        await world.remove('the bridge is shutting down');
        fail('The bridge is shutting down.');
      }
      this.#worlds.set(name, world);
      return world;
    } finally {
      this.#coming.delete(name);
    }
  }

  /** Removes a world; its bots and apps receive the reason. */
  async remove(name: string): Promise<void> {
    const world = this.of(name);
    this.#worlds.delete(name);
    const removed = world.remove(`the world ${name} was removed`).finally(() => this.#leaving.delete(name));
    this.#leaving.set(name, removed);
    await removed;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const all = this.list();
    this.#worlds.clear();
    await Promise.all(all.map((world) => world.remove('the bridge is shutting down')));
    this.#removeFolder();
  }

  #removeFolder(): void {
    const { privateFolder } = this.#options.folders;
    if (privateFolder !== undefined) rmSync(join(privateFolder, FOLDER), { recursive: true, force: true });
  }

  #freeName(): string {
    do this.#made += 1;
    while (this.#worlds.has(`world-${this.#made}`) || this.#coming.has(`world-${this.#made}`));
    return `world-${this.#made}`;
  }

  /** Path of a world's endpoint. Client libraries look for the file in a folder that a variable names. */
  #pathOf(name: string): string {
    const { privateFolder } = this.#options.folders;
    return privateFolder === undefined
      ? `\\\\?\\pipe\\footbridge-${name}-${randomBytes(6).toString('hex')}`
      : join(privateFolder, FOLDER, name, 'discord-ipc-0');
  }
}

/** Folder of the worlds in our private folder. */
const FOLDER = 'w';
