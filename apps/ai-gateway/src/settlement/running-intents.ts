import type { AttemptKey } from './usage-event.ts';
import type { IntentFile } from './intent-file.ts';
import type { UsageIntent } from './usage-recorder.ts';

const describeKey = ({ interaction_id, attempt }: AttemptKey): string => `${interaction_id} ${attempt}`;

/** An attempt whose intent is in the file. */
export interface RunningIntent {
  readonly slot: number;
  /**
   * The commit of its event. There is one at a time, because the worker empties the slot, which
   * then gets another intent.
   */
  saving?: Promise<void> | undefined;
}

/** The intents of running attempts and their slots. A slot is used again when it is empty. */
export class RunningIntents {
  private readonly running = new Map<string, RunningIntent>();
  private readonly emptySlots: number[] = [];
  private usedSlots = 0;

  constructor(private readonly file: IntentFile) {}

  get count(): number {
    return this.running.size;
  }

  /** Writes the intent of an attempt. @throws if the attempt runs already, or the file fails */
  add(intent: UsageIntent): void {
    const key = describeKey(intent);
    if (this.running.has(key)) throw new Error(`attempt ${key} has an intent already`);
    const slot = this.takeSlot();
    try {
      this.file.write(slot, intent);
    } catch (error) {
      this.clear(slot);
      throw error;
    }
    this.running.set(key, { slot });
  }

  find(attempt: AttemptKey): RunningIntent | undefined {
    return this.running.get(describeKey(attempt));
  }

  /** Removes an intent whose slot the worker has emptied. */
  release(attempt: AttemptKey): void {
    const slot = this.remove(attempt);
    if (slot !== undefined) this.emptySlots.push(slot);
  }

  /** Removes the intent of an attempt that was not sent. */
  discard(attempt: AttemptKey): void {
    const slot = this.remove(attempt);
    if (slot !== undefined) this.clear(slot);
  }

  /** Checks that the file takes another intent. @throws an error of the file */
  requireWritable(): void {
    const slot = this.takeSlot();
    try {
      this.file.clear(slot);
    } finally {
      this.emptySlots.push(slot);
    }
  }

  private remove(attempt: AttemptKey): number | undefined {
    const key = describeKey(attempt);
    const slot = this.running.get(key)?.slot;
    this.running.delete(key);
    return slot;
  }

  private clear(slot: number): void {
    try {
      this.file.clear(slot);
    } catch {
      // The next intent in this slot replaces its content. Until then it is nothing, a part of an
      // intent, or an intent that the next start charges.
    } finally {
      this.emptySlots.push(slot);
    }
  }

  private takeSlot(): number {
    const empty = this.emptySlots.pop();
    if (empty !== undefined) return empty;
    this.usedSlots += 1;
    return this.usedSlots - 1;
  }
}
