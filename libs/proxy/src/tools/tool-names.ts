/** How the tools of a server appear to clients. */

/** Another name or description of a tool; at least one of the two. */
export interface ToolOverride {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/** The rules for the tools of a server. */
export interface ToolRules {
  /** Names of the offered tools, as clients see them. Undefined or empty: all tools. */
  readonly filter?: readonly string[] | undefined;
  /** Overrides by the name that the server gives to a tool. */
  readonly overrides?: Readonly<Record<string, ToolOverride>> | undefined;
}

/** Translates the names of tools in both directions. A name has exactly one meaning for clients. */
export class ToolNames {
  private readonly overrides: ReadonlyMap<string, ToolOverride>;
  private readonly serverNames: ReadonlyMap<string, string>;
  private readonly filter: ReadonlySet<string> | undefined;

  constructor({ filter, overrides = {} }: ToolRules) {
    this.overrides = new Map(Object.entries(overrides));
    this.serverNames = new Map([...this.overrides].map(([name, override]) => [override.name || name, name]));
    this.filter = filter === undefined || filter.length === 0 ? undefined : new Set(filter);
  }

  /** @returns the server's name for a tool that clients may call; undefined for other tools */
  findServerName(name: string): string | undefined {
    if (this.filter?.has(name) === false) return undefined;
    const serverName = this.serverNames.get(name);
    if (serverName !== undefined) return serverName;
    // The server's own name of a renamed tool is not a name of it for clients.
    return this.overrides.has(name) ? undefined : name;
  }

  /** @returns how clients see the tool; undefined when they do not */
  findView(serverName: string): { name: string; description: string | undefined } | undefined {
    const override = this.overrides.get(serverName);
    const name = override?.name || serverName;
    if (this.findServerName(name) !== serverName) return undefined;
    return { name, description: override?.description || undefined };
  }
}
