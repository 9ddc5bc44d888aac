/** The part of the answer to `emulator.show` that the page uses. */
export interface World {
  readonly me: string;
  readonly client: { readonly logged_in: boolean };
  readonly users: readonly {
    readonly id: string;
    readonly username: string;
    readonly global_name: string | null;
    readonly bot: boolean;
  }[];
  readonly account_bans: readonly { readonly user: string }[];
  readonly applications: readonly { readonly id: string; readonly name: string }[];
  readonly guilds: readonly {
    readonly id: string;
    readonly name: string;
    readonly channels: readonly { readonly id: string; readonly name: string; readonly type: number }[];
  }[];
  readonly voice: {
    readonly input: { readonly volume: number };
    readonly output: { readonly volume: number };
    readonly mute: boolean;
    readonly deaf: boolean;
  };
  readonly voice_states: readonly {
    readonly user: string;
    readonly channel: string;
    readonly mute: boolean;
    readonly deaf: boolean;
    readonly self_mute: boolean;
    readonly self_deaf: boolean;
    readonly speaking: boolean;
  }[];
  readonly messages: readonly {
    readonly id: string;
    readonly channel: string;
    readonly author: string;
    readonly content: string;
  }[];
  readonly lobbies: readonly {
    readonly id: string;
    readonly application: string;
    readonly members: readonly object[];
  }[];
  readonly lobby_messages: readonly {
    readonly id: string;
    readonly lobby: string;
    readonly author: string;
    readonly content: string;
  }[];
}

/** Props of a part of the world; `again` requests the world anew after a change. */
export interface PartProps {
  readonly world: World;
  readonly again: () => void;
}

/** Display name of a user. */
export function nameOf({ users }: World, id: string): string {
  const user = users.find((one) => one.id === id);
  return user === undefined ? id : (user.global_name ?? user.username);
}
