import { type Dispatched, defineRowDispatches } from '../../api/dispatch.ts';
import type { Base, Committed } from '../../api/world.ts';
import { mayView, rowsBefore } from '../channels/access.ts';
import { stays } from '../dispatch-audience.ts';
import { stageAnswer, stageShape } from './answers.ts';
import type { StageInstance } from './records.ts';

/** Event for bots that can view the stage's channel, or could view it before its deletion. */
function ofStage(commit: Committed, { world: { tables } }: Base, stage: StageInstance): Dispatched[] {
  const channel = tables.channels.get(stage.channel) ?? commit.was('channels', stage.channel);
  if (channel === undefined || !stays(commit, tables, channel.guild)) return [];
  const rows = tables.channels.has(channel.id) ? tables : rowsBefore(commit, tables);
  return [
    {
      guild: channel.guild,
      canSee: ({ kind, user }) => kind === 'bot' && mayView(rows, channel, user),
      data: () => stageAnswer(rows, stage),
    },
  ];
}

/** Gateway events of stage instances. */
export const stageDispatches = defineRowDispatches({
  table: 'stage_instances',
  intents: ['GUILDS'],
  shape: stageShape,
  events: {
    created: ['STAGE_INSTANCE_CREATE', 'A stage is opened.'],
    removed: ['STAGE_INSTANCE_DELETE', 'A stage is closed.'],
    updated: ['STAGE_INSTANCE_UPDATE', 'An open stage is changed.'],
  },
  derive: ofStage,
});
