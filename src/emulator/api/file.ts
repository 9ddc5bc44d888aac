/** A file of a multipart body. */
export interface UploadedFile {
  /** Name of its field, such as `files[0]`. */
  readonly field: string;
  /** Its own name without any path, 1 to 255 characters; `file` where it has none. */
  readonly name: string;
  /** Media type as the sender has it. */
  readonly type: string;
  readonly bytes: Buffer;
}
