import * as z from 'zod';
import { namedShape, timestamp } from '../../api/fields.ts';
import type { Reading } from '../../api/world.ts';
import { userAnswer } from '../../users/answers.ts';
import type { User } from '../../users/records.ts';
import { userShape } from '../../users/shapes.ts';
import { joinedAt } from './membership.ts';
import type { Member } from './records.ts';

/** A member, as other members of the guild see it. */
export const memberShape = namedShape('GuildMember', {
  user: userShape,
  nick: z.nullable(z.string()),
  avatar: z.nullable(z.string()),
  banner: z.nullable(z.string()),
  roles: z.array(z.string()),
  joined_at: z.string(),
  premium_since: z.nullable(z.string()),
  communication_disabled_until: z.nullable(z.string()),
  pending: z.boolean(),
  flags: z.int(),
  mute: z.boolean(),
  deaf: z.boolean(),
});

/** A member, as other members of the guild see it. */
export function memberAnswer(tables: Reading, member: Member): z.output<typeof memberShape> {
  const { guild, user, nick, avatar, banner, roles, premium_since, communication_disabled_until, flags } =
    member;
  const voice = tables.voice_states.get(user);
  const isHere = voice !== undefined && tables.channels.get(voice.channel)?.guild === guild;
  return {
    user: userAnswer(tables.users.get(user) as User),
    nick,
    avatar,
    banner,
    roles: [...roles],
    joined_at: timestamp(joinedAt(member)),
    premium_since: momentOrNull(premium_since),
    communication_disabled_until: momentOrNull(communication_disabled_until),
    pending: member.pending,
    flags,
    mute: isHere ? voice.mute : member.mute,
    deaf: isHere ? voice.deaf : member.deaf,
  };
}

function momentOrNull(written: string | null): string | null {
  return written === null ? null : timestamp(Date.parse(written));
}
