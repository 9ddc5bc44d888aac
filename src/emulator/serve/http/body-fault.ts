/** A body that exceeds its maximum size; the connection is closed after the reply. */
export class BodyTooLarge extends Error {}

/** A body that is not valid multipart/form-data (RFC 7578); the message is for the peer. */
export class MultipartError extends Error {}
