import type { IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import type { BotCaller, ClientCredentials, TokenCaller } from './caller.ts';
import type { UploadedFile } from './file.ts';
import type { Content, Download, Page, Reply } from './reply.ts';
import type { Base } from './world.ts';

/** What an operation answers with. */
type Answer = Reply | Page | Download | Content;

/** The verbs of the platform. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call: anybody; an application that names itself by id and secret in the body or by HTTP Basic; the bot of an
 * application; a person's token that has at least one of the scopes, or any token where none is named.
 */
export type Access =
  | { readonly kind: 'anybody' }
  | { readonly kind: 'client' }
  | { readonly kind: 'bot' }
  | { readonly kind: 'bearer'; readonly scopes: readonly string[] };

/** Who calls, as far as the operation lets them. */
type CallerOf<A extends Access> =
  | (A extends { readonly kind: 'bot' } ? BotCaller : never)
  | (A extends { readonly kind: 'bearer' } ? TokenCaller : never)
  | (A extends { readonly kind: 'anybody' | 'client' } ? undefined : never);

/** How a body may be written. `any` takes JSON whatever the content type says. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'any';

/** Which files a multipart body may bring. */
export interface Files {
  /** Names of their fields; `files[n]` stands for `files[0]`, `files[1]` and so on, `file{n}` for `file0`, `file1`. */
  readonly fields: readonly string[];
  /** How many in one request. */
  readonly most: number;
  /** Largest in bytes, each. */
  readonly largest: number;
  /** Largest request in bytes, with all that is in it. */
  readonly request: number;
}

/** What an operation takes in its body. */
export interface Body<Schema extends z.ZodType> {
  readonly kinds: readonly BodyKind[];
  readonly schema: Schema;
  /** Largest in bytes, without files; default 65,536. */
  readonly most?: number;
  readonly files?: Files;
}

/** What games do that has limits of its own until the platform has approved their application for more. */
export type Communication = 'lobby-join' | 'lobby-change' | 'lobby-link' | 'lobby-message' | 'direct-message';

/** The names in the braces of a path. */
type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never;

/** One request, checked as its operation declares. */
export interface Asked<Path extends string, Query, BodyType, Caller> {
  readonly params: { readonly [Name in ParamsOf<Path>]: string };
  readonly query: Query;
  readonly body: BodyType;
  /** In the order in which they came. They are gone once the operation has answered. */
  readonly files: readonly UploadedFile[];
  readonly caller: Caller;
  /** Of the path; requests without one are answered like 10. */
  readonly version: number;
  /** Base address of the API without a trailing slash, such as `http://127.0.0.1:4000/api`. */
  readonly base: string;
  /** What `X-Audit-Log-Reason` says, decoded. */
  readonly reason: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Aborts when the caller leaves before it has its answer. Made when it is first asked for. */
  readonly signal: () => AbortSignal;
  /** Id and secret of the application that calls. @throws OAuth2Error `invalid_client`. */
  readonly credentials: () => ClientCredentials;
}

interface Declaration<
  Needs,
  Path extends string,
  A extends Access,
  Query extends z.ZodType,
  BodySchema extends z.ZodType,
> {
  /** As the public document names it, where it has it. */
  readonly id: string;
  /** One sentence. */
  readonly summary: string;
  readonly method: Method;
  /** With names in braces; one that ends with `_id` is a snowflake, but for `instance_id`. */
  readonly path: Path;
  /** Below `/api` and `/api/v10`, or beside it. Default `api`. */
  readonly at?: 'api' | 'site';
  /** For a person's browser. To every other operation a browser has no way. */
  readonly isPage?: boolean;
  readonly who: readonly A[];
  readonly query?: Query;
  readonly body?: Body<BodySchema>;
  /** Shape of the body by status; null where there is none. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** What is answered with 200 where that is not JSON, such as `text/csv`. */
  readonly media?: string;
  /** How a broken request is told: in the API's own way, or as RFC 6749 has it. Default `api`. */
  readonly errors?: 'api' | 'oauth2';
  /**
   * Fields of the query and the body that are public and that this emulator has not: a request with one is answered 501,
   * which names it. `a.b` is `b` within `a`, `[].a` is `a` of an item.
   */
  readonly notOffered?: readonly string[];
  /** Counts among these, where the limits from before an approval hold. */
  readonly communication?: Communication;
  /**
   * Takes away, whatever its method: not refused for want of memory, unless it adds more than a note of what goes. Every DELETE does.
   * What it does has to be done before it waits for anything.
   */
  readonly makesRoom?: true;
  /** Said where no public contract says how it is. */
  readonly ours?: string;
  /** Exists from this moment of the platform's clock on, and until that one. ISO 8601. */
  readonly since?: string;
  readonly until?: string;
  readonly handle: (
    asked: Asked<Path, z.output<Query>, z.output<BodySchema>, CallerOf<A>>,
    platform: Needs,
  ) => Answer | Promise<Answer>;
}

/** A declared operation, whatever its types; `Needs` is what it works with. */
export interface Operation<in Needs = never> {
  readonly id: string;
  readonly summary: string;
  readonly method: Method;
  readonly path: string;
  readonly at: 'api' | 'site';
  readonly isPage: boolean;
  readonly who: readonly Access[];
  readonly query: z.ZodType | undefined;
  readonly body: Body<z.ZodType> | undefined;
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  readonly media: string | undefined;
  readonly errors: 'api' | 'oauth2';
  readonly notOffered: readonly string[];
  readonly communication: Communication | undefined;
  readonly makesRoom: boolean;
  readonly ours: string | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
  /** A property, so that only a platform which offers what is needed can be handed over. */
  readonly handle: (
    asked: Asked<string, unknown, unknown, unknown>,
    platform: Needs,
  ) => Answer | Promise<Answer>;
}

/**
 * Declares operations of the HTTP API that work with the state, the clock and whatever else is in `Needs`. From a declaration
 * come its route, who may call it, the check of what is sent, the words of a refusal, its headers, its place in the reference
 * and in the OpenAPI document.
 */
export function operationsFor<Needs>() {
  return <
    const Path extends string,
    const A extends Access,
    Query extends z.ZodType = z.ZodUndefined,
    BodySchema extends z.ZodType = z.ZodUndefined,
  >(
    declared: Declaration<Needs, Path, A, Query, BodySchema>,
  ): Operation<Needs> => ({
    id: declared.id,
    summary: declared.summary,
    method: declared.method,
    path: declared.path,
    at: declared.at ?? 'api',
    isPage: declared.isPage ?? false,
    who: declared.who,
    query: declared.query,
    body: declared.body,
    answers: declared.answers,
    media: declared.media,
    errors: declared.errors ?? 'api',
    notOffered: declared.notOffered ?? [],
    communication: declared.communication,
    makesRoom: declared.makesRoom ?? declared.method === 'DELETE',
    ours: declared.ours,
    since: declared.since,
    until: declared.until,
    handle: (asked, platform) => declared.handle(asked as never, platform),
  });
}

/** Declares an operation that needs the state and the clock alone. */
export const defineOperation = operationsFor<Base>();

/** The access of one kind, for a declaration: `bearer('identify')`. */
export function bearer<const Scopes extends readonly string[]>(...scopes: Scopes) {
  return { kind: 'bearer', scopes } as const;
}
export const anybody = { kind: 'anybody' } as const;
export const client = { kind: 'client' } as const;
export const bot = { kind: 'bot' } as const;
