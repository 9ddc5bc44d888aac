import type { Base } from '../../api/world.ts';
import type { HasApplications, KnownApplication } from '../../applications/applications.ts';
import type { ConsentPolicy } from '../../applications/records.ts';
import { type AuthorizedGuild, authorizedGuildAnswer } from '../../guilds/answers.ts';
import type { MachineClock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { User } from '../../users/records.ts';
import type { Bans } from '../bans/bans.ts';
import type { PeopleQueue } from '../consent/queue.ts';
import { CodeBook } from './codes.ts';
import { Consent } from './consent.ts';
import { DeviceBook } from './device.ts';
import { OAuth2Error } from './error.ts';
import { GrantBook } from './grants.ts';
import { Installer } from './installer.ts';
import { Questions } from './questions.ts';
import { IdTokenSigner, type SigningKey } from './signing.ts';
import { withDeputies } from './storage/deputies.ts';
import type { StateKeeper } from './storage/keeper.ts';
import type { Revocation } from './storage/revocation.ts';
import type { StoredState } from './storage/state.ts';
import type { SaveResult } from './storage/store.ts';
import { type TokenFamily, type TokenOwner, TokenVault } from './tokens.ts';
import { WebhookMaker } from './webhook-maker.ts';

/** Services and settings that the authorization server works with. */
export interface OAuth2Options extends Base, HasApplications {
  /** How often a person is asked goes by it, and not by a clock that may stand. */
  readonly machine: MachineClock;
  readonly log: Log;
  readonly bans: Pick<Bans, 'isBanned'>;
  readonly people: PeopleQueue;
  readonly keeper: Pick<StateKeeper, 'save'>;
  /** What the store held in the beginning. */
  readonly state: StoredState;
  readonly policy: ConsentPolicy;
  readonly promptsPerMinute: number;
  readonly pauseMs?: number | undefined;
}

/** State of the authorization server, and what of the emulator its flows read and change. */
export class OAuth2Context {
  readonly grants: GrantBook;
  readonly codes: CodeBook;
  /** The tokens of `/oauth2/token/rpc`, which are codes of another kind. */
  readonly rpcTokens: CodeBook;
  readonly devices: DeviceBook;
  readonly vault: TokenVault;
  readonly signer: IdTokenSigner;
  readonly consent: Consent;
  /** Questions about tokens that wait for an answer. */
  readonly questions = new Questions();
  readonly installer: Installer;
  readonly webhooks: WebhookMaker;
  /** How requests of an application are answered whose record does not say. */
  policy: ConsentPolicy;
  readonly #options: OAuth2Options;
  #keys: readonly SigningKey[];

  constructor(options: OAuth2Options) {
    const { clock, state, people: queue } = options;
    this.#options = options;
    this.policy = options.policy;
    this.grants = new GrantBook(state.grants);
    this.codes = new CodeBook(clock);
    this.rpcTokens = new CodeBook(clock);
    this.devices = new DeviceBook(clock);
    this.vault = new TokenVault(clock, withDeputies(state), ({ family, token }) =>
      this.tellRevoked(family, token === undefined ? {} : { token }),
    );
    this.#keys = state.keys;
    this.signer = new IdTokenSigner(state.keys[0], (key) => {
      this.#keys = [key];
      return this.persist();
    });
    this.consent = new Consent({ ...options, queue });
    this.installer = new Installer(options);
    this.webhooks = new WebhookMaker(options);
  }

  now(): number {
    return this.#options.clock.now();
  }

  application(clientId: string): KnownApplication | undefined {
    return this.#options.application(clientId);
  }

  /** Undefined also for whoever is banned: nothing of theirs is good. */
  user(id: string): User | undefined {
    const { bans, world } = this.#options;
    return bans.isBanned(id) ? undefined : world.tables.users.get(id);
  }

  /** Whose word counts. @throws OAuth2Error `access_denied` for somebody who may allow nothing. */
  me(): string {
    const { id } = this.#options.world.me();
    if (this.user(id) !== undefined) return id;
    throw new OAuth2Error('access_denied', 'The account of the user is banned.');
  }

  /** Whether somebody is the logged-in user, banned or not. */
  isMe(userId: string): boolean {
    return this.#options.world.me().id === userId;
  }

  guild(id: string): AuthorizedGuild | undefined {
    const guild = this.#options.world.tables.guilds.get(id);
    return guild === undefined ? undefined : authorizedGuildAnswer(guild);
  }

  /**
   * Writes down what there is; never rejects, because a full disk must not stop the service. `revoked` names what there is no
   * longer. What the loaded file held besides our own fields is written back as it was.
   */
  persist(revoked?: Revocation): Promise<SaveResult> {
    const { keeper, state } = this.#options;
    const own = { grants: this.grants.list(), tokens: this.vault.families(), keys: this.#keys };
    return keeper.save({ ...state, ...own }, revoked);
  }

  /** Tells that an application has its first token of a person, or was added to a guild. */
  tellAuthorized(
    owner: TokenOwner,
    {
      guildId,
      integrationType,
    }: { readonly guildId?: string; readonly integrationType?: number | undefined },
  ): void {
    const guild = guildId === undefined ? {} : { guild: this.guild(guildId) };
    this.#options.world.tell({ type: 'authorized', ...owner, ...guild, integrationType });
  }

  /** Tells that tokens of a person and an application are no more: of one family or all. */
  tellRevoked(
    { userId, clientId, id }: Pick<TokenFamily, 'userId' | 'clientId'> & Partial<Pick<TokenFamily, 'id'>>,
    named: { readonly token?: string } = {},
  ): void {
    const family = id === undefined ? {} : { family: id };
    this.#options.world.tell({ type: 'tokens-revoked', clientId, userId, ...family, ...named });
  }

  /** Tells that these families of tokens are no more, and withdraws the questions about them. */
  tellGone(families: readonly TokenFamily[]): void {
    for (const family of families) this.tellRevoked(family);
    this.questions.settle();
  }

  /** Tells and writes down that tokens were in two hands; `families` are no more, and begin with the one it was about. */
  async misused(families: readonly TokenFamily[], misuse: string): Promise<void> {
    const [family] = families;
    if (family === undefined) return;
    const { userId, clientId, id } = family;
    this.#options.log.warn(`application ${clientId} ${misuse}; the tokens descending from it were revoked`);
    this.tellGone(families);
    await this.persist({ clientId, userId, family: id });
  }
}
