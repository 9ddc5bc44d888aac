import * as z from 'zod';
import { defineDispatch, everyBot } from '../../api/dispatch.ts';
import type { Committed, Reading } from '../../api/world.ts';
import { stays } from '../dispatch-audience.ts';
import { emojiAnswer, emojiShape } from '../emoji/answers.ts';
import { stickerAnswer, stickerShape } from '../stickers/answers.ts';
import type { Sound } from '../voice/records.ts';
import { soundAnswer, soundShape } from './sound-answers.ts';

const intents = ['GUILD_EXPRESSIONS'] as const;
const SOUNDS = ['soundboard_sounds'] as const;

/** Guilds whose emoji or stickers changed in a transaction. */
function guildsOf(commit: Committed, tables: Reading, name: 'emojis' | 'stickers'): Set<string> {
  const { created, updated, removed } = commit.of(name);
  const rows = [...created, ...updated.map(({ after }) => after), ...removed];
  return new Set(rows.map(({ guild }) => guild).filter((guild) => stays(commit, tables, guild)));
}

/** Changed sounds by guild. */
function changedSounds(commit: Committed, tables: Reading) {
  const byGuild = new Map<string, Sound[]>();
  for (const { after } of commit.of('soundboard_sounds').updated) {
    if (after.guild === null || !stays(commit, tables, after.guild)) continue;
    byGuild.set(after.guild, [...(byGuild.get(after.guild) ?? []), after]);
  }
  return byGuild;
}

/** Gateway events of emoji, stickers and sounds. */
export const expressionDispatches = [
  defineDispatch({
    event: 'GUILD_EMOJIS_UPDATE',
    summary: 'The emoji of a guild changed: the complete list.',
    intents,
    tables: ['emojis'],
    shape: z.object({ guild_id: z.string(), emojis: z.array(emojiShape) }),
    *derive(commit, { world: { tables } }) {
      for (const guild of guildsOf(commit, tables, 'emojis')) {
        const emojis = () =>
          [...tables.emojis.by('guild', guild)].map((one) => emojiAnswer(tables, one, false));
        yield { guild, canSee: everyBot, data: () => ({ guild_id: guild, emojis: emojis() }) };
      }
    },
  }),
  defineDispatch({
    event: 'GUILD_STICKERS_UPDATE',
    summary: 'The stickers of a guild changed: the complete list.',
    intents,
    tables: ['stickers'],
    shape: z.object({ guild_id: z.string(), stickers: z.array(stickerShape) }),
    *derive(commit, { world: { tables } }) {
      for (const guild of guildsOf(commit, tables, 'stickers')) {
        const stickers = () =>
          [...tables.stickers.by('guild', guild)].map((one) => stickerAnswer(tables, one, false));
        yield { guild, canSee: everyBot, data: () => ({ guild_id: guild, stickers: stickers() }) };
      }
    },
  }),
  defineDispatch({
    event: 'GUILD_SOUNDBOARD_SOUND_CREATE',
    summary: 'A guild has a new sound.',
    intents,
    tables: SOUNDS,
    shape: soundShape,
    *derive(commit, { world: { tables } }) {
      for (const sound of commit.of('soundboard_sounds').created) {
        const { guild } = sound;
        if (guild === null || !stays(commit, tables, guild)) continue;
        yield { guild, canSee: everyBot, data: () => soundAnswer(tables, sound, true) };
      }
    },
  }),
  defineDispatch({
    event: 'GUILD_SOUNDBOARD_SOUND_UPDATE',
    summary: 'A sound of a guild was changed.',
    intents,
    tables: SOUNDS,
    shape: soundShape,
    *derive(commit, { world: { tables } }) {
      for (const [guild, [sound, ...others]] of changedSounds(commit, tables)) {
        if (sound === undefined || others.length > 0) continue;
        yield { guild, canSee: everyBot, data: () => soundAnswer(tables, sound, true) };
      }
    },
  }),
  defineDispatch({
    event: 'GUILD_SOUNDBOARD_SOUND_DELETE',
    summary: 'A sound of a guild was deleted.',
    intents,
    tables: SOUNDS,
    shape: z.object({ sound_id: z.string(), guild_id: z.string() }),
    *derive(commit, { world: { tables } }) {
      for (const { id, guild } of commit.of('soundboard_sounds').removed) {
        if (guild === null || !stays(commit, tables, guild)) continue;
        yield { guild, canSee: everyBot, data: () => ({ sound_id: id, guild_id: guild }) };
      }
    },
  }),
  defineDispatch({
    event: 'GUILD_SOUNDBOARD_SOUNDS_UPDATE',
    summary: 'Several sounds of a guild changed at once: the complete list.',
    intents,
    tables: SOUNDS,
    shape: z.object({ guild_id: z.string(), soundboard_sounds: z.array(soundShape) }),
    *derive(commit, { world: { tables } }) {
      for (const [guild, changed] of changedSounds(commit, tables)) {
        if (changed.length < 2) continue;
        const sounds = () =>
          [...tables.soundboard_sounds.by('guild', guild)].map((one) => soundAnswer(tables, one, true));
        yield { guild, canSee: everyBot, data: () => ({ guild_id: guild, soundboard_sounds: sounds() }) };
      }
    },
  }),
];
