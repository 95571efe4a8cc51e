import { Clock } from '@gatehouse/service-kit/clock';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/config.ts';
import { ConnectLinks, type Person } from '../mcp/ports/personal-credentials.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { PublicOrigin } from '../public-listener/public-origin.ts';
import { SealedText } from '../public-listener/sealed-text.ts';

/** Path of the page on which a user connects a connector, without the link's own part. */
export const CONNECT_PATH = '/oauth/connect';

/** The user and the connector of a link. */
export interface LinkedConnector {
  readonly issuer: string;
  readonly subject: string;
  readonly connectorId: string;
}

const LIFETIME_SECONDS = 600;

/** Whether a user signs in at the provider of a connector: there is something to connect. */
export const isConnectable = ({ auth, violation }: Connector): boolean =>
  auth.type === 'upstreamInject' && violation === undefined;

/**
 * Creates links to the connect page. A link is encrypted and needs no storage, so any number of
 * them costs nothing. It is valid for 10 minutes and only for the user that it names.
 */
@Injectable()
export class SealedConnectLinks extends ConnectLinks {
  private readonly sealed: SealedText;

  constructor(
    @Inject(SETTINGS) { CURSOR_KEY }: Settings,
    private readonly origin: PublicOrigin,
    clock: Clock,
  ) {
    super();
    this.sealed = new SealedText(CURSOR_KEY, 'connect link', () => clock.now());
  }

  async create(connector: Connector, { issuer, subject }: Person): Promise<string | undefined> {
    if (!isConnectable(connector)) return undefined;
    const linked: LinkedConnector = { issuer, subject, connectorId: connector.id };
    return `${this.origin.get()}${CONNECT_PATH}/${await this.sealed.seal(linked, LIFETIME_SECONDS)}`;
  }

  /** Reads the own part of a link; undefined for an expired or changed one. */
  read(text: string): Promise<LinkedConnector | undefined> {
    return this.sealed.open<LinkedConnector>(text);
  }
}
