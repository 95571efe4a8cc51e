import { redeemCode } from '@gatehouse/oauth-client/authorization';
import { ProviderRefusalError } from '@gatehouse/oauth-client/errors';
import type { TokenSet } from '@gatehouse/oauth-client/tokens';
import { Clock } from '@gatehouse/service-kit/clock';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import { BrowserSessions } from '../browser/browser-sessions.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { UpstreamProviders } from '../providers/upstream-providers.ts';
import { readCookie } from '../public-listener/cookies.ts';
import { PageError } from '../public-listener/page-error.ts';
import { PublicOrigin } from '../public-listener/public-origin.ts';
import { getUpstreamOrigin } from '../vault/token-owner.ts';
import { TokenVault } from '../vault/token-vault.ts';
import { ConnectAudit } from './connect-audit.ts';
import { ConnectConsent, getBrowserCookie, hashBrowser } from './connect-consent.ts';
import { type ApprovedRequest, type ConnectFlow, ConnectFlowsRepository } from './connect-flows.repository.ts';

const TITLE = 'The connector was not connected';

/** Errors of a token endpoint that does not know the client any more (RFC 6749, section 5.2). */
const CLIENT_ERRORS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

/** Ends sign-ins at the providers of connectors. */
@Injectable()
export class ConnectCallback {
  constructor(
    private readonly flows: ConnectFlowsRepository,
    private readonly sessions: BrowserSessions,
    private readonly consent: ConnectConsent,
    private readonly providers: UpstreamProviders,
    private readonly vault: TokenVault,
    private readonly audit: ConnectAudit,
    private readonly origin: PublicOrigin,
    private readonly clock: Clock,
  ) {}

  /** The sign-in that a response of a provider names; undefined for an unknown state. */
  findFlow(response: URLSearchParams): Promise<ConnectFlow | undefined> {
    const states = response.getAll('state');
    const [state] = states;
    return state === undefined || states.length > 1 ? Promise.resolve(undefined) : this.flows.find(state);
  }

  /**
   * Redeems the code of a response and stores the tokens with their audit event. Only the browser
   * and the user who approved can end a sign-in, and only once: the state is used before the code
   * is.
   * @returns the connector @throws PageError and the errors of the provider
   */
  async finish(request: FastifyRequest, flow: ConnectFlow, response: URLSearchParams): Promise<Connector> {
    const state = response.get('state') ?? '';
    await this.requireOwnBrowser(request, flow, state);
    const connector = await this.consent.requireConnector(flow);
    const approved = await this.flows.use(state, flow);
    if (approved === undefined) throw createUsedError();
    const tokens = await this.redeem(connector, approved, response);
    const { providerIssuer, clientId, upstreamOrigin } = approved;
    await this.vault.save(flow, tokens, { providerIssuer, clientId, upstreamOrigin }, (manager) =>
      this.audit.recordConnected(manager, flow, request.id),
    );
    return connector;
  }

  /** @throws PageError 400 for a used or expired state, 403 for another browser or user */
  private async requireOwnBrowser(request: FastifyRequest, flow: ConnectFlow, state: string): Promise<void> {
    if (flow.state === 'used') throw createUsedError();
    if (flow.state === 'expired')
      throw new PageError(400, TITLE, 'The sign-in took more than 10 minutes. Ask your client for a new link.');
    const cookie = readCookie(request, this.origin.get(), getBrowserCookie(state)) ?? '';
    if (!timingSafeEqual(hashBrowser(cookie), flow.browserHash))
      throw new PageError(
        403,
        TITLE,
        'The sign-in was begun in another browser. Open the link and go on in one browser.',
      );
    const person = await this.sessions.findPerson(request);
    if (person?.issuer !== flow.issuer || person.subject !== flow.subject)
      throw new PageError(403, TITLE, 'You are not signed in as the person who began. Ask your client for a new link.');
  }

  private async redeem(
    connector: Connector,
    { pending, providerIssuer, clientId, upstreamOrigin }: ApprovedRequest,
    response: URLSearchParams,
  ): Promise<TokenSet> {
    const { provider } = await this.providers.get(connector);
    if (
      provider.metadata.issuer !== providerIssuer ||
      provider.client.clientId !== clientId ||
      getUpstreamOrigin(connector) !== upstreamOrigin
    )
      throw new PageError(
        409,
        TITLE,
        'An administrator has changed the connector meanwhile. Ask your client for a new link.',
      );
    try {
      return await redeemCode(provider, response, pending, this.clock.now().getTime());
    } catch (error) {
      if (error instanceof ProviderRefusalError && CLIENT_ERRORS.has(error.error))
        await this.providers.forget(connector);
      throw error;
    }
  }
}

const createUsedError = (): PageError =>
  new PageError(400, TITLE, 'This sign-in has already ended. Ask your client for a new link.');
