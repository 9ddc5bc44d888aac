import { expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { listeningBot } from '../../../helpers/gateway-listener.ts';
import { dataUri, mp3, png } from '../../../helpers/media-bytes.ts';
import { APP } from '../../../helpers/platform.ts';
import { required } from './required.ts';

const GUILD = `/guilds/${ids.riverBank}`;
const GENERAL = `/channels/${ids.general}`;

it('each event of a guild and its contents has a cause, and the fields that libraries expect [V-7, V-11]', async () => {
  const { heard, done, apply: patch, guild, emulator } = await listeningBot();

  await done(`PATCH ${GUILD}`, { name: 'Left Bank' });
  const role = await done(`POST ${GUILD}/roles`, { name: 'crew' });
  await done(`PATCH ${GUILD}/roles/${role.id}`, { name: 'Crew' });
  await done(`PATCH ${GUILD}/members/${ids.otter}`, { roles: [role.id] });
  await done(`DELETE ${GUILD}/roles/${role.id}`);
  await patch({ users: [{ id: '41', username: 'vole' }] });
  await done(`PUT ${GUILD}/bans/41`);
  await done(`DELETE ${GUILD}/bans/41`);

  const channel = await done(`POST ${GUILD}/channels`, { name: 'ferry' });
  await done(`PATCH /channels/${channel.id}`, { topic: 'Times' });
  const thread = await done(`POST /channels/${channel.id}/threads`, { name: 'late', type: 11 });
  await done(`PATCH /channels/${thread.id}`, { name: 'later' });
  await done(`PUT /channels/${thread.id}/thread-members/${ids.otter}`);
  await done(`DELETE /channels/${thread.id}/thread-members/@me`);
  await guild({ channels: [{ id: channel.id, deny: [APP] }] });
  await guild({ channels: [{ id: channel.id, deny: [] }] });
  await done(`DELETE /channels/${thread.id}`);
  await done(`DELETE /channels/${channel.id}`);

  const stage = await done(`POST ${GUILD}/channels`, { name: 'stage', type: 13 });
  await done('POST /stage-instances', { channel_id: stage.id, topic: 'Tides' });
  await done(`PATCH /stage-instances/${stage.id}`, { topic: 'Currents' });
  await done(`DELETE /stage-instances/${stage.id}`);
  const event = await done(`POST ${GUILD}/scheduled-events`, {
    name: 'Low tide',
    privacy_level: 2,
    entity_type: 3,
    entity_metadata: { location: 'The pier' },
    scheduled_start_time: '2040-01-04T18:00:00Z',
    scheduled_end_time: '2040-01-04T19:00:00Z',
  });
  emulator.scheduledEvents.setInterest(event.id, ids.otter, true);
  emulator.scheduledEvents.setInterest(event.id, ids.otter, false);
  await done(`PATCH ${GUILD}/scheduled-events/${event.id}`, { name: 'High tide' });
  await done(`DELETE ${GUILD}/scheduled-events/${event.id}`);

  await done(`POST ${GUILD}/emojis`, { name: 'wave', image: dataUri(png()) });
  await guild({ stickers: [{ id: '43', name: 'boat', tags: 'boat', format: 1 }] });
  const bell = { name: 'bell', sound: dataUri(mp3(), 'audio/mpeg') };
  const sound = await done(`POST ${GUILD}/soundboard-sounds`, bell);
  await done(`POST ${GUILD}/soundboard-sounds`, { ...bell, name: 'horn' });
  await done(`PATCH ${GUILD}/soundboard-sounds/${sound.sound_id}`, { name: 'Bell' });
  const sounds = [...emulator.tables.soundboard_sounds.by('guild', ids.riverBank)];
  await patch({ soundboard_sounds: sounds.map(({ id }) => ({ id, volume: 0.25 })) });
  await done(`DELETE ${GUILD}/soundboard-sounds/${sound.sound_id}`);

  const helper = { id: '44', username: 'helper', bot: true };
  await patch({ users: [helper], applications: [{ id: '45', name: 'Helper', bot_user: '44' }] });
  await guild({ members: [{ user: '44' }] });
  await patch({ applications: [{ id: '45', name: 'The Helper' }] });
  await done(`DELETE ${GUILD}/integrations/44`);
  await done(`POST ${GENERAL}/webhooks`, { name: 'bridge' });
  const invite = await done(`POST ${GENERAL}/invites`, {});
  await done(`DELETE /invites/${invite.code}`);

  const rule = await done(`POST ${GUILD}/auto-moderation/rules`, {
    name: 'No cats',
    event_type: 1,
    trigger_type: 1,
    trigger_metadata: { keyword_filter: ['cat'] },
    actions: [{ type: 1, metadata: { custom_message: 'No.' } }],
  });
  await done(`PATCH ${GUILD}/auto-moderation/rules/${rule.id}`, { enabled: true });
  expect(() => emulator.messages.send(ids.general, 'a cat', ids.otter)).toThrow(/moderation/);
  await done(`DELETE ${GUILD}/auto-moderation/rules/${rule.id}`);

  await patch({ guilds: [{ id: ids.harbour, members: [{ user: APP }] }] });
  await patch({ guilds: [{ id: ids.harbour, members: [{ user: APP, remove: true }] }] });

  // Asked once at the end: between two requests that are far apart the server closes a connection.
  const all = heard();
  for (const [name, keys] of Object.entries(required)) {
    const [first] = all.filter((one) => one.event === name);
    expect([name, Object.keys(first?.data ?? {})]).toEqual([name, expect.arrayContaining(Object.keys(keys))]);
  }
});
