import type { Entitlements } from '../ports/snapshot.ts';
import type { Person, Rules } from './access.ts';

/** The directory could not be asked, and what is known of this person is too old or nothing. */
export class DirectoryUnavailableError extends Error {
  override readonly name = 'DirectoryUnavailableError';
}

/** The data plane reads people and rules of the directory through this port. */
export interface DirectoryView {
  /** The current connectors and policies; undefined before there was ever a snapshot. */
  rules(): Rules | undefined;
  /**
   * @returns undefined for a person without a directory entry.
   * @throws DirectoryUnavailableError
   */
  entitlements(person: Person): Promise<Entitlements | undefined>;
  /** Whether the directory has deactivated a person. @throws DirectoryUnavailableError */
  isInactive(person: Person): Promise<boolean>;
}

/** Makes one key of issuer and subject. Different people have different keys. */
export const personKey = ({ issuer, subject }: { issuer: string; subject: string }): string =>
  JSON.stringify([issuer, subject]);
