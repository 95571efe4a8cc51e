import {
  ClearedConnectionDto,
  ConnectionStatusReceiptDto,
  ConnectionStatusReceiptsDto,
  EntitledConnectionDto,
  EntitlementsDto,
  GatewaySnapshotDto,
  RevealedSecretDto,
  SnapshotConnectorDto,
  SnapshotPolicyDto,
  ToolCallReceiptDto,
  ToolCallReceiptsDto,
} from '@gatehouse/contracts-enterprise-manager/dto';
import { checkReceivedDocument } from '@gatehouse/service-kit/received';

/**
 * The documents that the enterprise manager sends to a gateway. Each function returns the document
 * itself, or throws a ContractViolationError that names the first invalid field. Long lists are
 * checked in slices, which give the event loop back in between.
 */
export const receivedDocuments = {
  snapshot: (body: unknown) =>
    checkReceivedDocument(GatewaySnapshotDto, body, { connectors: SnapshotConnectorDto, policies: SnapshotPolicyDto }),
  entitlements: (body: unknown) =>
    checkReceivedDocument(EntitlementsDto, body, {
      connections: EntitledConnectionDto,
      cleared_connections: ClearedConnectionDto,
    }),
  secret: (body: unknown) => checkReceivedDocument(RevealedSecretDto, body, {}),
  toolCallReceipts: (body: unknown) =>
    checkReceivedDocument(ToolCallReceiptsDto, body, { results: ToolCallReceiptDto }),
  connectionStatusReceipts: (body: unknown) =>
    checkReceivedDocument(ConnectionStatusReceiptsDto, body, { results: ConnectionStatusReceiptDto }),
};
