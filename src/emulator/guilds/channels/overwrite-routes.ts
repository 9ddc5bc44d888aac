import { ApiError } from '../../api/api-error.ts';
import { defineOperation, noContent } from '../../api/operation.ts';
import { AUDIT, auditChanges, noteInChannel } from '../audit/audit.ts';
import { channelInView } from './channel-access.ts';
import { checkOverwrite, NOTHING, overwritableBits, putOverwrite, targetOf } from './overwrites.ts';
import { isThread } from './records.ts';
import { overwriteBody } from './requests.ts';

/** Routes that set and remove permission overwrites. */
export const overwriteOperations = [
  defineOperation({
    id: 'set_channel_permission_overwrite',
    summary: 'Sets the permission overwrite of a channel for a role or a member.',
    route: 'PUT /channels/{channel_id}/permissions/{overwrite_id}',
    body: overwriteBody,
    answers: { 204: null },
    handle: ({ params, caller, body, reason }, platform) => {
      const { channel, need } = channelInView(platform, params.channel_id, caller);
      need('MANAGE_ROLES');
      if (isThread(channel)) throw new ApiError('CannotExecuteActionOnThisChannelType');
      const { world } = platform;
      const id = params.overwrite_id;
      const target = targetOf(world.tables, channel.guild, { id, type: body.type });
      if (target === undefined) throw new ApiError('UnknownPermissionOverwrite');
      const { role_overwrites, user_overwrites } = world.tables;
      const was =
        target.kind === 'role' ? role_overwrites.get(channel.id, id) : user_overwrites.get(channel.id, id);
      checkOverwrite(overwritableBits(platform, caller, channel.guild, { channel }), body, was);
      world.transaction((tables) => {
        putOverwrite(tables, channel, target, body);
        noteInChannel(platform, tables, caller, channel, {
          action: was === undefined ? AUDIT.CHANNEL_OVERWRITE_CREATE : AUDIT.CHANNEL_OVERWRITE_UPDATE,
          target: channel.id,
          reason,
          changes: auditChanges(was && bitsIn(was), bitsIn(body)),
          options: { id, type: target.kind === 'role' ? '0' : '1' },
        });
      });
      return noContent();
    },
  }),
  defineOperation({
    id: 'delete_channel_permission_overwrite',
    summary: 'Removes the permission overwrite of a channel for a role or a member.',
    route: 'DELETE /channels/{channel_id}/permissions/{overwrite_id}',
    answers: { 204: null },
    handle: ({ params, caller, reason }, platform) => {
      const { channel, need } = channelInView(platform, params.channel_id, caller);
      need('MANAGE_ROLES');
      if (isThread(channel)) throw new ApiError('CannotExecuteActionOnThisChannelType');
      const { tables } = platform.world;
      const id = params.overwrite_id;
      const role = tables.role_overwrites.get(channel.id, id);
      const was = role ?? tables.user_overwrites.get(channel.id, id);
      if (was === undefined) throw new ApiError('UnknownPermissionOverwrite');
      checkOverwrite(overwritableBits(platform, caller, channel.guild, { channel }), NOTHING, was);
      platform.world.transaction((writing) => {
        const key = `${channel.id} ${id}`;
        if (!writing.role_overwrites.remove(key)) writing.user_overwrites.remove(key);
        noteInChannel(platform, writing, caller, channel, {
          action: AUDIT.CHANNEL_OVERWRITE_DELETE,
          target: channel.id,
          reason,
          changes: auditChanges(bitsIn(was), undefined),
          options: { id, type: role === undefined ? '1' : '0' },
        });
      });
      return noContent();
    },
  }),
];

function bitsIn({ allow, deny }: { readonly allow: string; readonly deny: string }) {
  return { allow, deny };
}
