/** Limits how many responses are read on for their usage after their clients have disconnected. */
export class DrainSlots {
  private used = 0;

  constructor(private readonly limits: { readonly slots: number; readonly longestMs: number }) {}

  /** The slots in use. */
  get inUse(): number {
    return this.used;
  }

  /**
   * Takes a slot.
   * @param onTimeout is called when the time of the slot is over
   * @returns a function that gives the slot back; undefined if none is free
   */
  enter(onTimeout: () => void): (() => void) | undefined {
    if (this.used >= this.limits.slots) return undefined;
    this.used += 1;
    const timer = setTimeout(onTimeout, this.limits.longestMs);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      this.used -= 1;
    };
  }
}
