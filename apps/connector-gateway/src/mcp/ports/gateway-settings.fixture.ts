import type { Snapshot } from './snapshot.ts';

/** The settings of a gateway without limits, as the enterprise manager sends them. */
export const UNLIMITED_SETTINGS: Snapshot['settings'] = {
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
