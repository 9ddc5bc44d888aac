/** A file of a multipart body. */
export interface UploadedFile {
  /** Name of its field, such as `files[0]`. */
  readonly field: string;
  /** Its file name without any path, 1 to 255 characters; default `file`. */
  readonly name: string;
  /** Media type as declared by the sender. */
  readonly type: string;
  readonly bytes: Buffer;
}
