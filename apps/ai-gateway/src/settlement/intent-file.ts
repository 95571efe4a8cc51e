import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { UsageIntent } from './usage-recorder.ts';

/** Bytes of a slot: two pages of memory, for the longest intent that a manager accepts. */
const SLOT_BYTES = 8_192;
/** The length of the intent and its CRC-32, each a 32-bit number. */
const HEADER_BYTES = 8;
const EMPTY_HEADER = Buffer.alloc(HEADER_BYTES);
const MODE = 0o600;

/** The intents that a file has. */
interface FoundIntents {
  readonly intents: readonly UsageIntent[];
  /** Slots with other content: an intent that was written only in part, or damage. */
  readonly damaged: number;
}

/**
 * The intents of running attempts, in slots of a file. A write reaches the memory of the kernel
 * before it returns, so it survives the end of the process in any way
 * (docs/decisions/0205-keep-usage-in-an-outbox-of-each-replica.md).
 */
export class IntentFile {
  private readonly descriptor: number;
  private readonly buffer = Buffer.alloc(SLOT_BYTES);

  /** Opens the file and creates it if missing. Only the owner of the outbox may open it. */
  constructor(path: string) {
    this.descriptor = openSync(path, 'a', MODE);
    closeSync(this.descriptor);
    this.descriptor = openSync(path, 'r+');
  }

  /** Writes an intent into a slot. @throws if it is not written completely, or is too long */
  write(slot: number, intent: UsageIntent): void {
    const text = JSON.stringify(intent);
    const length = Buffer.byteLength(text);
    if (length > SLOT_BYTES - HEADER_BYTES) throw new Error(`an intent of ${length} bytes is too long`);
    this.buffer.write(text, HEADER_BYTES);
    const end = HEADER_BYTES + length;
    this.buffer.writeUInt32LE(length, 0);
    this.buffer.writeUInt32LE(crc32(this.buffer.subarray(HEADER_BYTES, end)), 4);
    this.writeAt(this.buffer, end, slot);
  }

  /** Empties a slot. */
  clear(slot: number): void {
    this.writeAt(EMPTY_HEADER, HEADER_BYTES, slot);
  }

  /** Reads the intents of all slots. */
  read(): FoundIntents {
    const intents: UsageIntent[] = [];
    let damaged = 0;
    const slots = Math.ceil(fstatSync(this.descriptor).size / SLOT_BYTES);
    for (let slot = 0; slot < slots; slot += 1) {
      this.buffer.fill(0);
      readSync(this.descriptor, this.buffer, 0, SLOT_BYTES, slot * SLOT_BYTES);
      const length = this.buffer.readUInt32LE(0);
      if (length === 0) continue;
      const bytes = this.buffer.subarray(HEADER_BYTES, HEADER_BYTES + length);
      if (bytes.length !== length || crc32(bytes) !== this.buffer.readUInt32LE(4)) damaged += 1;
      else intents.push(JSON.parse(bytes.toString()) as UsageIntent);
    }
    return { intents, damaged };
  }

  /** Empties all slots. */
  clearAll(): void {
    ftruncateSync(this.descriptor);
  }

  /** Waits until the disk has what was written, also through other descriptors. */
  flush(): void {
    fdatasyncSync(this.descriptor);
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private writeAt(bytes: Uint8Array, length: number, slot: number): void {
    const written = writeSync(this.descriptor, bytes, 0, length, slot * SLOT_BYTES);
    if (written < length) throw new Error(`only ${written} of ${length} bytes were written`);
  }
}
