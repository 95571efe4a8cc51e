import { findHostFault } from '@gatehouse/content-controls/elicitation-hosts';
import { PatternCheck } from '@gatehouse/content-controls/redaction-patterns';
import type { ConnectorGatewaySettings, GatewaySettingsOfConnector } from './connector-gateway-settings.dto.ts';

type GivenContent = GatewaySettingsOfConnector['content'];

/**
 * Describes the redaction patterns and elicitation hosts that no gateway could apply, each with the
 * name of its field.
 */
export function findContentFaults({ content, connectors }: ConnectorGatewaySettings): string[] {
  const check = new PatternCheck();
  return [
    ...listFaults(check, content, ''),
    ...Object.entries(connectors).flatMap(([id, own]) => listFaults(check, own.content, `connectors.${id}.`)),
  ];
}

function listFaults(check: PatternCheck, content: GivenContent, prefix: string): string[] {
  const { redaction_patterns = [], elicitation_hosts = [] } = content ?? {};
  return [
    ...check
      .findFaults(redaction_patterns)
      .map(({ index, problem }) => `${prefix}content.redaction_patterns[${index}]: ${problem}`),
    ...elicitation_hosts.flatMap((host, index) => {
      const problem = findHostFault(host);
      return problem === undefined ? [] : [`${prefix}content.elicitation_hosts[${index}]: ${problem}`];
    }),
  ];
}
