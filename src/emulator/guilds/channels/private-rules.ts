import type { StateRule } from '../../api/world.ts';
import { isDirect } from './private-records.ts';

/**
 * Removes a direct channel together with one of its users, and a group together with its last member. If the owner of a
 * group was removed, the oldest member becomes the owner.
 */
export const settlePrivateChannels: StateRule = ({ private_channels }, commit) => {
  for (const { after } of commit.of('private_channels').updated) {
    if (!private_channels.has(after.id)) continue;
    const { id, recipients, owner } = after;
    if (recipients.length < (isDirect(after) ? 2 : 1)) private_channels.remove(id);
    else if (!isDirect(after) && owner === null)
      private_channels.update(id, { owner: recipients[0] ?? null });
  }
};
