import type { EntryProblem } from '../document/entry-list.ts';
import type { RegistryGroup } from '../document/registry-document.ts';
import type { ServerEntry } from '../document/server-entry.ts';

/** All servers of a registry. */
export interface RegistryListing {
  /** Version of the document; undefined for an API. */
  readonly version: string | undefined;
  /** RFC 3339 time of the last change; undefined if the registry has none. */
  readonly lastUpdated: string | undefined;
  readonly servers: readonly ServerEntry[];
  readonly groups: readonly RegistryGroup[];
  /** Entries that are left out, and why. */
  readonly problems: readonly EntryProblem[];
}

/** A registry of MCP servers, wherever it is stored. Its methods throw a `RegistryError`. */
export interface Registry {
  /** The registry in messages: a path, a URL or `the embedded registry`. */
  readonly location: string;
  list(): Promise<RegistryListing>;
  /**
   * Finds a server by its full name, or by the unique end of a name after the slash.
   * @throws UnknownServerError, AmbiguousServerError
   */
  find(name: string): Promise<ServerEntry>;
  /**
   * The entries with an image of a repository, such as `ghcr.io/owner/server`, in any version, each
   * with this package alone. An API has no such question, and none is found.
   */
  findImages(repository: string): Promise<readonly ServerEntry[]>;
  /** The servers that match all words of a query, the best first. */
  search(query: string): Promise<readonly ServerEntry[]>;
}
