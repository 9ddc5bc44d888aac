/** A body that is larger than it may be; the connection is closed after the answer. */
export class BodyTooLarge extends Error {}

/** A body that is not multipart/form-data as RFC 7578 has it; the sentence is for the peer. */
export class MultipartError extends Error {}
