/** Type numbers of activities (protocol 7.2) by the names that users write. */
export const ACTIVITY_TYPES = {
  playing: 0,
  streaming: 1,
  listening: 2,
  watching: 3,
  custom: 4,
  competing: 5,
} as const;
