import type { JsonObject, RpcNotification, RpcResponse } from '../json-rpc.ts';
import type { RequestExchange } from './connection.ts';
import type { Declaration } from './streamable-session.ts';

/** Sends messages to one server. The handshake uses it before a connection exists. */
export interface Transport {
  /** Whether the server gave an Mcp-Session-Id. */
  readonly hasSession: boolean;
  /** Sets what the following requests declare. */
  declare(declaration: Declaration): void;
  /** Marks the end of the handshake. */
  establish(): void;
  request(method: string, params: JsonObject | undefined, exchange: RequestExchange): Promise<RpcResponse>;
  notify(message: RpcNotification): Promise<void>;
  openStandaloneStream(filter: JsonObject): Promise<void>;
  close(): Promise<void>;
}
