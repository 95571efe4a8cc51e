import type { Principal } from './principals.ts';

/** The virtual keys that the enterprise manager knows. */
export abstract class KeyDirectory {
  /**
   * Resolves the text of a virtual key. It is synchronous for a key that is remembered.
   * @throws ModelCallError `unauthenticated` for a key that cannot be used, `unavailable` while
   * the enterprise manager does not answer
   */
  abstract resolve(key: string): Principal | Promise<Principal>;
}
