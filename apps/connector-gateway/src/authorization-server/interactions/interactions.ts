import type { Log } from '@gatehouse/service-kit/log';
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type Interaction, type default as Provider } from 'oidc-provider';
import type { BrowserSessions } from '../../browser/browser-sessions.ts';
import type { BrowserPerson } from '../../browser/browser-sessions.repository.ts';
import { INTERACTIONS_PATH } from '../../browser/forwarded-sign-ins.ts';
import { SIGN_OUT_PATH } from '../../browser/sign-in-routes.ts';
import type { CorporateGrants } from '../grants/corporate-grants.ts';
import { html } from '../../public-listener/page.ts';
import type { CorporatePerson } from '../grants/corporate-sign-in.ts';
import { getAudience, MCP_SCOPE } from '../provider/resources.ts';
import type { WriteTransaction } from '../storage/write-transaction.ts';
import type { ConsentAudit, ConsentEvent } from './consent-audit.ts';
import { type ConsentFacts, renderConsent } from './consent-page.ts';
import type { FormTokens } from './form-token.ts';
import { createOtherPersonPage } from './other-person-page.ts';
import { sendRawPage } from './raw-page.ts';
import { readRawForm } from './raw-form.ts';
import type { CompletedSignIn, SignIns } from './sign-ins.ts';

/** The dependencies of Interactions. */
export interface InteractionsParts {
  provider: Provider;
  signIns: SignIns;
  sessions: BrowserSessions;
  grants: CorporateGrants;
  formTokens: FormTokens;
  transaction: WriteTransaction;
  audit: ConsentAudit;
  /** Address of the gateway, without a trailing slash. */
  publicUrl: string;
  log: Log;
}

/**
 * The pages of an authorization: the corporate sign-in, then the consent for one client. They share
 * the session of the browser with the connect pages: an authorization is for its person only.
 */
export class Interactions {
  constructor(private readonly parts: InteractionsParts) {}

