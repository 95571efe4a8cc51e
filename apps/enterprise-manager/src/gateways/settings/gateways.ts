import type { Caller } from '@gatehouse/service-kit/access';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/config.ts';
import type { GatewayKind, GatewaySettings } from '../../config/gateway-settings.ts';
import type { GatewayAccess } from './requires-gateway.ts';

type TokenClient = Pick<Caller, 'issuer' | 'clientId'>;

/** The gateways of this deployment and the clients that act for them; they are configuration. */
@Injectable()
export class Gateways {
  private readonly byId: ReadonlyMap<string, GatewaySettings>;
  private readonly byClient = new Map<string, GatewaySettings[]>();

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.byId = new Map(settings.GATEWAYS.map((gateway) => [gateway.id, gateway]));
    for (const gateway of settings.GATEWAYS) {
      for (const { issuer, client_id } of gateway.client_ids) {
        const key = clientKey(issuer, client_id);
        const known = this.byClient.get(key) ?? [];
        if (!known.includes(gateway)) this.byClient.set(key, [...known, gateway]);
      }
    }
  }

  /** @throws HttpError not_found for an id that no gateway has */
  require(id: string): GatewaySettings {
    return this.byId.get(id) ?? noSuchGateway();
  }

  /**
   * Why a client may not call a route. An unknown `gatewayId` is left to the route, which answers
   * 404.
   * @param gatewayId the gateway that the path names
   */
  refusalOf(caller: TokenClient, { kinds, retired }: GatewayAccess, gatewayId?: string): HttpError | undefined {
    const own = this.of(caller);
    if (own.length === 0) return forbidden(UNREGISTERED);
    const ofKind = own.filter(({ kind }) => kinds.includes(kind));
    if (ofKind.length === 0) return forbidden(`this operation is for gateways of the kind ${kinds.join(' or ')}`);
    const usable = ofKind.filter((gateway) => retired === true || gateway.retired !== true);
    if (gatewayId === undefined || !this.byId.has(gatewayId)) return usable.length > 0 ? undefined : forbidden(RETIRED);
    if (!ofKind.some(({ id }) => id === gatewayId)) return forbidden(FOREIGN);
    return usable.some(({ id }) => id === gatewayId) ? undefined : forbidden(RETIRED);
  }

  /**
   * A gateway that a request names in its body.
   * @throws HttpError not_found for an unknown id, forbidden for one of another client, kind or
   * past
   */
  requireOwn(caller: TokenClient, id: string, access: GatewayAccess): GatewaySettings {
    const gateway = this.require(id);
    const refusal = this.refusalOf(caller, access, id);
    if (refusal !== undefined) throw refusal;
    return gateway;
  }

  /** Ids of the gateways of a kind that a client acts for, retired ones too. */
  idsOf(caller: TokenClient, kind: GatewayKind): string[] {
    return this.of(caller).flatMap((gateway) => (gateway.kind === kind ? [gateway.id] : []));
  }

  /** Whether a gateway has this id. */
  has(id: string): boolean {
    return this.byId.has(id);
  }

  private of({ issuer, clientId }: TokenClient): readonly GatewaySettings[] {
    return clientId === undefined ? [] : (this.byClient.get(clientKey(issuer, clientId)) ?? []);
  }
}

const UNREGISTERED =
  'the client of this token is not registered: name its issuer and client id in an entry of GATEWAYS of the enterprise manager';
const FOREIGN = 'the client of this token is not registered for this gateway';
const RETIRED = 'this gateway is retired: it may report usage and nothing else';

const clientKey = (issuer: string, clientId: string): string => JSON.stringify([issuer, clientId]);
const forbidden = (message: string): HttpError => new HttpError('forbidden', message);

function noSuchGateway(): never {
  throw new HttpError('not_found', 'there is no such gateway');
}
