/** An MCP client whose configuration file Gatehouse can write. */
export interface McpClient {
  /** The name that people type, such as `claude-code`. */
  readonly id: string;
  /** The name of the product. */
  readonly label: string;
  readonly format: 'json' | 'yaml' | 'toml';
  /** The configuration file. */
  readonly file: MachinePath;
  /** It exists when the client is installed; default: the folder of the file. */
  readonly marker?: MachinePath;
  /** The key of the file that contains the servers. */
  readonly section: string;
  /** A map from names to servers, or a list of servers with the field `name`. */
  readonly shape: 'map' | 'list';
  /** The field with the URL. */
  readonly urlField: string;
  /** Whether an entry of a map repeats its name in the field `name`. */
  readonly hasName?: boolean;
  /** The other fields of each entry, such as the label of the transport. */
  readonly fields: ServerEntry;
  /** The differences for a server with the transport HTTP with SSE. */
  readonly sse?: Partial<Pick<McpClient, 'urlField' | 'fields'>>;
}

/** An entry of a configuration file, or a part of it. */
export type ServerEntry = Readonly<Record<string, unknown>>;

/**
 * A path below one of the folders of a user:
 *
 * - `home`: the home folder.
 * - `xdg`: `XDG_CONFIG_HOME` or `.config` of the home.
 * - `app`: settings of desktop programs: as `xdg` on Linux, `Library/Application Support` on
 *   macOS, `%APPDATA%` on Windows.
 */
export interface MachinePath {
  readonly below: 'home' | 'xdg' | 'app';
  /** With slashes on every system. */
  readonly path: string;
  /** The place on Windows, where it differs. */
  readonly windows?: MachinePath;
  /** A variable with the folder that contains the last part of the path. */
  readonly variable?: string;
}

/** Creates the entry of a workload. The path of its URL is `/mcp` or `/sse`, as its transport. */
export function createEntry(client: McpClient, name: string, url: string): ServerEntry {
  const hasName = client.shape === 'list' || client.hasName === true;
  const isSse = new URL(url).pathname.endsWith('/sse');
  const { fields, urlField } = isSse ? { ...client, ...client.sse } : client;
  return { ...(hasName && { name }), ...fields, [urlField]: url };
}
