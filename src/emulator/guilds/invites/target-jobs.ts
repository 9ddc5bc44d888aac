import type { Transaction, World } from '../../api/world.ts';
import type { Deadline, EmulatorClock } from '../../kernel/clock.ts';
import { SettingError } from '../../kernel/errors.ts';
import { findInvite } from './invites.ts';
import type { ChannelInviteRecord } from './records.ts';
import { failReading, readOn } from './targets.ts';

/** How long the reading of a file takes by the clock, in milliseconds. Nothing about it is published. */
const TAKES_MS = 1_000;

/** Reads files of target users: each is read a second of the clock after it came, unless somebody holds it. */
export class TargetJobs {
  readonly #world: World;
  readonly #clock: EmulatorClock;
  readonly #due = new Map<string, Deadline>();

  /** Minds what is under way, comes, changes and goes. */
  constructor(world: World, clock: EmulatorClock) {
    this.#world = world;
    this.#clock = clock;
    world.subscribeRows((transaction) => this.#follow(transaction), {
      name: 'the reading of target users',
      recover: () => this.#start(),
    });
    this.#start();
  }

  #start(): void {
    this.close();
    for (const invite of [...this.#world.tables.channel_invites]) this.#mind(invite);
  }

  #follow({ events }: Transaction): void {
    for (const event of events) {
      if (event.table !== 'channel_invites') continue;
      if (event.kind === 'removed') this.#forget(event.before.code);
      else this.#mind(event.after);
    }
  }

  /** Reads nothing more. */
  close(): void {
    for (const code of [...this.#due.keys()]) this.#forget(code);
  }

  /** Reads no file of an invite further by itself: the one under way, and all that come. @throws SettingError for no invite. */
  hold(code: string): ChannelInviteRecord {
    this.#invite(code);
    return this.#world.transaction(({ channel_invites }) =>
      channel_invites.update(code, { holds_jobs: true }),
    );
  }

  /** Reads so many users more. @throws SettingError where no file is being read. */
  advance(code: string, count: number): ChannelInviteRecord {
    return this.#change(code, (tables, invite) => readOn(tables, invite, count, this.#clock.now()));
  }

  /** Has the reading fail. @throws SettingError where no file is being read. */
  fail(code: string, error: string): ChannelInviteRecord {
    return this.#change(code, (tables, invite) => failReading(tables, invite, error));
  }

  #change(
    code: string,
    change: (tables: Parameters<Parameters<World['transaction']>[0]>[0], invite: ChannelInviteRecord) => void,
  ): ChannelInviteRecord {
    const invite = this.#invite(code);
    if (invite.job?.state !== 'processing') {
      throw new SettingError(
        '',
        `no file of the invite ${code} is being read; hold it first: footbridge emulator invite-job ${code} hold`,
      );
    }
    return this.#world.transaction((tables) => {
      change(tables, invite);
      return tables.channel_invites.get(code) as ChannelInviteRecord;
    });
  }

  #invite(code: string): ChannelInviteRecord {
    const invite = findInvite(this.#world.tables, code, this.#clock.now());
    if (invite !== undefined) return invite;
    throw new SettingError(
      '',
      `there is no invite ${JSON.stringify(code.slice(0, 64))}; give the code of one`,
    );
  }

  #mind({ code, job, holds_jobs: isHeld }: ChannelInviteRecord): void {
    this.#forget(code);
    if (job?.state !== 'processing' || isHeld) return;
    this.#due.set(
      code,
      this.#clock.at(Date.parse(job.created_at) + TAKES_MS, () => this.#finish(code)),
    );
  }

  #finish(code: string): void {
    const invite = this.#world.tables.channel_invites.get(code);
    if (invite === undefined || invite.holds_jobs) return;
    this.#world.transaction((tables) => readOn(tables, invite, Number.POSITIVE_INFINITY, this.#clock.now()));
  }

  #forget(code: string): void {
    this.#due.get(code)?.cancel();
    this.#due.delete(code);
  }
}
