/**
 * A storage of secrets. Names and values are texts. A provider without an operation lacks its
 * method; `describeChange` tells what to do instead.
 */
export interface SecretsProvider {
  /** The storage in a sentence, such as `the encrypted file /home/ada/…/secrets.json`. */
  readonly title: string;
  /** Returns the value of a secret; undefined when there is none of this name. */
  readonly get: (name: string) => Promise<string | undefined>;
  /** Returns all names in alphabetical order. */
  readonly list?: () => Promise<string[]>;
  /** Stores a value and returns whether the name is new. */
  readonly set?: (name: string, value: string) => Promise<boolean>;
  /** Deletes a secret and returns whether there was one of this name. */
  readonly delete?: (name: string) => Promise<boolean>;
  /** The command or the change that stores a secret of this name. */
  readonly describeChange: (name: string) => string;
  /**
   * Environment variables that let a detached child process read the same secrets without a
   * terminal, in addition to the inherited ones.
   */
  readonly createChildEnvironment?: () => Promise<Record<string, string>>;
}
