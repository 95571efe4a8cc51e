import { readResponse, type Manager, type Schemas } from '../manager.ts';

/** The settings of a connector gateway. */
export type GatewaySettings = Schemas['ConnectorGatewaySettings'];

/** The settings of a gateway, and their ETag (RFC 9110, section 8.8.3). */
export interface TaggedSettings {
  readonly settings: GatewaySettings;
  readonly etag: string;
}

const toPath = (gateway: string) => ({ path: { gateway_id: gateway } });

/** Reads the settings of a gateway. @throws CliError */
export async function readGatewaySettings(manager: Manager, gateway: string): Promise<TaggedSettings> {
  const call = manager.api.GET('/v1/gateways/{gateway_id}/settings', { params: toPath(gateway) });
  const settings = await readResponse(manager, call);
  return { settings, etag: (await call).response.headers.get('etag') ?? '' };
}

/** The result of a write that the caller can continue from. */
export type PutOutcome =
  { readonly kind: 'saved'; readonly state: TaggedSettings } | { readonly kind: 'changed' | 'invalid'; error: Error };

/**
 * Replaces the settings of a gateway.
 * @param settings as a user wrote them; the manager checks them
 * @param etag the state to replace; undefined for any state
 * @returns `changed` for another state, `invalid` for settings that the manager refuses
 * @throws CliError for any other refusal
 */
export async function putGatewaySettings(
  manager: Manager,
  gateway: string,
  settings: unknown,
  etag: string | undefined,
): Promise<PutOutcome> {
  const call = manager.api.PUT('/v1/gateways/{gateway_id}/settings', {
    params: toPath(gateway),
    body: settings as GatewaySettings,
    ...(etag !== undefined && { headers: { 'if-match': etag } }),
  });
  const { response } = await call;
  try {
    const saved = await readResponse(manager, call);
    return { kind: 'saved', state: { settings: saved, etag: response.headers.get('etag') ?? '' } };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (response.status === 412) return { kind: 'changed', error };
    if ([400, 413, 422].includes(response.status)) return { kind: 'invalid', error };
    throw error;
  }
}
