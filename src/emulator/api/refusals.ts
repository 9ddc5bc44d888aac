import { ApiError } from './api-error.ts';

/** The 403 error for a resource that the caller cannot see. */
export function missingAccess(): ApiError {
  return new ApiError('MissingAccess');
}

/** The 403 error for a caller who can see the resource but lacks the permission for the action. */
export function missingPermissions(): ApiError {
  return new ApiError('MissingPermissions');
}
