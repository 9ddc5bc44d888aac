import * as z from 'zod';
import { adminOperationsFor } from '../../base/admin-operation.ts';
import { storedFields } from '../../base/saves.ts';
import type { AttachedClients } from './clients.ts';
import type { Pairing } from './pairing.ts';

/** Services of the attach operations. */
export interface AttachOperationsOptions {
  readonly clients: AttachedClients;
  readonly pairing: Pairing;
  /** URL that clients attach to; null without a port. */
  url(): string | null;
  /** Number of refused clients so far. */
  refused(): number;
}

const clientName = () =>
  z.string().check(z.regex(/^[\w .-]{1,64}$/, 'must be 1 to 64 letters, digits, spaces, "-", "_" and "."'));

const operation = adminOperationsFor<AttachOperationsOptions>();

/** Pairing, listing and removing clients. */
export const attachOperations = [
  operation({
    name: 'attach.pair',
    summary: 'Make a one-time code with which a client attaches',
    about: '`stored` is false where the client would have to be paired again after a restart.',
    args: () => z.object({ name: clientName() }),
    result: () =>
      z.object({ name: z.string(), code: z.string(), url: z.string(), ...storedFields(z.boolean, z.string) }),
    async run(attach, { name }) {
      const address = attach.url();
      if (address === null) throw new Error('Nobody can attach: the attach port is taken');
      const code = attach.pairing.code(name);
      // Nobody reads an answer when the client redeems the code, so a full disk is reported here.
      return { name, code, url: address, ...(await attach.pairing.save()) };
    },
  }),
  operation({
    name: 'attach.list',
    summary: 'Paired clients, and which of them are attached',
    args: () => z.object({}),
    result: () =>
      z.object({
        url: z.nullable(z.string()),
        /** Id of the account that apps see. */
        account: z.nullable(z.string()),
        /** Number of refused clients so far. */
        refused: z.number(),
        clients: z.array(
          z.object({
            name: z.string(),
            /** Time of the pairing (ms since the Unix epoch). */
            pairedAt: z.number(),
            attached: z.array(
              z.object({
                user: z.nullable(z.object({ id: z.string(), username: z.string() })),
                attachedAt: z.number(),
                commands: z.array(z.string()),
                ignored: z.number(),
              }),
            ),
          }),
        ),
      }),
    run: ({ clients, pairing, ...attach }) => ({
      url: attach.url(),
      account: clients.account ?? null,
      refused: attach.refused(),
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
  operation({
    name: 'attach.remove',
    summary: 'Remove a paired client and end its connection',
    args: () => z.object({ name: clientName() }),
    result: () => z.object(storedFields(z.boolean, z.string)),
    async run({ clients, pairing }, { name }) {
      if (!pairing.remove(name)) throw new Error(`There is no paired client ${JSON.stringify(name)}`);
      clients.remove(name);
      return pairing.save();
    },
  }),
  operation({
    name: 'attach.choose',
    summary: 'Choose the account that apps see, by its id',
    args: () => z.object({ account: z.string().check(z.maxLength(20)) }),
    result: () => z.null(),
    run({ clients }, { account }) {
      if (!clients.choose(account)) throw new Error('No attached client has this account');
      return null;
    },
  }),
] as const;
