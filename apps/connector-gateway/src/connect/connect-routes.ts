import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BrowserSessions } from '../browser/browser-sessions.ts';
import type { BrowserPerson } from '../browser/browser-sessions.repository.ts';
import { SIGN_OUT_PATH } from '../browser/sign-in-routes.ts';
import { clearCookie } from '../public-listener/cookies.ts';
import { PageError } from '../public-listener/page-error.ts';
import { sendMessage, sendPage } from '../public-listener/page.ts';
import { CALLBACK_PATH, PublicOrigin } from '../public-listener/public-origin.ts';
import { PUBLIC_ROUTE, type PublicRoutes, readForm } from '../public-listener/public-routes.ts';
import { ConnectAudit } from './connect-audit.ts';
import { ConnectCallback } from './connect-callback.ts';
import { ConnectConsent, getBrowserCookie } from './connect-consent.ts';
import { CONNECT_PATH, type LinkedConnector, SealedConnectLinks } from './connect-links.ts';
import { createConnectedPage, createConsentPage, createForeignLinkPage } from './connect-pages.ts';
import { toPageError } from './provider-page-error.ts';

type LinkRequest = FastifyRequest<{ Params: { link: string } }>;

/** The pages on which a user connects a connector. Each refusal has one audit event. */
@Injectable()
export class ConnectRoutes implements PublicRoutes {
  constructor(
    private readonly links: SealedConnectLinks,
    private readonly sessions: BrowserSessions,
    private readonly consent: ConnectConsent,
    private readonly callback: ConnectCallback,
    private readonly audit: ConnectAudit,
    private readonly origin: PublicOrigin,
    private readonly log: Log,
  ) {}

  register(server: FastifyInstance): void {
    server.get<{ Params: { link: string } }>(`${CONNECT_PATH}/:link`, PUBLIC_ROUTE, (request, reply) =>
      this.serveLink(request, reply, (linked, person) => this.showConsent(request, reply, linked, person)),
    );
    server.post<{ Params: { link: string } }>(`${CONNECT_PATH}/:link`, PUBLIC_ROUTE, (request, reply) =>
      this.serveLink(request, reply, (linked) => this.decide(request, reply, linked)),
    );
    server.get(CALLBACK_PATH, PUBLIC_ROUTE, (request, reply) => this.serveCallback(request, reply));
  }

  /** Serves a link to the user that it names. */
  private async serveLink(
    request: LinkRequest,
    reply: FastifyReply,
    serve: (linked: LinkedConnector, person: BrowserPerson) => Promise<void>,
  ): Promise<FastifyReply> {
    const linked = await this.links.read(request.params.link);
    if (linked === undefined)
      throw new PageError(
        400,
        'This link has expired',
        'Ask your client for a new one, or run: gatehouse connectors connect',
      );
    const { issuer, connectorId } = linked;
    const person = await this.sessions.requirePerson(request, reply, { returnTo: getLinkPath(request), issuer });
    if (person === undefined) return reply;
    if (person.subject !== linked.subject) {
      await this.audit.recordRefused({ ...person, connectorId }, request.id, 'the link belongs to another person');
      const token = this.sessions.createFormToken(request, SIGN_OUT_PATH);
      sendPage(reply, createForeignLinkPage(person.displayName, SIGN_OUT_PATH, token));
      return reply;
    }
    await this.auditRefusals(request, linked, () => serve(linked, person));
    return reply;
  }

  private async showConsent(
    request: LinkRequest,
    reply: FastifyReply,
    linked: LinkedConnector,
    { displayName: personName }: BrowserPerson,
  ): Promise<void> {
    const facts = await this.consent.describe(linked, await this.consent.requireConnector(linked));
    const formToken = this.sessions.createFormToken(request, describeForm(request, facts));
    sendPage(reply, createConsentPage({ ...facts, personName, formToken }));
  }

  private async decide(request: LinkRequest, reply: FastifyReply, linked: LinkedConnector): Promise<void> {
    if (readForm(request).get('decision') !== 'connect') {
      sendMessage(reply, 200, 'Nothing was connected', 'You can close this page.');
      return;
    }
    const connector = await this.consent.requireConnector(linked);
    const facts = await this.consent.describe(linked, connector);
    this.sessions.requireFormToken(request, describeForm(request, facts));
    await this.consent.approve(reply, linked, connector);
  }

  private async serveCallback(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const response = new URL(request.url, this.origin.get()).searchParams;
    const flow = await this.callback.findFlow(response);
    if (flow === undefined) return this.refuseUnknownState(request);
    const connector = await this.auditRefusals(request, flow, () => this.callback.finish(request, flow, response));
    clearCookie(reply, this.origin.get(), getBrowserCookie(response.get('state') ?? ''));
    sendPage(reply, createConnectedPage(connector.name));
    return reply;
  }

  /** A state that this gateway did not issue belongs to no user but the one of the browser. */
  private async refuseUnknownState(request: FastifyRequest): Promise<never> {
    const person = await this.sessions.findPerson(request);
    if (person !== undefined) await this.audit.recordRefused(person, request.id, 'the state is unknown');
    this.log.warn({ requestId: request.id }, 'a response of a provider has an unknown state');
    throw new PageError(
      400,
      'The connector was not connected',
      'The response of the provider belongs to no sign-in of this gateway. Ask your client for a new link.',
    );
  }

  /** Records a refusal or a failed sign-in, and turns it into a page. */
  private async auditRefusals<Result>(
    request: FastifyRequest,
    owner: LinkedConnector,
    serve: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await serve();
    } catch (cause) {
      const error = toPageError(cause);
      if (error instanceof PageError) {
        this.log.warn({ err: error, connector: owner.connectorId }, 'a connector was not connected');
        await this.audit.recordRefused(owner, request.id, error.message);
      }
      throw error;
    }
  }
}

/** A form is for one link and for the facts of its page: an upstream may change its scopes. */
const describeForm = (request: LinkRequest, facts: object): string => JSON.stringify([getLinkPath(request), facts]);

const getLinkPath = ({ params: { link } }: LinkRequest): string => `${CONNECT_PATH}/${link}`;
