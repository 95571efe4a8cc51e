import type { ToolPinSet, ToolPinStore } from '../ports/tool-pin-store.ts';

/** Remembers the stored definitions of connectors until they change on any replica. */
export class PinSets {
  private readonly known = new Map<string, { pins: ToolPinSet; readAt: number }>();
  private readonly loading = new Map<string, Promise<ToolPinSet>>();

  constructor(
    private readonly store: Pick<ToolPinStore, 'load'>,
    private readonly now: () => number,
  ) {}

  /** The remembered definitions; undefined if they have to be read. */
  find(connectorId: string): ToolPinSet | undefined {
    return this.known.get(connectorId)?.pins;
  }

  async get(connectorId: string): Promise<ToolPinSet> {
    const known = this.known.get(connectorId);
    if (known !== undefined) return known.pins;
    let loading = this.loading.get(connectorId);
    if (loading === undefined) this.loading.set(connectorId, (loading = this.load(connectorId)));
    return loading;
  }

  /** @param connectorId undefined for all connectors */
  forget(connectorId: string | undefined): void {
    if (connectorId === undefined) {
      this.known.clear();
      this.loading.clear();
    } else {
      this.known.delete(connectorId);
      this.loading.delete(connectorId);
    }
  }

  /** Forgets definitions that were read too long ago. @param maxAgeMs the longest age to keep */
  forgetOld(connectorId: string, maxAgeMs: number): void {
    const known = this.known.get(connectorId);
    if (known !== undefined && this.now() - known.readAt >= maxAgeMs) this.known.delete(connectorId);
  }

  private load(connectorId: string): Promise<ToolPinSet> {
    const end = (pins: ToolPinSet | undefined) => {
      // A set that was forgotten while it was read is not remembered.
      if (this.loading.get(connectorId) !== loading) return;
      this.loading.delete(connectorId);
      if (pins !== undefined) this.known.set(connectorId, { pins, readAt: this.now() });
    };
    const loading = this.store.load(connectorId).then(
      (pins) => {
        end(pins);
        return pins;
      },
      (error: unknown) => {
        end(undefined);
        throw error;
      },
    );
    return loading;
  }
}
