/** Tables whose rows one file puts there, by table: that file. Every other part of the emulator calls a function of it. */
export const WRITERS: Readonly<Record<string, readonly string[]>> = {
  messages: ['messages/write.ts'],
  ephemeral_messages: ['messages/write.ts'],
  attachments: ['messages/write.ts'],
  ephemeral_attachments: ['messages/write.ts'],
  lobby_messages: ['lobbies/messages.ts'],
  thread_members: ['guilds/threads/members.ts'],
  members: ['guilds/members/membership.ts'],
  voice_states: ['guilds/voice/joining.ts'],
  lobby_voice_states: ['lobbies/calls.ts'],
  // An account that becomes another takes its rows along, whatever the rules are for who comes.
  lobby_members: ['lobbies/members.ts', 'accounts/migration.ts'],
};

/** Where a file of the emulator puts rows into one of those tables without being their writer, as `file: table`. */
export function strayWriters(file: string, text: string): string[] {
  return Object.entries(WRITERS).flatMap(([table, writers]) => {
    if (writers.includes(file)) return [];
    const puts = new RegExp(`\\b${table}\\s*\\??\\.\\s*(?:insert|put|putLast|become)\\(`);
    return puts.test(text) ? [`${file}: ${table}`] : [];
  });
}
