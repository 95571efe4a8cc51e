/** A host path that is mounted into a container. */
export interface Mount {
  /** Absolute path on the host. */
  readonly source: string;
  /** Absolute, normalized path in the container. */
  readonly target: string;
  readonly readOnly: boolean;
}

/** A mount, and the place that declares it: a flag as typed, or a member of a profile. */
export interface DeclaredMount extends Mount {
  readonly origin: string;
}
