import { findHostFault } from '@gatehouse/content-controls/elicitation-hosts';
import { findPatternFaults } from '@gatehouse/content-controls/redaction-patterns';
import type { ConnectorGatewaySettings, GatewaySettingsOfConnector } from './connector-gateway-settings.dto.ts';

type GivenContent = GatewaySettingsOfConnector['content'];

/**
 * Describes the redaction patterns and elicitation hosts that no gateway could apply, each with the
 * name of its field.
 */
export function findContentFaults({ content, connectors }: ConnectorGatewaySettings): string[] {
  return [
    ...findFaultsOf(content, ''),
    ...Object.entries(connectors).flatMap(([id, own]) => findFaultsOf(own.content, `connectors.${id}.`)),
  ];
}

function findFaultsOf(content: GivenContent, prefix: string): string[] {
  const { redaction_patterns = [], elicitation_hosts = [] } = content ?? {};
  return [
    ...findPatternFaults(redaction_patterns).map(
      ({ index, problem }) => `${prefix}content.redaction_patterns[${index}]: ${problem}`,
    ),
    ...elicitation_hosts.flatMap((host, index) => {
      const problem = findHostFault(host);
      return problem === undefined ? [] : [`${prefix}content.elicitation_hosts[${index}]: ${problem}`];
    }),
  ];
}
