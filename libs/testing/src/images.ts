import type { Engine } from './engine.ts';

/** A local image, by the name under which containers are made from it. Names carry a hash of the content: the same content is never built twice. */
export type ImageName = string;

/** Debian 12 from Debian's own packages, with the machine's CA certificates. About 30 s and 140 MB the first time. */
export declare function baseImage(engine: Engine): Promise<ImageName>;

/** The base image with the Node 24 of this repository as `node`. */
export declare function nodeImage(engine: Engine): Promise<ImageName>;

/** The Node image with @modelcontextprotocol/server-everything; the argument is `stdio` or `streamableHttp` (port: PORT, default 3001). */
export declare function everythingImage(engine: Engine): Promise<ImageName>;

/** An MCP server that did not exist before: random server name, tool names and answers. */
export interface GeneratedServer {
  image: ImageName;
  /** `serverInfo.name`. */
  serverName: string;
  /** The tool that echoes its argument `text` behind `prefix`. */
  echoTool: string;
  prefix: string;
  /** All tool names, sorted. */
  tools: string[];
}

/** An image with a generated MCP server; the argument is `stdio` or `streamableHttp` (port: PORT, default 8080; path: `/mcp`). */
export declare function generatedServerImage(engine: Engine): Promise<GeneratedServer>;
