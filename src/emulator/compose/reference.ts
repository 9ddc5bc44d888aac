import { once } from '../../base/once.ts';
import { type OpenApiDocument, openApiDocument } from '../serve/http/openapi.ts';
import { Routes } from '../serve/http/routes.ts';
import { operations } from './operations.ts';
import type { Platform } from './platform.ts';

/** The OpenAPI document of all operations of the platform. */
export function platformDocument(version: string): OpenApiDocument {
  return openApiDocument(version, operations);
}

/** Every operation by its route. All servers of the process share it: it compiles each path that is asked for. */
export const platformRoutes: () => Routes<Platform> = once(() => new Routes(operations));
