import * as z from 'zod';
import { type AdminOperation, defineOperation } from '../core.ts';
import type { AttachedClients } from './clients.ts';
import type { Pairing } from './pairing.ts';

/** What the operations work with. */
export interface AttachOperationsOptions {
  readonly clients: AttachedClients;
  readonly pairing: Pairing;
  /** Where clients attach; null without a port. */
  url(): string | null;
  /** How many were turned away so far. */
  refused(): number;
}

const clientName = () =>
  z.string().check(z.regex(/^[\w .-]{1,64}$/, 'must be 1 to 64 letters, digits, spaces, "-", "_" and "."'));

/** Pairing, listing and removing clients. */
export function attachOperations(options: AttachOperationsOptions): {
  readonly [name: string]: AdminOperation;
} {
  const { clients, pairing } = options;
  return {
    'attach.pair': defineOperation({
      summary: 'Make a one-time code with which a client attaches',
      args: () => z.object({ name: clientName() }),
      run({ name }) {
        const url = options.url();
        if (url === null) throw new Error('Nobody can attach: the attach port is taken');
        return { name, code: pairing.code(name), url };
      },
    }),
    'attach.list': defineOperation({
      summary: 'Paired clients, and which of them are attached',
      args: () => z.object({}),
      run: () => ({
        url: options.url(),
        account: clients.account ?? null,
        refused: options.refused(),
        clients: pairing.list().map(({ name, pairedAt }) => ({
          name,
          pairedAt,
          attached: clients
            .list()
            .filter((client) => client.name === name)
            .map(({ user, attachedAt, commands, ignored }) => ({
              user: user && { id: user.id, username: user.username },
              attachedAt,
              commands: [...commands],
              ignored,
            })),
        })),
      }),
    }),
    'attach.remove': defineOperation({
      summary: 'Remove a paired client and end its connection',
      args: () => z.object({ name: clientName() }),
      run({ name }) {
        if (!pairing.remove(name)) throw new Error(`There is no paired client ${JSON.stringify(name)}`);
        clients.remove(name);
        return null;
      },
    }),
    'attach.choose': defineOperation({
      summary: 'Choose the account that apps see, by its id',
      args: () => z.object({ account: z.string().check(z.maxLength(20)) }),
      run({ account }) {
        if (!clients.choose(account)) throw new Error('No attached client has this account');
        return null;
      },
    }),
  };
}
