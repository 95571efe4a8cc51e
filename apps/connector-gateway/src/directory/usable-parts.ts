import { SnapshotConnectorDto, SnapshotPolicyDto } from '@gatehouse/contracts-enterprise-manager/validation';
import { checkReceived, checkReceivedItems, ContractViolationError } from '@gatehouse/service-kit/received';
import type { Connector, Snapshot } from '../mcp/ports/snapshot.ts';
import type { ReceivedSnapshot } from './received-documents.ts';

/** The usable parts of a snapshot, and the violations of the others. */
export interface UsableParts {
  snapshot: Snapshot;
  violations: readonly PartViolation[];
}

/** An invalid connector or policy of a snapshot. */
export interface PartViolation {
  /** The id of the affected connector, if it is a text. */
  connector: string | undefined;
  /** The field and its rule. */
  problem: string;
}

/**
 * Checks the connectors and policies of a snapshot one by one. An invalid one affects its connector
 * only:
 * - With an invalid authentication it stays visible but is never called.
 * - With another invalid field it is left out.
 * - With an invalid policy it is closed to all users, because the policy is left out.
 */
export async function selectUsableParts(received: ReceivedSnapshot): Promise<UsableParts> {
  const violations: PartViolation[] = [];
  const addViolation = (id: unknown, { message }: ContractViolationError) =>
    violations.push({ connector: typeof id === 'string' ? id : undefined, problem: message });
  const connectors = await checkReceivedItems<SnapshotConnectorDto, Connector>(
    SnapshotConnectorDto,
    received.connectors,
    '/connectors',
    (connector, violation) => {
      addViolation(getMember(connector, 'id'), violation);
      return removeAuthentication(connector, violation);
    },
  );
  const policies = await checkReceivedItems<SnapshotPolicyDto>(
    SnapshotPolicyDto,
    received.policies,
    '/policies',
    (policy, violation) => {
      addViolation(getMember(policy, 'connector_id'), violation);
      return [];
    },
  );
  return { snapshot: { ...received, connectors, policies }, violations };
}

/** Keeps the connector if its other fields are valid, with only the type of its authentication. */
function removeAuthentication(connector: unknown, violation: ContractViolationError): Connector[] {
  const type = getMember(getMember(connector, 'auth'), 'type');
  const others = { ...Object(connector), auth: { type }, identity_provider: undefined } as unknown;
  try {
    return [{ ...checkReceived(SnapshotConnectorDto, others), violation }];
  } catch (error) {
    if (error instanceof ContractViolationError) return [];
    throw error;
  }
}

const getMember = (value: unknown, name: string): unknown => Reflect.get(Object(value) as object, name);
