import { ApiError } from './api-error.ts';

/** 403: the caller cannot see the resource. */
export function missingAccess(): ApiError {
  return new ApiError('MissingAccess');
}

/** 403: the caller can see the resource, but lacks the permission for the action. */
export function missingPermissions(): ApiError {
  return new ApiError('MissingPermissions');
}
