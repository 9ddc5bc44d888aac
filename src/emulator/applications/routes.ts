import { bot, defineOperation } from '../http/operation.ts';
import { ok } from '../http/reply.ts';
import { ownApplicationAnswer, ownApplicationShape } from './answers.ts';

/** The routes of applications. */
export const applicationOperations = [
  defineOperation({
    id: 'get_my_application',
    summary: "The bot's own application.",
    method: 'GET',
    path: '/applications/@me',
    who: [bot],
    answers: { 200: ownApplicationShape },
    handle: ({ caller }, { world }) => ok(ownApplicationAnswer(world, caller.application)),
  }),
  defineOperation({
    id: 'get_my_oauth2_application',
    summary: "The bot's own application, where older libraries look for it.",
    method: 'GET',
    path: '/oauth2/applications/@me',
    who: [bot],
    answers: { 200: ownApplicationShape },
    handle: ({ caller }, { world }) => ok(ownApplicationAnswer(world, caller.application)),
  }),
];
