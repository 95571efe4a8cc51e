import { isDeepStrictEqual } from 'node:util';
import type { ConnectorGatewaySettings, GatewaySettingsOfConnector } from './connector-gateway-settings.dto.ts';

/** The settings of a gateway for which none were written: no limits, and no content controls. */
export const DEFAULT_SETTINGS: ConnectorGatewaySettings = {
  limits: {
    calls_per_minute_per_person: null,
    calls_per_minute_per_tool: null,
    concurrent_calls_per_connector: null,
    sessions_per_person: null,
    max_argument_bytes: null,
    max_result_bytes: null,
  },
  content: { redaction_patterns: [], tool_pinning: 'off', elicitation_hosts: [] },
  connectors: {},
};

/** Sections of the settings that a single connector can have too. */
const SECTIONS = ['limits', 'content'] as const;

/**
 * Returns the names of the differences for the audit trail: `limits.<name>`, `content.<name>` and
 * `connectors.<connector id>.limits.<name>`.
 */
export function listChangedFields(before: ConnectorGatewaySettings, after: ConnectorGatewaySettings): string[] {
  const ids = new Set([...Object.keys(before.connectors), ...Object.keys(after.connectors)]);
  return [
    ...listChangedInSections(before, after, ''),
    ...[...ids].flatMap((id) => {
      const prefix = `connectors.${id}`;
      const [old, current] = [before.connectors[id], after.connectors[id]];
      const changed = listChangedInSections(old ?? {}, current ?? {}, `${prefix}.`);
      return changed.length > 0 || isDeepStrictEqual(old, current) ? changed : [prefix];
    }),
  ].sort();
}

function listChangedInSections(
  before: GatewaySettingsOfConnector,
  after: GatewaySettingsOfConnector,
  prefix: string,
): string[] {
  return SECTIONS.flatMap((section) => {
    const [old, current]: Readonly<Record<string, unknown>>[] = [{ ...before[section] }, { ...after[section] }];
    return [...new Set([...Object.keys(old ?? {}), ...Object.keys(current ?? {})])]
      .filter((name) => !isDeepStrictEqual(old?.[name], current?.[name]))
      .map((name) => `${prefix}${section}.${name}`);
  });
}
