import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import type { Directives } from './directives.ts';
import type { VendorRecord } from './record.ts';
import type { Frame, Reply } from './reply.ts';

const GARBAGE = Buffer.from('data: {"id":\u0000 not JSON ]]\n\nevent: \u0007\ndata: \ufffd\n\n:::\n\n');
/** The character 世 without its last byte, and a byte that no UTF-8 text contains. */
const INVALID_UTF8 = [Buffer.from([0x3a, 0x20, 0xe4, 0xb8]), Buffer.from([0xff, 0x0a, 0x0a])];

/** The faults that hold when a number of frames is written, and end the answer. */
const ENDING_FAULTS = new Set(['reset_after', 'half_frame', 'silence', 'truncate', 'error_event', 'garbage']);

/** Writes one answer by its directives, and keeps its record up to date. */
export class ReplyWriter {
  private readonly response: ServerResponse;
  private readonly directives: Directives;
  private readonly record: VendorRecord;
  private readonly closed: Promise<void>;
  private readonly hash = createHash('sha256');
  private isClosed = false;
  private output: NodeJS.WritableStream;

  constructor(response: ServerResponse, directives: Directives, record: VendorRecord) {
    this.response = response;
    this.directives = directives;
    this.record = record;
    this.output = response;
    this.closed = new Promise((resolve) => {
      response.once('close', () => {
        this.isClosed = true;
        record.sha256 = this.hash.digest('hex');
        resolve();
      });
    });
  }

  /** Writes an answer with the status 200. Resolves when the answer or the connection has ended. */
  async write(reply: Reply, headers: Record<string, string>): Promise<void> {
    const { fault, first_ms } = this.directives;
    const { record } = this;
    record.usage = reply.usage;
    record.isStream = reply.kind === 'stream';
    if (first_ms > 0) await Promise.race([sleep(first_ms), this.closed]);
    if (this.hasClosed()) {
      this.finish('client_closed');
      return;
    }
    if (fault?.name === 'reset_before_headers') {
      this.reset();
      return;
    }
    record.status = 200;
    this.openBody(reply, headers);
    if (fault?.name === 'reset_after_headers') {
      await nextTurn();
      this.reset();
      return;
    }
    const isWhole = await this.writeFrames(reply);
    if (!isWhole) return;
    if (!this.hasClosed()) {
      if (this.directives.keep_open) await this.closed;
      else await this.end();
    }
    this.finish(record.isComplete ? 'answered' : 'client_closed');
  }

  private hasClosed(): boolean {
    return this.isClosed;
  }

  /** Closes the connection with a TCP reset. */
  private reset(): void {
    this.response.socket?.resetAndDestroy();
    this.record.outcome = 'failed';
  }

  private openBody(reply: Reply, headers: Record<string, string>): void {
    const { content_type, gzip, keep_open, fault } = this.directives;
    const type = content_type ?? (reply.kind === 'json' ? 'application/json' : reply.contentType);
    const isPlain = reply.kind === 'json' && !gzip && !keep_open && fault === undefined;
    const length = isPlain ? { 'content-length': Buffer.byteLength(JSON.stringify(reply.body)) } : {};
    const encoding = gzip ? { 'content-encoding': 'gzip' } : {};
    this.response.writeHead(200, { ...headers, 'content-type': type, ...length, ...encoding });
    this.response.flushHeaders();
    if (!gzip) return;
    const compressed = createGzip({ flush: constants.Z_SYNC_FLUSH });
    compressed.pipe(this.response);
    this.output = compressed;
  }

  /** @returns whether the answer is whole: no fault has ended it */
  private async writeFrames(reply: Reply): Promise<boolean> {
    const { fault, delay_ms, comments } = this.directives;
    const limit = Number(fault?.argument ?? 0);
    for (const frame of listFrames(reply, this.directives)) {
      if (this.hasClosed()) break;
      if (fault !== undefined && this.record.frames === limit) {
        if (fault.name === 'invalid_utf8') for (const part of INVALID_UTF8) await this.writeBytes(part);
        if (ENDING_FAULTS.has(fault.name)) return this.fail(fault.name, frame, reply);
      }
      if (delay_ms > 0) await Promise.race([sleep(delay_ms), this.closed]);
      else await nextTurn();
      if (comments && reply.kind === 'stream' && reply.encode === undefined)
        await this.writeText(': still there\n\n', reply);
      await this.writeText(frame.text, reply);
      if (this.hasClosed()) break;
      this.record.frames += 1;
      if (frame.usage !== undefined) this.record.sentUsage = frame.usage;
      if (frame.isTerminal === true) this.record.isComplete = true;
    }
    if (fault?.name === 'reset_after' && !this.hasClosed()) {
      this.reset();
      return false;
    }
    return true;
  }

  private async fail(name: string, next: Frame, reply: Reply): Promise<false> {
    this.record.outcome = 'failed';
    if (name === 'reset_after') this.reset();
    else if (name === 'half_frame' || name === 'silence') {
      const bytes = encodeText(next.text, reply);
      if (name === 'half_frame') await this.writeBytes(bytes.subarray(0, Math.ceil(bytes.length / 2)));
      await this.closed;
      this.record.closedAfterFrames = this.record.frames;
    } else {
      if (name === 'garbage') await this.writeBytes(GARBAGE);
      if (name === 'error_event' && reply.kind === 'stream') await this.writeText(reply.errorFrame, reply);
      await this.end();
    }
    return false;
  }

  private async writeText(text: string, reply: Reply): Promise<void> {
    const { crlf = reply.kind === 'stream' && reply.hasCrlf === true, split } = this.directives;
    const bytes = encodeText(crlf ? text.replaceAll('\n', '\r\n') : text, reply);
    if (split === undefined || split === 0) return this.writeBytes(bytes);
    for (let at = 0; at < bytes.length && !this.hasClosed(); at += split) {
      await this.writeBytes(bytes.subarray(at, at + split));
      await nextTurn();
    }
  }

  private async writeBytes(bytes: Buffer): Promise<void> {
    const written = new Promise<void>((resolve) => {
      this.output.write(bytes, () => resolve());
    });
    await Promise.race([written, this.closed]);
    if (this.hasClosed()) return;
    this.record.bytes += bytes.length;
    this.hash.update(bytes);
  }

  private async end(): Promise<void> {
    this.output.end();
    await this.closed;
  }

  private finish(outcome: VendorRecord['outcome']): void {
    this.record.outcome = outcome;
    if (outcome === 'client_closed') this.record.closedAfterFrames = this.record.frames;
  }
}

const encodeText = (text: string, reply: Reply): Buffer =>
  reply.kind === 'stream' && reply.encode !== undefined ? reply.encode(text) : Buffer.from(text);

const listFrames = (reply: Reply, { usage }: Directives): Iterable<Frame> =>
  reply.kind === 'stream'
    ? reply.frames
    : [{ text: JSON.stringify(reply.body), usage: usage === 'none' ? undefined : reply.usage, isTerminal: true }];
