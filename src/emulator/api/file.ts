/** A file of a multipart body. */
export interface UploadedFile {
  /** Name of the form field that contains the file, such as `files[0]`. */
  readonly field: string;
  /** Name of the file without a path, 1 to 255 characters; default `file`. */
  readonly name: string;
  /** Media type that the sender declared. */
  readonly type: string;
  readonly bytes: Buffer;
}
