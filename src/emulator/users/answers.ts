import type * as z from 'zod';
import type { User } from './records.ts';
import type { ownUserShape, userShape } from './shapes.ts';

// Fields are assigned, because nearly every answer has users, and spreading takes most of the time of a user.

/** Public view of a user. */
export function userAnswer(
  user: Pick<
    User,
    'id' | 'username' | 'avatar' | 'discriminator' | 'flags' | 'global_name' | 'bot' | 'primary_guild'
  >,
): z.output<typeof userShape> {
  const { id, username, avatar, discriminator, flags, global_name, bot, primary_guild } = user;
  const answer: z.output<typeof userShape> = {
    id,
    username,
    discriminator,
    global_name,
    avatar,
    flags,
    public_flags: flags,
    primary_guild,
  };
  if (bot) answer.bot = bot;
  return answer;
}

/** A user's view of themselves, with only the fields that the scopes allow. */
export function ownUserAnswer(user: User, scopes: readonly string[]): z.output<typeof ownUserShape> {
  const { premium_type, locale, email } = user;
  const own = { mfa_enabled: false, premium_type, locale };
  const answer: z.output<typeof ownUserShape> = Object.assign(userAnswer(user), own);
  if (scopes.includes('email')) {
    answer.email = email;
    answer.verified = email !== null;
  }
  return answer;
}
