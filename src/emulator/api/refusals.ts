import { ApiError } from './api-error.ts';

const MISSING_ACCESS = 50001;
const MISSING_PERMISSIONS = 50013;

/** 403: the caller may not even look. */
export function missingAccess(): ApiError {
  return new ApiError(403, 'Missing Access', { code: MISSING_ACCESS });
}

/** 403: the caller may look, and may not do that. */
export function missingPermissions(): ApiError {
  return new ApiError(403, 'Missing Permissions', { code: MISSING_PERMISSIONS });
}
