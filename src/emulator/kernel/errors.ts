/**
 * Error in a fixture or a patch: one line with the file, the key path and the reason. `key` is a path such as
 * `guilds[0].channels[2].type`, or `line 3, column 7` for a text that is not TOML.
 */
export class FixtureError extends Error {
  readonly code = 'FOOTBRIDGE_FIXTURE';
  readonly file: string;
  readonly key: string;
  readonly reason: string;

  constructor(file: string, key: string, reason: string) {
    super([file, key, reason].filter((part) => part !== '').join(': '));
    this.name = 'FixtureError';
    this.file = file;
    this.key = key;
    this.reason = reason;
  }
}

/** A single value that cannot be set; `key` is a dotted path such as `input.volume`. */
export class SettingError extends Error {
  readonly code = 'FOOTBRIDGE_SETTING';
  readonly key: string;
  readonly reason: string;

  constructor(key: string, reason: string) {
    super(key === '' ? reason : `${key}: ${reason}`);
    this.name = 'SettingError';
    this.key = key;
    this.reason = reason;
  }
}

/** A validation error of one field: an error code of the platform, and a sentence. */
export interface FieldFault {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
}
