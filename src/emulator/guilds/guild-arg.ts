/** A guild as an argument on the command line. */
export const GUILD_ARG = { name: 'ID', help: 'id of the guild', completes: 'guilds' } as const;
