import type { IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import type { BotCaller, ClientCredentials, TokenCaller } from './caller.ts';
import type { LimitCodeName } from './error-codes.ts';
import type { UploadedFile } from './file.ts';
import type { Base } from './world.ts';

/** A JSON reply of an operation: status, body (undefined for no body, or an `EncodedList`) and further headers. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** An HTML reply of an operation, for a browser. */
export interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** A reply that consists of the bytes of a file; its headers include the media type. */
export interface Download {
  readonly status: number;
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/** A reply in a format other than JSON, such as text/csv. */
export interface Content {
  readonly status: number;
  /** Media type with parameters. */
  readonly type: string;
  readonly content: string | Buffer;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** A reply of any kind. */
export type Answer = Reply | Page | Download | Content;

/** 200 with a body. */
export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** 204, without a body. */
export function noContent(): Reply {
  return { status: 204, body: undefined };
}

/** A 303 reply: the browser requests the location with GET. */
export function redirect(location: string): Reply {
  return { status: 303, body: undefined, headers: { Location: location } };
}

/** HTTP methods of the platform. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Callers of an operation: anyone; an application that identifies itself by id and secret, in the body or by HTTP
 * Basic; the bot of an application; or a user's token that has at least one of the listed scopes (with no scope listed,
 * any token).
 */
export type Access =
  | { readonly kind: 'anybody' }
  | { readonly kind: 'client' }
  | { readonly kind: 'bot' }
  | { readonly kind: 'bearer'; readonly scopes: readonly string[] };

/** The types of callers that an access rule permits. */
type CallerOf<A extends Access> =
  | (A extends { readonly kind: 'bot' } ? BotCaller : never)
  | (A extends { readonly kind: 'bearer' } ? TokenCaller : never)
  | (A extends { readonly kind: 'anybody' | 'client' } ? undefined : never);

/** Encoding of a request body. `any` parses JSON regardless of the content type. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'any';

/** Files that a multipart body may contain. */
export interface Files {
  /**
   * Names of the form fields that contain files; `files[n]` stands for `files[0]`, `files[1]` and so on, and `file{n}`
   * for `file0`, `file1`.
   */
  readonly fields: readonly string[];
  /** Maximum number of files in one request. */
  readonly maxCount: number;
  /** Error code for more files; absent where the platform refuses the request as too large. */
  readonly tooMany?: LimitCodeName;
  /** Maximum size of each file, in bytes. */
  readonly maxFileBytes: number;
  /** Maximum size of the whole request, in bytes. */
  readonly request: number;
}

/** The body of an operation. */
export interface Body {
  readonly kinds: readonly BodyKind[];
  readonly schema: z.ZodType;
  /** Maximum size of the body in bytes, without files; undefined for the default, 65,536. */
  readonly maxBytes: number | undefined;
  readonly files: Files | undefined;
}

/** Actions of games that have tighter limits until the platform approves the game's application. */
export type Communication = 'lobby-join' | 'lobby-change' | 'lobby-link' | 'lobby-message' | 'direct-message';

/** Names of the parameters in the braces of a route. */
type ParamsOf<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never;

/** One request, validated according to the declaration of its operation. */
export interface OperationRequest<Route extends string, Query, BodyType, Caller> {
  readonly params: { readonly [Name in ParamsOf<Route>]: string };
  readonly query: Query;
  readonly body: BodyType;
  /** Uploaded files in the order of arrival. They are deleted after the operation has replied. */
  readonly files: readonly UploadedFile[];
  readonly caller: Caller;
  /** API version in the path; a request without a version is handled like version 10. */
  readonly version: number;
  /** Base address of the API without a trailing slash, such as `http://127.0.0.1:4000/api`. */
  readonly base: string;
  /** Value of `X-Audit-Log-Reason`, decoded. */
  readonly reason: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Aborts when the caller disconnects before the reply. Created on first use. */
  readonly signal: () => AbortSignal;
  /** Id and secret of the calling application. @throws OAuth2Error `invalid_client`. */
  readonly credentials: () => ClientCredentials;
}

interface Declaration<
  Needs,
  Route extends string,
  A extends Access,
  Query extends z.ZodType,
  BodySchema extends z.ZodType,
> {
  /** Operation id in the platform's public document, if the document has the operation. */
  readonly id: string;
  /** One sentence. */
  readonly summary: string;
  /**
   * Method and path, with parameter names in braces. A parameter whose name ends with `_id` is a snowflake, except
   * `instance_id`.
   */
  readonly route: Route & `${Method} /${string}`;
  /** Place of the path: `api` is below `/api` and `/api/v10`; `site` is outside of them. Default `api`. */
  readonly at?: 'api' | 'site';
  /** True if the operation is meant for navigation in a browser. Every other operation refuses navigation. */
  readonly isPage?: boolean;
  /** Permitted callers; default: only the bot of an application. */
  readonly who?: readonly A[];
  readonly query?: Query | undefined;
  readonly body?: BodySchema;
  /** Encodings of the body; default: only JSON. */
  readonly bodyKinds?: readonly BodyKind[];
  /** Maximum size of the body in bytes, without files; default 65,536. */
  readonly maxBodyBytes?: number;
  readonly files?: Files;
  /** Shape of the reply's body by status; null for a status without a body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Media type of the 200 reply where it is not JSON, such as `text/csv`. */
  readonly media?: string | undefined;
  /** Format of errors: the API's own format, or that of RFC 6749. Default `api`. */
  readonly errors?: 'api' | 'oauth2';
  /**
   * Public fields of the query and the body that the emulator lacks. A request with such a field gets 501, which names
   * the field, unless its value asks for nothing (null, false, 0, an empty text or list). `a.b` is the member `b` of
   * `a`; `[].a` is the member `a` of an item.
   */
  readonly notOffered?: readonly string[];
  /** True if the platform answers without rate limit headers; limits are then not enforced either. */
  readonly isUnlimited?: boolean;
  /** Limit that the operation counts towards until the application is approved. */
  readonly communication?: Communication | undefined;
  /**
   * True if the operation frees memory, as every DELETE does. It then succeeds without free memory, unless it adds more
   * than a log record of the removal. Its changes must come before its first `await`.
   */
  readonly makesRoom?: boolean;
  /** Explains an operation that no public contract documents; absent for all others. */
  readonly ours?: string | undefined;
  /** The operation exists from `since` to `until` by the platform's clock, in ISO 8601. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly handle: (
    request: OperationRequest<Route, z.output<Query>, z.output<BodySchema>, CallerOf<A>>,
    platform: Needs,
  ) => Answer | Promise<Answer>;
}

/** A declaration of any types. */
type AnyDeclaration = Declaration<never, string, Access, z.ZodType, z.ZodType>;

/** Fields of a declaration that an operation has as they are, and fields for which it has a default. */
type Declared =
  | 'id'
  | 'summary'
  | 'query'
  | 'answers'
  | 'media'
  | 'communication'
  | 'ours'
  | 'since'
  | 'until';
type Defaulted = 'at' | 'isPage' | 'who' | 'errors' | 'notOffered' | 'isUnlimited' | 'makesRoom';

/** A declared operation of any types; `Needs` are the services that it uses. */
export interface Operation<in Needs = never>
  extends Pick<AnyDeclaration, Declared>,
    Required<Pick<AnyDeclaration, Defaulted>> {
  readonly method: Method;
  readonly path: string;
  readonly body: Body | undefined;
  /**
   * `handle` is a property and not a method, because the compiler then accepts only a platform that has the needed
   * services.
   */
  readonly handle: (
    request: OperationRequest<string, unknown, unknown, unknown>,
    platform: Needs,
  ) => Answer | Promise<Answer>;
}

/** The access rule for user tokens in a declaration: `bearer('identify')`. */
export function bearer<const Scopes extends readonly string[]>(...scopes: Scopes) {
  return { kind: 'bearer', scopes } as const;
}
export const anybody = { kind: 'anybody' } as const;
export const client = { kind: 'client' } as const;
export const bot = { kind: 'bot' } as const;

/**
 * Declares operations of the HTTP API that use the state, the clock and the services in `Needs`. The emulator derives
 * from a declaration: the route, access control, validation of input, text of refusals, headers, and the entry in the
 * reference and in the OpenAPI document.
 */
export function operationsFor<Needs>() {
  return <
    const Route extends string,
    const A extends Access = typeof bot,
    Query extends z.ZodType = z.ZodUndefined,
    BodySchema extends z.ZodType = z.ZodUndefined,
  >(
    declared: Declaration<Needs, Route, A, Query, BodySchema>,
  ): Operation<Needs> => {
    const [method, path] = declared.route.split(' ') as [Method, string];
    const { body: schema, bodyKinds = ['json'], maxBodyBytes, files } = declared;
    return {
      id: declared.id,
      summary: declared.summary,
      method,
      path,
      at: declared.at ?? 'api',
      isPage: declared.isPage ?? false,
      who: declared.who ?? [bot],
      query: declared.query,
      body: schema === undefined ? undefined : { kinds: bodyKinds, schema, maxBytes: maxBodyBytes, files },
      answers: declared.answers,
      media: declared.media,
      errors: declared.errors ?? 'api',
      notOffered: declared.notOffered ?? [],
      isUnlimited: declared.isUnlimited ?? false,
      communication: declared.communication,
      makesRoom: declared.makesRoom ?? method === 'DELETE',
      ours: declared.ours,
      since: declared.since,
      until: declared.until,
      handle: (request, platform) => declared.handle(request as never, platform),
    };
  };
}

/** Declares an operation that uses only the state and the clock. */
export const defineOperation = operationsFor<Base>();
