import type { Log } from '@gatehouse/service-kit/log';
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { Interaction } from 'oidc-provider';
import type { CorporateGrants } from '../grants/corporate-grants.ts';
import { INTERACTIONS_PATH } from '../../browser/forwarded-sign-ins.ts';
import { html } from '../../public-listener/page.ts';
import type { CorporatePerson } from '../grants/corporate-sign-in.ts';
import { getAudience, MCP_SCOPE } from '../provider/resources.ts';
import { type ConsentFacts, renderConsent } from './consent-page.ts';
import type { FormTokens } from './form-token.ts';
import { sendRawPage } from './raw-page.ts';
import { readForm } from './read-form.ts';
import type { SignedIn, SignIns } from './sign-ins.ts';

/** Records that a person let a client act, for the audit trail. */
export type RecordConsent = (
  person: Pick<CorporatePerson, 'issuer' | 'subject'>,
  clientId: string,
  requestId: string,
) => Promise<void>;

/** The dependencies of Interactions. */
export interface InteractionsParts {
  provider: Provider;
  signIns: SignIns;
  grants: CorporateGrants;
  formTokens: FormTokens;
  /** Records that a person let a client act. */
  recordConsent: RecordConsent;
  /** Address of the gateway, without a trailing slash. */
  publicUrl: string;
  log: Log;
}

/** The pages of an authorization: the corporate sign-in, then the consent for one client. */
export class Interactions {
  constructor(private readonly parts: InteractionsParts) {}

  /**
   * Serves a request below the path of interactions. The cookie of the interaction binds it to the
   * browser that began the authorization.
   */
  async handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const interaction = await this.parts.provider.interactionDetails(request, response);
    const { uid } = interaction;
    const path = `${INTERACTIONS_PATH}/${uid}`;
    if (url.pathname === `${path}/corporate`) await this.completeSignIn(uid, response, url.searchParams);
    else if (url.pathname !== path) sendStalePage(response);
    else {
      const signedIn = await this.parts.signIns.find(uid);
      if (signedIn === undefined) await this.beginSignIn(uid, response, url.searchParams.get('issuer'));
      else if (request.method === 'POST') await this.decide(request, response, interaction, signedIn);
      else await this.ask(response, interaction, signedIn);
    }
  }

  /** @param wanted id of the corporate provider, for a gateway with several */
  private async beginSignIn(uid: string, response: ServerResponse, wanted: string | null): Promise<void> {
    const { signIns } = this.parts;
    const [first, ...others] = signIns.issuers;
    const issuer = others.length === 0 ? first : signIns.issuers.find(({ id }) => id === wanted);
    if (issuer !== undefined) redirect(response, (await signIns.begin(uid, issuer)).href);
    else {
      const links = signIns.issuers.map(({ id }) => html`<a class="button" href="?issuer=${id}">${id}</a>`);
      sendRawPage(response, { status: 200, title: 'Where do you sign in?', body: html`${links}` });
    }
  }

  private async completeSignIn(uid: string, response: ServerResponse, query: URLSearchParams): Promise<void> {
    try {
      if (!(await this.parts.signIns.complete(uid, query))) {
        sendStalePage(response);
        return;
      }
      redirect(response, `${INTERACTIONS_PATH}/${uid}`);
    } catch (error) {
      this.parts.log.warn({ err: error }, 'a sign-in at the corporate provider failed');
      await this.parts.signIns.remove(uid);
      sendRawPage(response, {
        status: 502,
        title: 'The sign-in did not work',
        body: html`<p>Your organization’s identity provider did not sign you in.</p>
          <a class="button" href="${INTERACTIONS_PATH}/${uid}">Try again</a>`,
      });
    }
  }

  private async ask(response: ServerResponse, interaction: Interaction, signedIn: SignedIn): Promise<void> {
    const facts = await this.readFacts(interaction, signedIn);
    const token = this.parts.formTokens.create(interaction.uid, facts);
    sendRawPage(response, { status: 200, title: `Allow ${facts.clientName}?`, body: renderConsent(facts, token) });
  }

  private async decide(
    request: IncomingMessage,
    response: ServerResponse,
    interaction: Interaction,
    signedIn: SignedIn,
  ): Promise<void> {
    const form = await readForm(request);
    const facts = await this.readFacts(interaction, signedIn);
    // A client that changed in the meantime is shown as it is now.
    if (form === undefined || !this.parts.formTokens.isValid(form.get('form_token') ?? '', interaction.uid, facts)) {
      await this.ask(response, interaction, signedIn);
      return;
    }
    const result =
      form.get('decision') === 'allow'
        ? await this.allow(interaction, facts, signedIn, String(response.getHeader('x-request-id') ?? ''))
        : { error: 'access_denied', error_description: 'the user denied the access' };
    await this.parts.signIns.remove(interaction.uid);
    await this.parts.provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  /** Creates the grant with the corporate tokens of this sign-in. */
  private async allow(interaction: Interaction, facts: ConsentFacts, { person, tokens }: SignedIn, requestId: string) {
    const { provider, grants, recordConsent } = this.parts;
    const accountId = createAccountId(person);
    const grant = new provider.Grant({ accountId, clientId: facts.clientId });
    grant.addOIDCScope('openid offline_access');
    for (const resource of listResources(interaction)) grant.addResourceScope(resource, MCP_SCOPE);
    const grantId = await grant.save();
    await grants.create(grantId, person, tokens);
    await recordConsent(person, facts.clientId, requestId);
    return { login: { accountId, remember: false }, consent: { grantId } };
  }

  private async readFacts(interaction: Interaction, { person }: SignedIn): Promise<ConsentFacts> {
    const { client_id, redirect_uri, scope } = interaction.params;
    const clientId = String(client_id);
    const client = await this.parts.provider.Client.find(clientId);
    const { email, name } = person.claims;
    return {
      clientId,
      clientName: client?.clientName ?? clientId,
      redirectUri: String(redirect_uri),
      resource: listResources(interaction)
        .map((resource) => getAudience(resource, this.parts.publicUrl))
        .join(', '),
      scopes: typeof scope === 'string' ? scope.split(' ') : [],
      person: [email, name].filter((text) => typeof text === 'string').find((text) => text !== '') ?? person.subject,
    };
  }
}

/** An account of the authorization server is a person of the corporate provider. */
const createAccountId = ({ issuer, subject }: SignedIn['person']): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url');

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
