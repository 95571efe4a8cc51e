/**
 * The input schemas of the tools of one process. A modern call has headers that mirror the
 * arguments which a schema marks (MCP 2026-07-28, transports, custom headers). A process over stdio
 * sees no headers, so that the bridge compares them.
 */
import { toModernRequest } from '@gatehouse/mcp/eras';
import { isJsonObject, type JsonObject, type RpcRequest } from '@gatehouse/mcp/json-rpc';
import { findParamMismatch } from '@gatehouse/mcp/param-headers';
import type { StdioConnection } from './connection.ts';
import { sendOwnRequest } from './own-request.ts';

/** Maximum number of pages that are read. */
const MAX_PAGES = 100;
const LIST_TIMEOUT_MS = 10_000;

type Schemas = ReadonlyMap<string, unknown>;

/** Returns the value of a header by its name in lower case. */
type ReadHeader = (name: string) => string | undefined;

export class ToolSchemas {
  private listed: Promise<Schemas> | undefined = undefined;

  constructor(
    private readonly connection: StdioConnection,
    private readonly isModern: boolean,
  ) {}

  /** Forgets the schemas, because the server has other tools now. */
  forget(): void {
    this.listed = undefined;
  }

  /** @returns the name of the first header that contradicts the arguments of a call */
  async findMismatch({ params }: RpcRequest, readHeader: ReadHeader): Promise<string | undefined> {
    const name = params?.['name'];
    if (typeof name !== 'string') return undefined;
    const values = isJsonObject(params?.['arguments']) ? params['arguments'] : undefined;
    const wasListed = this.listed !== undefined;
    const find = async () => findParamMismatch((await (this.listed ??= this.list())).get(name), values, readHeader);
    const mismatch = await find();
    if (mismatch === undefined || !wasListed) return mismatch;
    // The schema may have changed since it was listed.
    this.forget();
    return find();
  }

  /** Lists all tools. A server that does not answer has no schemas. */
  private async list(): Promise<Schemas> {
    const schemas = new Map<string, unknown>();
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page++) {
      const { tools, nextCursor } = await this.listPage(cursor);
      for (const tool of Array.isArray(tools) ? tools : [])
        if (isJsonObject(tool) && typeof tool['name'] === 'string') schemas.set(tool['name'], tool['inputSchema']);
      if (typeof nextCursor !== 'string') break;
      cursor = nextCursor;
    }
    return schemas;
  }

  private async listPage(cursor: unknown): Promise<JsonObject> {
    const params = cursor === undefined ? {} : { cursor };
    const request: RpcRequest = { jsonrpc: '2.0', id: 0, method: 'tools/list', params };
    const sent = this.isModern ? toModernRequest(request, { name: 'gatehouse', version: '1' }) : request;
    const response = await sendOwnRequest(this.connection, sent.method, sent.params ?? {}, LIST_TIMEOUT_MS);
    return 'result' in response ? response.result : {};
  }
}
