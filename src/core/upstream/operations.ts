import * as z from 'zod';
import { adminOperationsFor } from '../../base/admin-operation.ts';
import { storedFields } from '../../base/saves.ts';
import type { Selection } from './selection.ts';

const operation = adminOperationsFor<{ readonly selection: Selection }>();

const clientName = () => z.string().check(z.minLength(1), z.maxLength(64));

/** List of the chat clients behind the bridge, and the user's choice among them. */
export const upstreamOperations = [
  operation({
    name: 'upstream.list',
    summary: 'The chat clients behind the bridge, and which of them get presence',
    about:
      '`chosen` is the name of the primary client that the user has chosen, null for the first that answers. `only` has the names that get presence, null for every client.',
    args: () => z.object({}),
    result: () =>
      z.object({
        chosen: z.nullable(z.string()),
        only: z.nullable(z.array(z.string())),
        clients: z.array(
          z.object({
            name: z.string(),
            state: z.enum(['here', 'away', 'unusable']),
            primary: z.boolean(),
            /** Whether it gets presence; null until an app has told its account. */
            selected: z.nullable(z.boolean()),
            user: z.nullable(z.object({ id: z.string(), username: z.nullable(z.string()) })),
            program: z.nullable(z.string()),
            path: z.nullable(z.string()),
            apps: z.number(),
            why: z.nullable(z.string()),
          }),
        ),
      }),
    async run({ selection }) {
      const clients = await selection.list();
      const { primary, only } = selection.choice;
      return { chosen: primary, only, clients };
    },
  }),
  operation({
    name: 'upstream.primary',
    summary: 'Choose the chat client that answers the apps',
    about:
      '`auto` is the first that answers. Apps move to the client; `ended` of them had a token that belongs to a client of `endedFrom` and must connect again, `stayed` of them were not answered there.',
    args: () => z.object({ name: clientName() }),
    result: () =>
      z.object({
        primary: z.nullable(z.string()),
        moved: z.number(),
        ended: z.number(),
        endedFrom: z.array(z.string()),
        stayed: z.number(),
        ...storedFields(z.boolean, z.string),
      }),
    run: ({ selection }, { name }) => selection.setPrimary(name),
  }),
  operation({
    name: 'upstream.only',
    summary: 'Choose the chat clients that get presence; null for every one',
    about: 'Each name is a name of `upstream.list`, `user:ID`, or has `*` for any characters.',
    args: () => z.object({ names: z.nullable(z.array(clientName()).check(z.minLength(1), z.maxLength(32))) }),
    result: () => z.object({ only: z.nullable(z.array(z.string())), ...storedFields(z.boolean, z.string) }),
    run: ({ selection }, { names }) => selection.setOnly(names),
  }),
] as const;
