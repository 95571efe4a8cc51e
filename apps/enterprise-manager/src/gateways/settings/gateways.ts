import type { Caller } from '@gatehouse/service-kit/access';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/config.ts';
import type { GatewayKind, GatewaySettings } from '../../config/gateway-settings.ts';
import type { GatewayAccess } from './requires-gateway.ts';

type TokenClient = Pick<Caller, 'issuer' | 'clientId'>;

/** The configured gateways of this deployment and their clients. */
@Injectable()
export class Gateways {
  private readonly byId: ReadonlyMap<string, GatewaySettings>;
  private readonly byClient = new Map<string, GatewaySettings[]>();

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.byId = new Map(settings.GATEWAYS.map((gateway) => [gateway.id, gateway]));
    for (const gateway of settings.GATEWAYS) {
      for (const { issuer, client_id } of gateway.client_ids) {
        const key = getClientKey(issuer, client_id);
        const known = this.byClient.get(key) ?? [];
        if (!known.includes(gateway)) this.byClient.set(key, [...known, gateway]);
      }
    }
  }

  /** Returns a gateway. @throws HttpError not_found for an unknown id */
  require(id: string): GatewaySettings {
    return this.byId.get(id) ?? throwGatewayNotFound();
  }

  /**
   * Finds the reason why a client may not call a route. The route itself answers 404 for an unknown
   * `gatewayId`.
   * @param gatewayId the gateway in the path
   */
  findDenial(caller: TokenClient, { kinds, retired }: GatewayAccess, gatewayId?: string): HttpError | undefined {
    const own = this.listOwn(caller);
    if (own.length === 0) return createForbiddenError(UNREGISTERED_MESSAGE);
    const ofKind = own.filter(({ kind }) => kinds.includes(kind));
    if (ofKind.length === 0)
      return createForbiddenError(`this operation is for gateways of the kind ${kinds.join(' or ')}`);
    const usable = ofKind.filter((gateway) => retired === true || gateway.retired !== true);
    if (gatewayId === undefined || !this.byId.has(gatewayId))
      return usable.length > 0 ? undefined : createForbiddenError(RETIRED_MESSAGE);
    if (!ofKind.some(({ id }) => id === gatewayId)) return createForbiddenError(OTHER_CLIENT_MESSAGE);
    return usable.some(({ id }) => id === gatewayId) ? undefined : createForbiddenError(RETIRED_MESSAGE);
  }

  /**
   * Returns the gateway that a request names in its body.
   * @throws HttpError not_found for an unknown id, forbidden for a gateway of another client or
   * kind, and for a retired one
   */
  requireOwn(caller: TokenClient, id: string, access: GatewayAccess): GatewaySettings {
    const gateway = this.require(id);
    const denial = this.findDenial(caller, access, id);
    if (denial !== undefined) throw denial;
    return gateway;
  }

  /** Lists the ids of a client's gateways of a kind, including retired ones. */
  listIds(caller: TokenClient, kind: GatewayKind): string[] {
    return this.listOwn(caller).flatMap((gateway) => (gateway.kind === kind ? [gateway.id] : []));
  }

  /** Whether a gateway has this id. */
  has(id: string): boolean {
    return this.byId.has(id);
  }

  private listOwn({ issuer, clientId }: TokenClient): readonly GatewaySettings[] {
    return clientId === undefined ? [] : (this.byClient.get(getClientKey(issuer, clientId)) ?? []);
  }
}

const UNREGISTERED_MESSAGE =
  'the client of this token is not registered: name its issuer and client id in an entry of GATEWAYS of the enterprise manager';
const OTHER_CLIENT_MESSAGE = 'the client of this token is not registered for this gateway';
const RETIRED_MESSAGE = 'this gateway is retired: it may report usage and nothing else';

const getClientKey = (issuer: string, clientId: string): string => JSON.stringify([issuer, clientId]);
const createForbiddenError = (message: string): HttpError => new HttpError('forbidden', message);

function throwGatewayNotFound(): never {
  throw new HttpError('not_found', 'there is no such gateway');
}
