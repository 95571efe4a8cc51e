import type { Provider } from '@gatehouse/ai-resources/generated/types';
import type { IncomingHttpHeaders } from 'node:http';
import type { BackendOperation } from '../../formats/backend-operation.ts';
import type { ModelRequest } from '../../formats/model-request.ts';
import type { WireFormat } from '../../formats/operation.ts';
import type { ProviderResponse } from '../provider-request.ts';

/** The facts from which a request to a provider is made. */
export interface ProviderCall {
  readonly provider: Provider;
  readonly operation: BackendOperation;
  readonly request: ModelRequest;
  /** The name of the model at the provider. */
  readonly model: string;
  /** The headers of the client. */
  readonly headers: IncomingHttpHeaders;
  /** Undefined for a provider that needs none. */
  readonly credential: string | undefined;
  /** Identifies the attempt in the logs of the provider. */
  readonly attemptId: string;
}

/** The parts of a request that depend on the platform. */
export interface PlatformRequest {
  /** Path and query. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/** The paths, the credentials and the responses of a place that serves models. */
export interface ProviderPlatform {
  /** Whether the platform has the operation. */
  serves(operation: BackendOperation): boolean;
  /**
   * Creates a request. It is synchronous where no credential must be fetched.
   * @throws ModelCallError for a request that the platform cannot express, or without a credential
   */
  createRequest(call: ProviderCall, signal: AbortSignal): PlatformRequest | Promise<PlatformRequest>;
  /** Converts a response into that of the vendor’s API, where the platform has another form. */
  convertResponse?(response: ProviderResponse, call: ProviderCall): ProviderResponse;
  /** Converts the body of an error into that of the format, where the platform has another form. */
  convertError?(format: WireFormat, status: number, body: Buffer): Buffer;
  /** Learns that a request with the credential was refused with 401. */
  reportRefused?(credential: string): void;
}
