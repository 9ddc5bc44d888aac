import * as z from 'zod';
import { nameArg, noArgs, operatorOperationsFor } from '../../api/operator.ts';
import type { Gateway } from './gateway.ts';

const operation = operatorOperationsFor<{ readonly gateway: Pick<Gateway, 'sessions' | 'disturb'> }>();

const byApplication = () => z.object({ app: nameArg() });

/** Operator operations on the connections of bots and games. */
export const gatewayOperations = [
  operation({
    name: 'gateway.sessions',
    summary: 'Sessions of bots and games at the gateway, connected or cut, oldest first',
    about: '`seq` is the number of the session’s last event; a session that is `cut` may be resumed.',
    args: noArgs,
    result: () =>
      z.array(
        z.object({
          application: z.string(),
          user: z.string(),
          /** Shard id and shard count. */
          shard: z.tuple([z.number(), z.number()]),
          intents: z.number(),
          seq: z.number(),
          state: z.enum(['connected', 'cut']),
        }),
      ),
    run: ({ gateway }) => gateway.sessions(),
  }),
  operation({
    name: 'gateway.reconnect',
    summary: 'Ask the clients of an application to reconnect (opcode 7)',
    about: '`asked` is the number of connections.',
    args: byApplication,
    result: () => z.object({ application: z.string(), asked: z.number() }),
    run: async ({ gateway, lookup }, { app }) => {
      const application = lookup.application(app).id;
      return { application, asked: await gateway.disturb(application, 'reconnect') };
    },
  }),
  operation({
    name: 'gateway.cut',
    summary: 'Drop the connections of an application without a close frame; its sessions can be resumed',
    about: '`cut` is the number of connections.',
    args: byApplication,
    result: () => z.object({ application: z.string(), cut: z.number() }),
    run: async ({ gateway, lookup }, { app }) => {
      const application = lookup.application(app).id;
      return { application, cut: await gateway.disturb(application, 'cut') };
    },
  }),
] as const;
