import { defineCommand } from '../command.ts';
import { changeEmulator } from './emulator-change.ts';

/** `footbridge emulator vote MESSAGE ANSWER…`. */
export const emulatorVote = defineCommand({
  name: 'emulator vote',
  summary: 'Vote in a poll, instead of what was voted before',
  group: 'emulator',
  positionals: [
    { name: 'MESSAGE', help: 'id of the message with the poll', arity: 'one' },
    { name: 'ANSWER', help: 'number or text of an answer; none takes the vote back', arity: 'many' },
  ],
  options: {
    as: {
      type: 'string',
      value: 'USER',
      completes: 'users',
      help: 'who votes; the logged-in user unless given',
    },
  },
  json: true,
  examples: [
    ['footbridge emulator vote 1461234567890123456 2', 'As the logged-in user'],
    [
      'footbridge emulator vote 1461234567890123456 Low --as heron',
      'As somebody else, by the text of an answer',
    ],
  ],
  run({ positionals: [message, ...answers], values, json }, io) {
    const isNone = answers.length === 1 && answers[0] === 'none';
    return changeEmulator<{ user: string; answers: readonly number[] }>(io, json, {
      operation: 'poll.vote',
      args: {
        message,
        answers: isNone ? [] : answers,
        ...(values.as === undefined ? {} : { user: values.as }),
      },
      say: ({ user, answers: given }) =>
        given.length === 0 ? `${user} votes for nothing.` : `${user} votes for ${given.join(', ')}.`,
    });
  },
});
