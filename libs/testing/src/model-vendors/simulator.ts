import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Directives, DIRECTIVES_HEADER, readDirectives } from './directives.ts';
import type { VendorRecord } from './record.ts';
import { VendorRefusal } from './refusal.ts';
import type { Vendor, VendorRequest } from './reply.ts';
import { ReplyWriter } from './reply-writer.ts';

/** The parts of one simulator, and the log of its records. */
export interface SimulatorOptions {
  readonly keys: ReadonlySet<string>;
  readonly models: readonly string[];
  readonly log: VendorRecord[];
}

/** Header that names a request in the log, beside the directive `name`. */
const NAME_HEADER = 'x-sim-name';

/** The HTTP server of one simulated vendor, on a loopback port. */
export class Simulator {
  private readonly vendor: Vendor;
  private readonly options: SimulatorOptions;
  private readonly server: Server;
  /** How often a fault with `times` was applied, by name or body of the request. */
  private readonly applied = new Map<string, number>();

  private constructor(vendor: Vendor, options: SimulatorOptions) {
    this.vendor = vendor;
    this.options = options;
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  /** Starts the simulator of a vendor. */
  static async start(vendor: Vendor, options: SimulatorOptions): Promise<Simulator> {
    const simulator = new Simulator(vendor, options);
    simulator.server.listen(0, '127.0.0.1');
    await once(simulator.server, 'listening');
    return simulator;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await once(this.server.close(), 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const record = this.createRecord(request);
    this.options.log.push(record);
    try {
      const body = await readBody(request);
      Object.assign(record, { body });
      await this.respond(record, response);
    } catch (error) {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(`the simulator failed: ${String(error)}`);
      record.outcome = request.readableAborted ? 'client_closed' : 'failed';
    }
  }

  private async respond(record: VendorRecord, response: ServerResponse): Promise<void> {
    const { vendor } = this;
    const url = new URL(record.url, 'http://vendor');
    const { method, headers: sent } = record;
    const request = { method, path: url.pathname, query: url.searchParams, headers: sent, record };
    const headers = vendor.createHeaders(record.requestId);
    const directives = this.applyTimes(record, readDirectives(record.body, record.headers[DIRECTIVES_HEADER]));
    record.name = directives.name ?? record.headers[NAME_HEADER];
    try {
      record.key = vendor.authenticate(request, this.options.keys);
      const operation = vendor.findOperation(request, this.options.models);
      const body = this.parseBody(request, record.body);
      const { fault } = directives;
      if (fault?.name === 'status') throw vendor.refuseWith(Number(fault.argument), request);
      if (fault?.name === 'redirect') {
        record.outcome = 'failed';
        record.status = 307;
        response.writeHead(307, { location: fault.argument, ...headers }).end();
        return;
      }
      const reply = operation({ ...request, directives, body });
      await new ReplyWriter(response, directives, record).write(reply, headers);
    } catch (error) {
      if (!(error instanceof VendorRefusal)) throw error;
      refuse(vendor, request, error, { record, response, headers, directives });
    }
  }

  /** Takes the fault out of the directives once it was applied `times` times. */
  private applyTimes(record: VendorRecord, directives: Directives): Directives {
    if (directives.fault === undefined || directives.times === undefined) return directives;
    const name = directives.name ?? record.body;
    const count = (this.applied.get(name) ?? 0) + 1;
    this.applied.set(name, count);
    const { fault, ...others } = directives;
    return count > directives.times ? others : { ...others, fault };
  }

  private parseBody({ method, headers }: VendorRequest, text: string): unknown {
    if (method === 'GET') return undefined;
    const type = headers['content-type'] ?? '';
    if (!/^application\/json\s*(;|$)/i.test(type)) throw this.vendor.refuseBody('content_type', type);
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.vendor.refuseBody('json', (error as Error).message);
    }
  }

  private createRecord({ method = 'GET', url = '/', headers }: IncomingMessage): VendorRecord {
    return {
      sequence: this.options.log.length + 1,
      vendor: this.vendor.name,
      method,
      url,
      headers: headers as Record<string, string>,
      body: '',
      key: undefined,
      name: undefined,
      model: undefined,
      isStream: false,
      outcome: 'open',
      status: undefined,
      requestId: this.vendor.createRequestId(),
      usage: undefined,
      sentUsage: undefined,
      frames: 0,
      bytes: 0,
      sha256: '',
      isComplete: false,
      closedAfterFrames: undefined,
    };
  }
}

function refuse(
  vendor: Vendor,
  request: VendorRequest,
  refusal: VendorRefusal,
  answer: { record: VendorRecord; response: ServerResponse; headers: Record<string, string>; directives: Directives },
): void {
  const { record, response, headers, directives } = answer;
  const text = JSON.stringify(vendor.createErrorBody(refusal, record.requestId, request));
  const retry = directives.retry_after === undefined ? {} : { 'retry-after': String(directives.retry_after) };
  const sha256 = createHash('sha256').update(text).digest('hex');
  const own = vendor.createErrorHeaders?.(refusal);
  response.writeHead(refusal.status, { ...headers, ...own, ...retry, 'content-type': 'application/json' }).end(text);
  Object.assign(record, { outcome: 'refused', status: refusal.status, bytes: Buffer.byteLength(text), sha256 });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
