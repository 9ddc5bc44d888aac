import type * as z from 'zod';
import type { User } from './records.ts';
import type { ownUserShape, userShape } from './shapes.ts';

/** Public view of a user. */
export function userAnswer(
  user: Pick<
    User,
    'id' | 'username' | 'avatar' | 'discriminator' | 'flags' | 'global_name' | 'bot' | 'primary_guild'
  >,
): z.output<typeof userShape> {
  const { id, username, avatar, discriminator, flags, global_name, bot, primary_guild } = user;
  return {
    id,
    username,
    discriminator,
    global_name,
    avatar,
    ...(bot ? { bot } : {}),
    flags,
    public_flags: flags,
    primary_guild,
  };
}

/** A user's view of themselves, with only the fields that the scopes allow. */
export function ownUserAnswer(user: User, scopes: readonly string[]): z.output<typeof ownUserShape> {
  const { premium_type, locale, email } = user;
  return {
    ...userAnswer(user),
    mfa_enabled: false,
    premium_type,
    locale,
    ...(scopes.includes('email') ? { email, verified: email !== null } : {}),
  };
}
