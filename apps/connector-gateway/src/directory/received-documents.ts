import {
  ChangedUserDto,
  ClearedConnectionDto,
  ConnectionStatusReceiptDto,
  ConnectionStatusReceiptsDto,
  EntitledConnectionDto,
  EntitlementChangesDto,
  EntitlementsDto,
  GatewaySnapshotDto,
  RevealedSecretDto,
  ToolCallReceiptDto,
  ToolCallReceiptsDto,
} from '@gatehouse/contracts-enterprise-manager/validation';
import {
  checkReceived,
  checkReceivedDocument,
  checkReceivedFrame,
  type Received,
  type ReceivedFrame,
} from '@gatehouse/service-kit/received';

/** A snapshot as received. `selectUsableParts` selects the connectors and policies to use. */
export type ReceivedSnapshot = ReceivedFrame<GatewaySnapshotDto, 'connectors' | 'policies'>;

/** Changed users as received. */
export type ReceivedEntitlementChanges = Received<EntitlementChangesDto>;

/**
 * The documents that the enterprise manager sends to a gateway. Each function returns the document
 * itself, or throws a ContractViolationError that names the first invalid field. Long lists are
 * checked in slices, which give the event loop back in between. The connectors and policies of a
 * snapshot are not checked here, so that one of them cannot refuse the whole snapshot.
 */
export const receivedDocuments = {
  snapshot: (body: unknown): ReceivedSnapshot =>
    checkReceivedFrame(GatewaySnapshotDto, body, ['connectors', 'policies']),
  entitlements: (body: unknown) =>
    checkReceivedDocument(EntitlementsDto, body, {
      connections: EntitledConnectionDto,
      cleared_connections: ClearedConnectionDto,
    }),
  entitlementChanges: (body: unknown): Promise<ReceivedEntitlementChanges> =>
    checkReceivedDocument(EntitlementChangesDto, body, { users: ChangedUserDto }),
  secret: (body: unknown) => checkReceivedDocument(RevealedSecretDto, body, {}),
  toolCallReceipts: (body: unknown) => checkReceipts(body),
  connectionStatusReceipts: (body: unknown) =>
    checkReceivedDocument(ConnectionStatusReceiptsDto, body, { results: ConnectionStatusReceiptDto }),
};

/** Equal receipts are checked once: the check of one costs more than the rest of its delivery. */
function checkReceipts(body: unknown): Received<ToolCallReceiptsDto> {
  const { results } = checkReceivedFrame(ToolCallReceiptsDto, body, ['results']);
  const checked = new Set<string>();
  for (const [at, receipt] of results.entries()) {
    const text = JSON.stringify(receipt);
    if (checked.has(text)) continue;
    checkReceived(ToolCallReceiptDto, receipt, `/results/${at}`);
    checked.add(text);
  }
  return body as Received<ToolCallReceiptsDto>;
}
