import { beginAuthorization } from '@gatehouse/oauth-client/authorization';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { createHash, randomBytes } from 'node:crypto';
import { DirectoryUnavailableError } from '../mcp/access/directory-view.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { GatewayDirectory } from '../ports/gateway-directory.ts';
import type { UpstreamClient } from '../providers/upstream-client.ts';
import { UpstreamProviders } from '../providers/upstream-providers.ts';
import { setCookie } from '../public-listener/cookies.ts';
import { PageError } from '../public-listener/page-error.ts';
import { PublicOrigin } from '../public-listener/public-origin.ts';
import { getUpstreamOrigin } from '../vault/token-owner.ts';
import { TokenVault } from '../vault/token-vault.ts';
import { ConnectFlowsRepository, FLOW_LIFETIME_MS } from './connect-flows.repository.ts';
import { isConnectable, type LinkedConnector } from './connect-links.ts';
import type { Consent } from './connect-pages.ts';

/** The consent of a user, and the way to the provider after it. */
@Injectable()
export class ConnectConsent {
  constructor(
    private readonly directory: GatewayDirectory,
    private readonly providers: UpstreamProviders,
    private readonly flows: ConnectFlowsRepository,
    private readonly origin: PublicOrigin,
    private readonly vault: TokenVault,
  ) {}

  /**
   * The connector of a link, for an active user.
   * @throws PageError 403 for a deactivated user, 404 for a connector that is gone, 503
   */
  async requireConnector({ issuer, subject, connectorId }: LinkedConnector): Promise<Connector> {
    const entitlements = await this.readEntitlements({ issuer, subject, claims: {} });
    if (entitlements?.active !== true)
      throw new PageError(
        403,
        'You have no access',
        'There is no active directory entry for you. Ask an administrator for access.',
      );
    const connector = this.directory.getRules()?.connectors.find(({ id }) => id === connectorId);
    if (connector === undefined || !isConnectable(connector))
      throw new PageError(
        404,
        'There is no such connector',
        'It was removed, or it needs no sign-in any more. Your connectors are in: gatehouse connectors list',
      );
    return connector;
  }

  /** The facts that a user must see before the sign-in. @throws the errors of UpstreamProviders */
  async describe(owner: LinkedConnector, connector: Connector): Promise<Omit<Consent, 'personName' | 'formToken'>> {
    const client = await this.providers.get(connector);
    const { provider } = client;
    return {
      connectorName: connector.name,
      connectorHost: new URL(connector.endpoint).host,
      providerName: connector.identity_provider?.name ?? provider.metadata.issuer,
      providerHost: new URL(provider.metadata.authorization_endpoint ?? provider.metadata.issuer).host,
      scopes: await this.selectScopes(owner, connector, client),
    };
  }

  /**
   * Redirects the browser of an approving user to the provider, and binds the sign-in to this
   * browser with a cookie, which is set only now.
   * @throws the errors of UpstreamProviders; PageError 429 with too many pending sign-ins
   */
  async approve(reply: FastifyReply, owner: LinkedConnector, connector: Connector): Promise<void> {
    const client = await this.providers.get(connector);
    const { provider, resource, redirectUri, authorizationParameters } = client;
    const scopes = await this.selectScopes(owner, connector, client);
    const { url, pending } = await beginAuthorization(provider, {
      redirectUri,
      scope: scopes.join(' '),
      resource,
      parameters: authorizationParameters,
    });
    const value = randomBytes(32).toString('base64url');
    const isSaved = await this.flows.save(owner, hashBrowser(value), {
      pending,
      providerIssuer: provider.metadata.issuer,
      clientId: provider.client.clientId,
      upstreamOrigin: getUpstreamOrigin(connector),
    });
    if (!isSaved)
      throw new PageError(
        429,
        'Too many sign-ins',
        'You have begun many sign-ins that did not end. Finish one, or wait 10 minutes.',
      );
    const name = getBrowserCookie(pending.state);
    setCookie(reply, this.origin.get(), { name, value, maxAgeSeconds: FLOW_LIFETIME_MS / 1000 });
    void reply.redirect(url.href, 303);
  }

  /**
   * The scopes of a sign-in: those of the client, and those that the upstream required after an
   * earlier sign-in of the user.
   */
  private async selectScopes(
    owner: LinkedConnector,
    connector: Connector,
    { provider, scopes }: UpstreamClient,
  ): Promise<readonly string[]> {
    const signIn = { providerIssuer: provider.metadata.issuer, upstreamOrigin: getUpstreamOrigin(connector) };
    const { granted, challenged } = await this.vault.findScopes(owner, signIn);
    if (challenged.length === 0) return scopes;
    // Without scopes of its own, the earlier sign-in got the default scopes of the provider.
    return [...new Set([...(scopes.length > 0 ? scopes : granted), ...challenged])];
  }

  private async readEntitlements(user: Parameters<GatewayDirectory['getEntitlements']>[0]) {
    try {
      return await this.directory.getEntitlements(user);
    } catch (cause) {
      if (!(cause instanceof DirectoryUnavailableError)) throw cause;
      throw new PageError(503, 'The directory cannot be reached', 'Try again in a moment.', { cause });
    }
  }
}

/** The name of the cookie that binds a sign-in to a browser. Each sign-in has its own. */
export const getBrowserCookie = (state: string): string =>
  `connect-${createHash('sha256').update(state).digest('hex').slice(0, 16)}`;

/** The stored form of the value of that cookie. */
export const hashBrowser = (value: string): Buffer => createHash('sha256').update(value).digest();
