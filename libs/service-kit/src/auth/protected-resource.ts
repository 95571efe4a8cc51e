/** The provider token of the service’s `ProtectedResource`. */
export const PROTECTED_RESOURCE = Symbol('protected resource');

/** The API of a service as a protected resource. */
export interface ProtectedResource {
  /**
   * Its identifier: an absolute URL without a slash at the end. The port can be chosen late, so the
   * identifier is read for each request.
   */
  resource: () => string;
  /** Returns the issuers whose access tokens are accepted. They can change. */
  issuers: () => readonly string[];
  name: string;
  /** Path of its own signing keys below the resource. */
  keySetPath?: string | undefined;
  /** If false, the metadata answers 404 and no challenge names it. */
  isPublished: boolean;
}
