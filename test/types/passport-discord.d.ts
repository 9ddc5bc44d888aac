/** The part of `passport-discord` 0.1.4 that the tests use; the package ships no types. */
declare module 'passport-discord' {
  interface Profile {
    readonly username: string;
  }

  type Verify = (
    access: string,
    refresh: string,
    profile: Profile,
    done: (error: unknown, user: Profile) => void,
  ) => void;

  export class Strategy {
    constructor(options: object, verify: Verify);
    /** What Passport adds before it calls `authenticate`. */
    redirect(address: string): void;
    success(user: Profile): void;
    fail(challenge: unknown): void;
    error(error: unknown): void;
    authenticate(request: object, options?: object): void;
  }

  export type { Profile };
}
