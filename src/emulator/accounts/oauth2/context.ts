import type { SaveResult } from '../../../base/saves.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications, KnownApplication } from '../../applications/applications.ts';
import type { ConsentPolicy } from '../../applications/records.ts';
import { type AuthorizedGuild, authorizedGuildAnswer } from '../../guilds/answers.ts';
import type { MachineClock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { User } from '../../users/records.ts';
import type { Bans } from '../bans/bans.ts';
import type { RequestQueue } from '../consent/queue.ts';
import { CodeStore } from './codes.ts';
import { Consent } from './consent.ts';
import { DeviceStore } from './device.ts';
import { OAuth2Error } from './error.ts';
import { GrantStore } from './grants.ts';
import { Installer } from './installer.ts';
import { Questions } from './questions.ts';
import { IdTokenSigner, type SigningKey } from './signing.ts';
import { withDeputies } from './storage/deputies.ts';
import type { Revocation } from './storage/revocation.ts';
import type { StoredState } from './storage/state.ts';
import type { StateStorage } from './storage/state-storage.ts';
import { type TokenFamily, type TokenOwner, TokenStore } from './tokens.ts';
import { WebhookMaker } from './webhook-maker.ts';

/** Services and settings of the authorization server. */
export interface OAuth2Options extends Base, HasApplications {
  /** The machine's clock for limits on prompts, because the emulator's clock may stand still. */
  readonly machine: MachineClock;
  readonly log: Log;
  readonly bans: Pick<Bans, 'isBanned'>;
  readonly requests: RequestQueue;
  readonly storage: Pick<StateStorage, 'save' | 'latest'>;
  /** The loaded state. */
  readonly state: StoredState;
  readonly policy: ConsentPolicy;
  readonly promptsPerMinute: number;
  readonly pauseMs?: number | undefined;
}

/** State of the authorization server, and its access to the emulator. */
export class OAuth2Context {
  readonly grants: GrantStore;
  readonly codes: CodeStore;
  /** Tokens of `/oauth2/token/rpc`, stored like authorization codes. */
  readonly rpcTokens: CodeStore;
  readonly devices: DeviceStore;
  readonly tokens: TokenStore;
  readonly signer: IdTokenSigner;
  readonly consent: Consent;
  /** Open questions about tokens. */
  readonly questions = new Questions();
  readonly installer: Installer;
  readonly webhooks: WebhookMaker;
  /** Consent policy of applications whose records have none. */
  policy: ConsentPolicy;
  readonly #options: OAuth2Options;
  #keys: readonly SigningKey[];

  constructor(options: OAuth2Options) {
    const { clock, state, requests: queue } = options;
    this.#options = options;
    this.policy = options.policy;
    this.grants = new GrantStore(state.grants);
    this.codes = new CodeStore(clock);
    this.rpcTokens = new CodeStore(clock);
    this.devices = new DeviceStore(clock);
    this.tokens = new TokenStore(clock, withDeputies(state), ({ family, token }) =>
      this.notifyRevoked(family, token === undefined ? {} : { token }),
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

  /** The user with an id; undefined for an unknown user and for a banned one, whose tokens are all invalid. */
  user(id: string): User | undefined {
    const { bans, world } = this.#options;
    return bans.isBanned(id) ? undefined : world.tables.users.get(id);
  }

  /** Id of the logged-in user, who decides. @throws OAuth2Error `access_denied` for a banned user. */
  me(): string {
    const { id } = this.#options.world.me();
    if (this.user(id) !== undefined) return id;
    throw new OAuth2Error('access_denied', 'The account of the user is banned.');
  }

  /** Whether a user is the logged-in one, banned or not. */
  isMe(userId: string): boolean {
    return this.#options.world.me().id === userId;
  }

  guild(id: string): AuthorizedGuild | undefined {
    const guild = this.#options.world.tables.guilds.get(id);
    return guild === undefined ? undefined : authorizedGuildAnswer(guild);
  }

  /**
   * Saves the state; never rejects, because a full disk must not stop the service. `revoked` identifies the removed
   * records. Unknown fields of the loaded file are preserved.
   */
  persist(revoked?: Revocation): Promise<SaveResult> {
    const { storage, state } = this.#options;
    const own = { grants: this.grants.list(), tokens: this.tokens.families(), keys: this.#keys };
    return storage.save({ ...state, ...own }, revoked);
  }

  /** Result of the newest save, also while it runs. */
  get lastSave(): Promise<SaveResult> {
    return this.#options.storage.latest;
  }

  /** Emits the signal for an application's first token of a user, or for its addition to a guild. */
  notifyAuthorized(
    owner: TokenOwner,
    {
      guildId,
      integrationType,
    }: { readonly guildId?: string; readonly integrationType?: number | undefined },
  ): void {
    const guild = guildId === undefined ? {} : { guild: this.guild(guildId) };
    this.#options.world.signal({ type: 'authorized', ...owner, ...guild, integrationType });
  }

  /**
   * Emits the signal that tokens of a user for an application were revoked: those of the family `id`, or all of them.
   */
  notifyRevoked(
    { userId, clientId, id }: Pick<TokenFamily, 'userId' | 'clientId'> & Partial<Pick<TokenFamily, 'id'>>,
    named: { readonly token?: string } = {},
  ): void {
    const family = id === undefined ? {} : { family: id };
    this.#options.world.signal({ type: 'tokens-revoked', clientId, userId, ...family, ...named });
  }

  /** Emits the signal that token families were revoked, and withdraws the open questions about their tokens. */
  notifyFamiliesRevoked(families: readonly TokenFamily[]): void {
    for (const family of families) this.notifyRevoked(family);
    this.questions.settle();
  }

  /**
   * Signals and saves the revocation of `families` after two parties have used the same token or code; the misused
   * family comes first.
   */
  async misused(families: readonly TokenFamily[], misuse: string): Promise<void> {
    const [family] = families;
    if (family === undefined) return;
    const { userId, clientId, id } = family;
    this.#options.log.warn(`application ${clientId} ${misuse}; the tokens descending from it were revoked`);
    this.notifyFamiliesRevoked(families);
    await this.persist({ clientId, userId, family: id });
  }
}
