/**
 * The metrics of exchanges: those of the conventions for MCP, and those whose names dashboards of
 * tools with the same configuration use.
 */
import type { Attributes, Meter } from '@opentelemetry/api';
import { isKnownRevision } from '@gatehouse/mcp/revisions';
import { type KnownNames, OTHER } from './known-names.ts';
import { isMcpMethod } from './mcp-methods.ts';
import type { OperationEnd, OperationStart } from './operation.ts';
import type { ServerTransport } from '../pipeline/telemetry.ts';

/** Bounds of the buckets of durations, in seconds. */
const SECONDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** Records the metrics of one server. */
export class OperationMetrics {
  readonly #requests;
  readonly #duration;
  readonly #toolCalls;
  readonly #active;
  readonly #operations;

  constructor(
    meter: Meter,
    private readonly server: string,
    private readonly names: KnownNames,
  ) {
    const advice = { explicitBucketBoundaries: SECONDS };
    this.#requests = meter.createCounter('toolhive_mcp_requests', { description: 'Requests of clients' });
    this.#duration = meter.createHistogram('toolhive_mcp_request_duration', {
      ...{ description: 'Duration of requests of clients', unit: 's', advice },
    });
    this.#toolCalls = meter.createCounter('toolhive_mcp_tool_calls', { description: 'Calls of tools' });
    this.#active = meter.createUpDownCounter('toolhive_mcp_active_connections', {
      description: 'Requests and streams that are open',
    });
    this.#operations = meter.createHistogram('mcp.server.operation.duration', {
      ...{ description: 'Duration of requests and notifications of MCP', unit: 's', advice },
    });
  }

  /** Counts an open request or stream. @returns a function for its end */
  open(transport: ServerTransport, isStream = false): () => void {
    const labels = { server: this.server, transport, ...(isStream && { connection_type: 'sse' }) };
    this.#active.add(1, labels);
    return () => this.#active.add(-1, labels);
  }

  /** Records a complete exchange. */
  record(httpMethod: string, start: OperationStart, end: OperationEnd): void {
    const { transport, method, target } = start;
    const seconds = end.durationMs / 1_000;
    const status = end.errorType === undefined ? 'success' : 'error';
    const name = this.#getName(start);
    const labels = {
      method: httpMethod,
      status_code: String(end.status),
      status,
      mcp_method: toMethodLabel(method),
      mcp_resource_id: name ?? '',
      server: this.server,
      transport,
    };
    this.#requests.add(1, labels);
    this.#duration.record(seconds, labels);
    if (target?.kind === 'tool' && name !== undefined)
      this.#toolCalls.add(1, { server: this.server, tool: name, status });
    if (method !== undefined) this.#operations.record(seconds, createOperationLabels(start, end, name));
  }

  /** Counts a request that the server has not seen. Its names can be invented, so it has none. */
  recordRefusal(httpMethod: string, { method, transport }: OperationStart, statusCode: number): void {
    const status = { status_code: String(statusCode), status: statusCode < 400 ? 'success' : 'error' };
    const call = { method: httpMethod, mcp_method: toMethodLabel(method), mcp_resource_id: '' };
    this.#requests.add(1, { ...call, ...status, server: this.server, transport });
  }

  /** Addresses of resources are as many as a server likes, so they are no labels. */
  #getName({ target }: OperationStart): string | undefined {
    return target === undefined || target.kind === 'resource'
      ? undefined
      : this.names.toLabel(target.kind, target.name);
  }
}

const toMethodLabel = (method: string | undefined): string =>
  method === undefined ? 'unknown' : isMcpMethod(method) ? method : OTHER;

function createOperationLabels(
  { transport, method, target }: OperationStart,
  end: OperationEnd,
  name: string | undefined,
) {
  const labels: Attributes = {
    'mcp.method.name': toMethodLabel(method),
    'jsonrpc.protocol.version': '2.0',
    'network.transport': transport === 'stdio' ? 'pipe' : 'tcp',
    'network.protocol.name': 'http',
  };
  if (end.errorType !== undefined) labels['error.type'] = toErrorLabel(end);
  if (end.protocolVersion !== undefined)
    labels['mcp.protocol.version'] = isKnownRevision(end.protocolVersion) ? end.protocolVersion : OTHER;
  if (name !== undefined && target?.kind === 'prompt') labels['gen_ai.prompt.name'] = name;
  if (name !== undefined && target?.kind === 'tool') {
    labels['gen_ai.tool.name'] = name;
    labels['gen_ai.operation.name'] = 'execute_tool';
  }
  return labels;
}

/** A server can answer with any number as the code of an error; the protocol defines these. */
const toErrorLabel = ({ errorType, rpcCode }: OperationEnd): string =>
  rpcCode === undefined || (rpcCode >= -32_768 && rpcCode <= -32_000) ? (errorType ?? OTHER) : OTHER;
