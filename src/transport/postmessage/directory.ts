/** Destination of a request of an activity's frame. */
export interface FrameTarget {
  /** An address of loopback. */
  readonly host: string;
  readonly port: number;
  /** Value of the request's `Host` header at the target. */
  readonly authority: string;
  /** Path and query at the target. */
  readonly path: string;
  /**
   * Prefix of every path at the target (`base`), and prefix of the frame's paths that map to it (`prefix`), both
   * without a slash at the end.
   */
  readonly base: string;
  readonly prefix: string;
}

/** An open host page. */
export interface FrameChannel {
  readonly instance: string;
  /** Id with which the frame identifies itself in its handshake. */
  readonly frame: string;
  /** Query of the frame's address, without a question mark. */
  readonly query: string;
  /** Key with which the page can enter again after a reload; valid once. */
  readonly key: string;
  /** Adds a listener that is called once, when the user is no longer in the instance. */
  onEnd(listener: () => void): void;
  /** The page has closed. */
  leave(): void;
}

/** Activities and their participants. It is queried for every request, so that its answers may change. */
export interface ActivityDirectory {
  isActivity(application: string): boolean;
  /** Uses up a key and returns its channel; undefined for an invalid key. */
  enter(application: string, key: string): FrameChannel | undefined;
  /** Target of a frame's URL; undefined when no mapping matches. */
  proxied(application: string, url: string): FrameTarget | undefined;
}
