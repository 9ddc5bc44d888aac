import { ApiError } from './api-error.ts';

/** 403: the caller may not even look. */
export function missingAccess(): ApiError {
  return new ApiError('MissingAccess');
}

/** 403: the caller may look, and may not do that. */
export function missingPermissions(): ApiError {
  return new ApiError('MissingPermissions');
}
