import type { JsonObject, RpcNotification, RpcResponse } from '../json-rpc.ts';
import type { RequestExchange } from './connection.ts';
import type { Declaration } from './streamable-session.ts';

/** Sends messages to one server. The handshake uses it before a connection exists. */
export interface Transport {
  /** Whether the server gave an Mcp-Session-Id. */
  readonly hasSession: boolean;
  /** Opens what precedes the handshake. @throws NotConnectedError */
  open(signal: AbortSignal): Promise<void>;
  /** Sets what the following requests of the handshake declare. */
  declare(declaration: Declaration): void;
  /** Ends the handshake. */
  establish(declaration: Declaration): void;
  request(method: string, params: JsonObject | undefined, exchange: RequestExchange): Promise<RpcResponse>;
  notify(message: RpcNotification): Promise<void>;
  openStandaloneStream(filter: JsonObject): Promise<void>;
  close(): Promise<void>;
}
