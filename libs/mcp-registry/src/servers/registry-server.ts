import type { RegistryOAuthConfig, RegistryPermissions, RegistryProvenance } from '../document/publisher-extension.ts';

/** The transport between a proxy and a server. */
export type ServerTransport = 'stdio' | 'sse' | 'streamable-http';

/** An environment variable of a server, or a header of a remote server. */
export interface ServerVariable {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly secret: boolean;
  /** The value unless the user supplies one. */
  readonly default: string | undefined;
  /** The allowed values; empty: any. */
  readonly choices: readonly string[];
}

/** An argument without a value: the user must give the arguments of the server. */
export interface MissingArgument {
  /** The flag, or the hint of the entry for a positional argument. */
  readonly name: string;
  readonly description: string;
}

/** The arguments of a server, used when the user gives none. */
export interface ServerArguments {
  readonly values: readonly string[];
  readonly missing: readonly MissingArgument[];
}

/** The parts of an entry that every kind of server has. */
interface ServerFacts {
  /** Full name of the entry. */
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly version: string;
  /** Whether the publisher advises against the use. */
  readonly deprecated: boolean;
  readonly repository: string | undefined;
  readonly transport: ServerTransport;
  /** The port of the proxy that the publisher proposes. */
  readonly proxyPort: number | undefined;
  readonly stateless: boolean;
  /** Names of the tools as the entry lists them; empty: unknown. */
  readonly tools: readonly string[];
  readonly tags: readonly string[];
  /** Parts of the entry that have no effect, as sentences. */
  readonly warnings: readonly string[];
}

/** A server that runs in a container: an image, or a package that is built into one. */
export interface LocalServer extends ServerFacts {
  readonly kind: 'container' | 'package';
  /** An image reference, `npx://name@version` or `uvx://name==version`. */
  readonly source: string;
  /** The port of the server in its container; undefined for stdio and where the entry has none. */
  readonly targetPort: number | undefined;
  /** A permission profile in the format of profile files; undefined: the default profile. */
  readonly permissions: RegistryPermissions | undefined;
  readonly environment: readonly ServerVariable[];
  readonly arguments: ServerArguments;
  readonly provenance: RegistryProvenance | undefined;
}

/** A server at a URL. */
export interface RemoteServer extends ServerFacts {
  readonly kind: 'remote';
  readonly url: string;
  readonly headers: readonly ServerVariable[];
  readonly oauth: RegistryOAuthConfig | undefined;
}

/** The facts that a run needs from an entry of a registry. */
export type RegistryServer = LocalServer | RemoteServer;
