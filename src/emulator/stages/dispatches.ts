import { mayView, rowsBefore } from '../channels/access.ts';
import { type Dispatched, defineDispatch } from '../dispatch.ts';
import { stays } from '../guilds/told.ts';
import type { Platform } from '../platform.ts';
import type { Committed } from '../world.ts';
import { stageAnswer, stageShape } from './answers.ts';
import type { StageInstance } from './records.ts';

const declared = { intents: ['GUILDS'], tables: ['stage_instances'], shape: stageShape } as const;

/** Told to bots that view the channel, or viewed it before it went. */
function ofStage(commit: Committed, { world: { tables } }: Platform, stage: StageInstance): Dispatched[] {
  const channel = tables.channels.get(stage.channel) ?? commit.was('channels', stage.channel);
  if (channel === undefined || !stays(commit, tables, channel.guild)) return [];
  const rows = tables.channels.has(channel.id) ? tables : rowsBefore(commit, tables);
  return [
    {
      guild: channel.guild,
      sees: ({ kind, user }) => kind === 'bot' && mayView(rows, channel, user),
      data: () => stageAnswer(rows, stage),
    },
  ];
}

/** What is told of open stages. */
export const stageDispatches = [
  ...(
    [
      ['STAGE_INSTANCE_CREATE', 'created', 'A stage is opened.'],
      ['STAGE_INSTANCE_DELETE', 'removed', 'A stage is closed.'],
    ] as const
  ).map(([event, kind, summary]) =>
    defineDispatch({
      ...declared,
      event,
      summary,
      derive: (commit, platform) =>
        commit.of('stage_instances')[kind].flatMap((stage) => ofStage(commit, platform, stage)),
    }),
  ),
  defineDispatch({
    ...declared,
    event: 'STAGE_INSTANCE_UPDATE',
    summary: 'An open stage is changed.',
    derive: (commit, platform) =>
      commit.of('stage_instances').updated.flatMap(({ after }) => ofStage(commit, platform, after)),
  }),
];
