import type { Snapshot } from '../ports/snapshot.ts';
import type { ToolPinning } from '../ports/tool-pin-store.ts';

/** The tool pinning of a gateway by the settings of its snapshot. */
export class PinningSettings {
  constructor(private readonly settings: Snapshot['settings'] | undefined) {}

  /** The value of a connector replaces that of the gateway. */
  find(connectorId: string): ToolPinning {
    const own = this.settings?.connectors[connectorId]?.content?.tool_pinning;
    return own ?? this.settings?.content.tool_pinning ?? 'off';
  }
}
