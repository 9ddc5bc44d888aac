import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform } from '../../../helpers/guild-platform.ts';
import { APP } from '../../../helpers/platform.ts';

/** A bot of another application, with a role of its own and a webhook. */
const OTHER = {
  users: [{ id: '71', username: 'buoy', bot: true }],
  applications: [{ id: '70', name: 'Buoy', bot_user: '71', description: 'Rings' }],
  guilds: [
    {
      id: ids.riverBank,
      roles: [{ id: '72', name: 'Buoy', bot: '71' }],
      members: [{ user: '71', roles: ['72'] }],
    },
  ],
  channel_webhooks: [
    { id: '73', name: 'bell', channel: ids.general, application: '70' },
    { id: '74', name: 'far', channel: ids.arrivals, application: '70' },
  ],
};

describe('the integrations of a guild', () => {
  it('are the applications whose bots are members', async () => {
    const { ask, emulator } = await guildPlatform(['MANAGE_GUILD']);
    await emulator.apply({ applications: [{ id: APP, name: 'Tug' }] });
    await emulator.apply(OTHER);
    const { body } = await ask('GET /integrations');
    expect(body.map(({ id }: { id: string }) => id).sort()).toEqual([APP, '71'].sort());
    expect(body).toContainEqual(
      expect.objectContaining({
        id: '71',
        type: 'discord',
        name: 'Buoy',
        account: { id: '71', name: 'buoy' },
        application: expect.objectContaining({ id: '70', description: 'Rings' }),
      }),
    );
  });

  it('are deleted with their bot, its role and their webhooks in that guild', async () => {
    const { ask, emulator, audited } = await guildPlatform(['MANAGE_GUILD']);
    await emulator.apply(OTHER);
    const headers = { 'x-audit-log-reason': 'quiet' };
    expect((await ask('DELETE /integrations/71', { headers })).status).toBe(204);
    expect(audited()).toMatchObject({ action_type: 82, target: '71', reason: 'quiet' });
    const { members, roles, channel_webhooks: webhooks } = emulator.tables;
    expect([members.has(ids.riverBank, '71'), roles.has('72')]).toEqual([false, false]);
    expect([webhooks.has('73'), webhooks.has('74')]).toEqual([false, true]);
    expect((await ask('DELETE /integrations/71')).body.code).toBe(10005);
  });

  it('require MANAGE_GUILD, and that of the guild owner cannot be deleted', async () => {
    const { refused, may, guild, emulator } = await guildPlatform([]);
    await emulator.apply(OTHER);
    expect((await refused('GET /integrations')).body.code).toBe(50013);
    expect((await refused('DELETE /integrations/71')).body.code).toBe(50013);
    await may('MANAGE_GUILD');
    expect((await refused('DELETE /integrations/9')).body.code).toBe(10005);
    await guild({ owner: '71' });
    expect((await refused('DELETE /integrations/71')).body.code).toBe(50013);
  });
});
