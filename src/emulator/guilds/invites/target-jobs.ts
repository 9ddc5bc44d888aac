import { RowTimers } from '../../api/row-timers.ts';
import type { World } from '../../api/world.ts';
import type { Clock, EmulatorClock } from '../../kernel/clock.ts';
import { SettingError } from '../../kernel/errors.ts';
import { findInvite } from './invites.ts';
import type { ChannelInviteRecord } from './records.ts';
import { failReading, readOn } from './targets.ts';

/** Duration of reading a file by the emulator's clock, in milliseconds. The platform's duration is not published. */
const TAKES_MS = 1_000;

/**
 * Timers that complete the reading of a file one second of the emulator's clock after its upload, unless the operator
 * holds it.
 */
export function targetJobTimers(world: World, clock: EmulatorClock): RowTimers<'channel_invites'> {
  return new RowTimers(world, clock, {
    name: 'the reading of target users',
    table: 'channel_invites',
    due: ({ job, holds_jobs: isHeld }) =>
      job?.state !== 'processing' || isHeld ? undefined : Date.parse(job.created_at) + TAKES_MS,
    fire: (invite) =>
      world.transaction((tables) => readOn(tables, invite, Number.POSITIVE_INFINITY, clock.now())),
  });
}

/** Operator control of the jobs that read target users. */
export class TargetJobs {
  readonly #world: World;
  readonly #clock: Clock;

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
  }

  /**
   * Stops automatic reading for an invite, of the present file and of all later files. @throws SettingError for an
   * unknown invite.
   */
  hold(code: string): ChannelInviteRecord {
    this.#invite(code);
    return this.#world.transaction(({ channel_invites }) =>
      channel_invites.update(code, { holds_jobs: true }),
    );
  }

  /** Reads a number of further users. @throws SettingError where no file is being read. */
  advance(code: string, count: number): ChannelInviteRecord {
    return this.#change(code, (tables, invite) => readOn(tables, invite, count, this.#clock.now()));
  }

  /** Makes the job fail. @throws SettingError where no file is being read. */
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
}
