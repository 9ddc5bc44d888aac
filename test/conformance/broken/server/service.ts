import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { isRecord } from '../../../../src/conformance/schema.ts';
import type { Behaviour } from './behaviour.ts';

/** A token the service gave. */
export interface Token {
  readonly value: string;
  readonly refresh: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
}

interface Code {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly challenge: unknown;
  readonly method: unknown;
}

/** The state that all sessions share: voice settings, codes, tokens. */
export class Service {
  readonly behaviour: Behaviour;
  readonly #codes = new Map<string, Code>();
  readonly #tokens = new Set<Token>();
  readonly #http: Server;
  /** Once it listens. */
  tokenEndpoint = '';
  #onRevoked: (tokens: readonly Token[]) => void = () => undefined;
  voice: Record<string, unknown> = {
    input: { device_id: 'default', volume: 50, available_devices: [{ id: 'default', name: 'Default' }] },
    output: { device_id: 'default', volume: 100, available_devices: [{ id: 'default', name: 'Default' }] },
    mode: {
      type: 'VOICE_ACTIVITY',
      auto_threshold: true,
      threshold: -60,
      shortcut: [{ type: 0, code: 16, name: 'shift' }],
      delay: 20,
    },
    automatic_gain_control: true,
    echo_cancellation: true,
    noise_suppression: true,
    qos: false,
    silence_warning: true,
    deaf: false,
    mute: false,
  };

  constructor(behaviour: Behaviour) {
    this.behaviour = behaviour;
    this.#http = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      request.on('end', () => {
        const [status, body] = this.#post(request.url ?? '', new URLSearchParams(text));
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
  }

  /** Starts the token endpoint; returns its address. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve));
    const address = this.#http.address();
    this.tokenEndpoint = `http://127.0.0.1:${isRecord(address) ? String(address['port']) : ''}/api/oauth2/token`;
    return this.tokenEndpoint;
  }

  onRevoked(listener: (tokens: readonly Token[]) => void): void {
    this.#onRevoked = listener;
  }

  close(): void {
    this.#http.close();
    this.#http.closeAllConnections();
  }

  /** A new code. */
  code(clientId: string, scopes: readonly string[], args: Record<string, unknown>): string {
    const code = randomBytes(12).toString('hex');
    this.#codes.set(code, {
      clientId,
      scopes,
      challenge: args['code_challenge'],
      method: args['code_challenge_method'],
    });
    return code;
  }

  token(value: unknown): Token | undefined {
    return [...this.#tokens].find((token) => token.value === value);
  }

  #post(path: string, form: URLSearchParams): [number, unknown] {
    const has = (trait: string) => this.behaviour.traits.has(trait);
    const refused: [number, unknown] = [400, { error: 'invalid_grant' }];
    if (path.endsWith('/revoke')) return this.#revoke(form);
    if (form.get('grant_type') === 'refresh_token') {
      const old = [...this.#tokens].find((token) => token.refresh === form.get('refresh_token'));
      if (old === undefined) return has('any-refresh') ? this.#give('1', []) : refused;
      this.#tokens.delete(old);
      return has('no-refresh') ? refused : this.#give(old.clientId, old.scopes);
    }
    const code = this.#codes.get(form.get('code') ?? '');
    if (code === undefined) return has('any-code') ? this.#give('1', []) : refused;
    if (!has('code-twice')) this.#codes.delete(form.get('code') ?? '');
    const verifier = form.get('code_verifier');
    const isRight =
      (code.method === 'plain' && verifier === code.challenge) ||
      (verifier !== null && createHash('sha256').update(verifier).digest('base64url') === code.challenge);
    if (!isRight && !has('no-pkce')) return refused;
    return has('no-token') ? [200, {}] : this.#give(code.clientId, code.scopes);
  }

  #give(clientId: string, scopes: readonly string[]): [number, unknown] {
    const token = {
      value: randomBytes(12).toString('hex'),
      refresh: randomBytes(12).toString('hex'),
      clientId,
      scopes,
    };
    this.#tokens.add(token);
    const body = {
      access_token: token.value,
      token_type: 'Bearer',
      expires_in: 604_800,
      refresh_token: token.refresh,
      scope: scopes.join(' '),
    };
    return [200, this.behaviour.traits.has('token-without-scope') ? { ...body, scope: undefined } : body];
  }

  #revoke(form: URLSearchParams): [number, unknown] {
    const found = this.token(form.get('token'));
    if (found === undefined || this.behaviour.traits.has('revoke-nothing')) return [200, {}];
    const own = [...this.#tokens].filter((token) => token.clientId === found.clientId);
    for (const token of own) this.#tokens.delete(token);
    if (this.behaviour.traits.has('revoke-one')) this.#tokens.add({ ...found, value: 'still' });
    this.#onRevoked(own);
    return [200, {}];
  }
}