  /**
   * Serves a request below the path of interactions. The cookie of the interaction binds it to the
   * browser that began the authorization.
   */
  async handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const interaction = await this.findInteraction(request, response);
    if (interaction === undefined) {
      await this.refuseOtherBrowser(request, response);
      return;
    }
    const path = `${INTERACTIONS_PATH}/${interaction.uid}`;
    const exchange = { request, response, interaction, person: await this.parts.sessions.findPerson(request) };
    if (url.pathname === `${path}/corporate`) await this.completeSignIn(exchange, url.searchParams);
    else if (url.pathname === path) await this.serve(exchange, url.searchParams);
    else sendStalePage(response);
  }

  /** @returns undefined in another browser, and after the end of the authorization */
  private async findInteraction(request: IncomingMessage, response: ServerResponse): Promise<Interaction | undefined> {
    try {
      return await this.parts.provider.interactionDetails(request, response);
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined;
      throw error;
    }
  }

  private async refuseOtherBrowser(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { sessions, audit } = this.parts;
    const person = await sessions.findPerson(request);
    const event = { clientId: 'unknown', requestId: readRequestId(response) };
    if (person !== undefined)
      await audit.recordRefusal({ person, ...event }, 'the authorization was begun in another browser, or has ended');
    sendStalePage(response);
  }

  private async serve(exchange: Exchange, query: URLSearchParams): Promise<void> {
    const { request, interaction, person } = exchange;
    const signedIn = await this.parts.signIns.find(interaction.uid);
    // The user may have signed out meanwhile, or another one may have signed in.
    if (signedIn === undefined || !isSamePerson(person, signedIn.person)) await this.beginSignIn(exchange, query);
    else if (request.method === 'POST') await this.decide(exchange, signedIn);
    else await this.ask(exchange, signedIn);
  }

  /** Begins at the issuer of the signed-in user; else the query names one of several issuers. */
  private async beginSignIn({ response, interaction, person }: Exchange, query: URLSearchParams): Promise<void> {
    const { signIns } = this.parts;
    const [first, ...others] = signIns.issuers;
    const wanted = query.get('issuer');
    const issuer =
      others.length === 0
        ? first
        : signIns.issuers.find((entry) =>
            person === undefined ? entry.id === wanted : entry.issuer === person.issuer,
          );
    const prompt = query.get('prompt') === 'login' ? 'login' : undefined;
    if (issuer !== undefined) redirect(response, (await signIns.begin(interaction.uid, issuer, prompt)).href);
    else {
      const links = signIns.issuers.map(({ id }) => html`<a class="button" href="?issuer=${id}">${id}</a>`);
      sendRawPage(response, { status: 200, title: 'Where do you sign in?', body: html`${links}` });
    }
  }

  private async completeSignIn(exchange: Exchange, query: URLSearchParams): Promise<void> {
    const { response, interaction, person } = exchange;
    const { uid } = interaction;
    try {
      const signedIn = await this.parts.signIns.complete(uid, query);
      if (signedIn === undefined) sendStalePage(response);
      else if (person !== undefined && !isSamePerson(person, signedIn)) await this.refuseOtherPerson(exchange, person);
      else {
        if (person === undefined) response.appendHeader('set-cookie', await this.startSession(signedIn));
        redirect(response, `${INTERACTIONS_PATH}/${uid}`);
      }
    } catch (error) {
      this.parts.log.warn({ err: error }, 'a sign-in at the corporate provider failed');
      // The browser has loaded the address twice, and the other request has signed the user in.
      if ((await this.parts.signIns.find(uid)) !== undefined) {
        redirect(response, `${INTERACTIONS_PATH}/${uid}`);
        return;
      }
      await this.parts.signIns.remove(uid);
      sendRawPage(response, {
        status: 502,
        title: 'The sign-in did not work',
        body: html`<p>Your organization’s identity provider did not sign you in.</p>
          <a class="button" href="${INTERACTIONS_PATH}/${uid}">Try again</a>`,
      });
    }
  }

  private startSession(person: CorporatePerson): Promise<string> {
    const { issuer, subject } = person;
    return this.parts.sessions.start({ issuer, subject, displayName: getDisplayName(person) });
  }

  private async refuseOtherPerson(exchange: Exchange, person: BrowserPerson): Promise<void> {
    const { request, response, interaction } = exchange;
    const { sessions, signIns, audit } = this.parts;
    await signIns.remove(interaction.uid);
    await audit.recordRefusal(createEvent(exchange, person), 'the identity provider signed in another person');
    const page = createOtherPersonPage({
      personName: person.displayName,
      path: `${INTERACTIONS_PATH}/${interaction.uid}`,
      signOutPath: SIGN_OUT_PATH,
      formToken: sessions.createFormToken(request, SIGN_OUT_PATH),
    });
    sendRawPage(response, page);
  }

  private async ask({ response, interaction }: Exchange, signedIn: CompletedSignIn): Promise<void> {
    const facts = await this.readFacts(interaction, signedIn);
    const token = this.parts.formTokens.create(interaction.uid, facts);
    sendRawPage(response, { status: 200, title: `Allow ${facts.clientName}?`, body: renderConsent(facts, token) });
  }

  private async decide(exchange: Exchange, signedIn: CompletedSignIn): Promise<void> {
    const { request, response, interaction } = exchange;
    const form = await readRawForm(request);
    const facts = await this.readFacts(interaction, signedIn);
    // A client that changed in the meantime is shown as it is now.
    if (form === undefined || !this.parts.formTokens.isValid(form.get('form_token') ?? '', interaction.uid, facts)) {
      await this.ask(exchange, signedIn);
      return;
    }
    const isAllowed = form.get('decision') === 'allow';
    const { transaction, signIns, provider } = this.parts;
    // A replica that is killed leaves the whole consent or nothing of it.
    const location = await transaction.run(async () => {
      // A form that is sent twice would give two grants the same corporate tokens.
      if (!(await signIns.remove(interaction.uid))) return undefined;
      const result = isAllowed
        ? await this.allow(exchange, facts, signedIn)
        : { error: 'access_denied', error_description: 'the user denied the access' };
      return provider.interactionResult(request, response, result, { mergeWithLastSubmission: false });
    });
    if (location === undefined) sendStalePage(response);
    else redirect(response, location);
  }

  /** Creates the grant with the corporate tokens of this sign-in. */
  private async allow(exchange: Exchange, facts: ConsentFacts, { person, tokens }: CompletedSignIn) {
    const { provider, grants, audit } = this.parts;
    const accountId = createAccountId(person);
    const grant = new provider.Grant({ accountId, clientId: facts.clientId });
    grant.addOIDCScope('openid offline_access');
    for (const resource of listResources(exchange.interaction)) grant.addResourceScope(resource, MCP_SCOPE);
    const grantId = await grant.save();
    await grants.create(grantId, person, tokens);
    await audit.recordConsent(createEvent(exchange, person));
    return { login: { accountId, remember: false }, consent: { grantId } };
  }

  private async readFacts(interaction: Interaction, { person }: CompletedSignIn): Promise<ConsentFacts> {
    const { client_id, redirect_uri, scope } = interaction.params;
    const clientId = String(client_id);
    const client = await this.parts.provider.Client.find(clientId);
    return {
      clientId,
      clientName: client?.clientName ?? clientId,
      redirectUri: String(redirect_uri),
      resource: listResources(interaction)
        .map((resource) => getAudience(resource, this.parts.publicUrl))
        .join(', '),
      scopes: listScopes(scope, client?.grantTypeAllowed('refresh_token') === true),
      person: getDisplayName(person),
    };
  }
}

/** A request of an interaction. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  interaction: Interaction;
  /** The user who is signed in in the browser. */
  person: BrowserPerson | undefined;
}

type Identity = Pick<CorporatePerson, 'issuer' | 'subject'>;

const isSamePerson = (one: Identity | undefined, other: Identity): boolean =>
  one?.issuer === other.issuer && one.subject === other.subject;

const getDisplayName = ({ claims: { email, name }, subject }: CorporatePerson): string =>
  [email, name].filter((text) => typeof text === 'string').find((text) => text !== '') ?? subject;

const createEvent = ({ interaction, response }: Exchange, person: Identity): ConsentEvent => ({
  person,
  clientId: String(interaction.params['client_id']),
  requestId: readRequestId(response),
});

const readRequestId = (response: ServerResponse): string => String(response.getHeader('x-request-id') ?? '');

/** An account of the authorization server is a person of the corporate provider. */
const createAccountId = ({ issuer, subject }: CompletedSignIn['person']): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url');

/** The scopes of a request. A client that may refresh gets a refresh token in any case. */
const listScopes = (scope: unknown, canRefresh: boolean): string[] => [
  ...new Set([...(typeof scope === 'string' ? scope.split(' ') : []), ...(canRefresh ? ['offline_access'] : [])]),
];

const listResources = ({ params: { resource } }: Interaction): string[] => [resource].flat().map(String);

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).end();
}

function sendStalePage(response: ServerResponse): void {
  sendRawPage(response, {
    status: 400,
    title: 'This sign-in has ended',
    body: html`<p>It belongs to another browser, or it has taken too long. Start again in your client.</p>`,
  });
}
