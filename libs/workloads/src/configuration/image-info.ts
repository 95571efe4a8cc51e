/** The properties of an image that affect how it runs. */
export interface ImageInfo {
  readonly labels: Readonly<Record<string, string>>;
  /** Exposed TCP ports. */
  readonly ports: readonly number[];
}
