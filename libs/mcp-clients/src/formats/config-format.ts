import type { ServerEntry } from '../clients/mcp-client.ts';

/** The place of the servers in a configuration file. */
export interface Place {
  /** The key that contains the servers. */
  readonly section: string;
  /** A map from names to servers, or a list of servers with the field `name`. */
  readonly shape: 'map' | 'list';
}

/**
 * The edits of one format. They change as few bytes as possible: the other values and the comments
 * stay. `edit-entry.ts` checks the result of each edit.
 */
export interface ConfigFormat {
  /**
   * Returns the value of a text; undefined for a text without a value.
   * @throws ConfigTextError with the position of a syntax error
   */
  parse(text: string): unknown;
  /** Adds an entry, or replaces the one of the same name. Creates a missing section. */
  put(text: string, place: Place, name: string, entry: ServerEntry): string;
  /** Removes the entry of a name. The section stays. */
  remove(text: string, place: Place, name: string): string;
  /** Returns the text of a section without entries, such as `{}`. */
  getEmptySection(text: string, place: Place): string;
  /** Replaces a section without entries by a text of `getEmptySection`, or removes it. */
  replaceEmptySection(text: string, place: Place, replacement: string | undefined): string;
}
