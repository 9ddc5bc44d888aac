import { expect, it } from 'vitest';
import { ids } from '../../helpers/emulator-world.ts';
import { type GuildPlatform, guildPlatform, ROLES } from '../../helpers/guild-platform.ts';

interface Resource {
  /** Where it is read and changed, below the guild or by a path of its own. */
  readonly path: string;
  readonly prepare?: (platform: GuildPlatform) => unknown;
  /** Each change, and what it changes in the reply where that is not the same. */
  readonly changes: readonly (readonly [sent: object, expected?: object])[];
}

const ICONS = { features: ['ROLE_ICONS', 'ENHANCED_ROLE_COLORS', 'COMMUNITY', 'NEWS'] };
const plain = (primary_color: number) => ({ primary_color, secondary_color: null, tertiary_color: null });

const RESOURCES: Readonly<Record<string, Resource>> = {
  role: {
    path: `/roles/${ROLES.crew}`,
    prepare: ({ guild }) => guild(ICONS),
    changes: [
      [{ name: 'deck' }],
      [{ name: null }, {}],
      [{ permissions: '3072' }],
      [{ permissions: null }, {}],
      [{ color: 255 }, { color: 255, colors: plain(255) }],
      [{ colors: { primary_color: 7 } }, { color: 7, colors: plain(7) }],
      [{ colors: { primary_color: 7, secondary_color: 8 } }, { colors: { ...plain(7), secondary_color: 8 } }],
      [{ color: null }, { color: 0, colors: plain(0) }],
      [{ hoist: true }],
      [{ hoist: null }, {}],
      [{ mentionable: true }],
      [{ mentionable: null }, {}],
      [{ unicode_emoji: '⛵' }],
      [{ name: 'crew' }],
      [{ icon: null }, {}],
      [{ unicode_emoji: null }],
      [{}, {}],
    ],
  },
  'text channel': {
    path: `/channels/${ids.general}`,
    changes: [
      [{ name: 'talk' }],
      [{ topic: 'Tides' }],
      [{ topic: null }],
      [{ nsfw: true }],
      [{ rate_limit_per_user: 5 }],
      [{ rate_limit_per_user: null }, { rate_limit_per_user: 0 }],
      [{ default_auto_archive_duration: 60 }],
      [{ default_thread_rate_limit_per_user: 7 }],
      [{ parent_id: ids.category }],
      [{ parent_id: null }],
      [{}, {}],
    ],
  },
  'voice channel': {
    path: `/channels/${ids.lounge}`,
    changes: [
      [{ name: 'Bar' }],
      [{ bitrate: 8000 }],
      [{ user_limit: 3 }],
      [{ user_limit: null }, { user_limit: 0 }],
      [{ rtc_region: 'rotterdam' }],
      [{ rtc_region: null }],
      [{ video_quality_mode: 2 }],
      [{ nsfw: true }],
      [{ rate_limit_per_user: 9 }],
      [{}, {}],
    ],
  },
  member: {
    path: `/members/${ids.otter}`,
    prepare: ({ emulator }) => {
      emulator.clock.freeze();
      emulator.clock.set(Date.parse('2080-01-01T00:00:00Z'));
    },
    changes: [
      [{ nick: 'Lontra' }],
      [{ roles: [ROLES.crew] }],
      [{ nick: null }],
      [
        { communication_disabled_until: '2080-01-09T00:00:00Z' },
        { communication_disabled_until: '2080-01-09T00:00:00.000000+00:00' },
      ],
      [{ communication_disabled_until: null }],
      [{ roles: [] }],
      [{}, {}],
    ],
  },
  guild: {
    path: '',
    changes: [
      [{ name: 'Quay' }],
      [{ verification_level: 2 }],
      [{ default_message_notifications: 1 }],
      [{ explicit_content_filter: 2 }],
      [{ afk_channel_id: ids.lounge }],
      [{ afk_timeout: 900 }],
      [{ system_channel_id: ids.general }],
      [{ system_channel_flags: 5 }],
      [{ preferred_locale: 'de' }],
      [{ premium_progress_bar_enabled: true }],
      [{ afk_channel_id: null }],
      [{ system_channel_id: null }],
      [{ description: 'Wet' }],
      [{ description: null }],
      [{ verification_level: null }, { verification_level: 0 }],
      [{}, {}],
    ],
  },
  'AutoMod rule': {
    path: '/auto-moderation/rules/97',
    prepare: ({ guild }) =>
      guild({
        automod_rules: [
          {
            id: '97',
            name: 'No cats',
            trigger_type: 'keyword',
            keyword_filter: ['cat*'],
            actions: [{ type: 'block_message' }],
          },
        ],
      }),
    changes: [
      [{ name: 'No dogs' }],
      [{ enabled: false }],
      [{ exempt_roles: [ROLES.crew] }],
      [{ exempt_channels: [ids.general] }],
      [{ exempt_roles: [] }],
      [{}, {}],
    ],
  },
  widget: {
    path: '/widget',
    changes: [
      [{ enabled: true }],
      [{ channel_id: ids.general }],
      [{ enabled: false }],
      [{ channel_id: null }],
      [{}, {}],
    ],
  },
};

it.each(Object.entries(RESOURCES))(
  'a change of one field of a %s leaves every other field',
  async (_, { path, prepare, changes }) => {
    const platform = await guildPlatform(['ADMINISTRATOR']);
    await prepare?.(platform);
    const isChannel = path.startsWith('/channels/');
    const ask = (method: string, json?: object) => {
      const request = json === undefined ? {} : { json };
      return isChannel
        ? platform.call(`${method} ${path}`, { ...request, headers: platform.bot() })
        : platform.ask(`${method} ${path}`, request);
    };
    const get = async () => (await ask('GET')).body;
    let before = await get();
    for (const [sent, expected = sent] of changes) {
      const { status, body } = await ask('PATCH', sent);
      expect(status, `${JSON.stringify(sent)} ${JSON.stringify(body)}`).toBe(200);
      const after = await get();
      expect(after, JSON.stringify(sent)).toEqual({ ...before, ...expected });
      before = after;
    }
  },
);
