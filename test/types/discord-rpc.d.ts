/** The part of `discord-rpc` 4.0.1 that the tests use; the package ships no types. */
declare module 'discord-rpc' {
  import type { EventEmitter } from 'node:events';

  interface User {
    readonly id: string;
    readonly username: string;
  }

  /** `close` carries the CLOSE body, an error of the socket, or `false` for its end. */
  type Transport = EventEmitter;

  class Client extends EventEmitter {
    constructor(options: { transport: 'ipc' });
    readonly transport: Transport;
    readonly user: User | null;
    readonly application: { readonly id: string; readonly name: string } | null;
    readonly accessToken: string | null;
    readonly fetch: { endpoint: string };
    connect(clientId: string): Promise<this>;
    login(options: {
      clientId: string;
      clientSecret?: string;
      accessToken?: string;
      scopes?: readonly string[];
      redirectUri?: string;
    }): Promise<this>;
    getVoiceSettings(): Promise<{
      readonly mute: boolean;
      readonly deaf: boolean;
      readonly input: { readonly device: string; readonly volume: number };
      readonly mode: { readonly type: string };
    }>;
    setActivity(activity: object, pid?: number): Promise<unknown>;
    clearActivity(pid?: number): Promise<unknown>;
    subscribe(event: string, args?: object): Promise<{ unsubscribe(): Promise<unknown> }>;
    destroy(): Promise<void>;
    /** What every method is made of; `endpoint` is where the client found an HTTP listener after AUTHORIZE. */
    readonly request: {
      (cmd: string, args?: object, evt?: string): Promise<unknown>;
      readonly endpoint?: string;
    };
  }

  const api: { readonly Client: typeof Client };
  export default api;
  export type { Client };
}
