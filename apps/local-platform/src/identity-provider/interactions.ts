import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { Interaction } from 'oidc-provider';
import type { Directory } from './directory.ts';
import { readBody, sendPage } from './http.ts';
import { renderConsentPage, renderSignInPage } from './pages.ts';
import { FIRST_PARTY_CLIENTS } from './provider.ts';

/** The pages of an authorization request: sign-in, and consent for registered clients. */
export class Interactions {
  readonly #provider: Provider;
  readonly #directory: Directory;

  constructor(provider: Provider, directory: Directory) {
    this.#provider = provider;
    this.#directory = directory;
  }

  /**
   * Answers GET and POST of /interaction/<uid>. The provider checks the cookie of the interaction.
   */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const interaction = await this.#provider.interactionDetails(request, response);
    const form = request.method === 'POST' ? new URLSearchParams(await readBody(request)) : undefined;
    if (form?.get('cancel')) {
      const result = { error: 'access_denied', error_description: 'the user cancelled the sign-in' };
      await this.#provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    } else if (interaction.prompt.name === 'login') {
      await this.#signIn(request, response, interaction, form);
    } else {
      await this.#consent(request, response, interaction, form);
    }
  }

  async #signIn(
    request: IncomingMessage,
    response: ServerResponse,
    interaction: Interaction,
    form?: URLSearchParams,
  ): Promise<void> {
    const login = form?.get('login') ?? stringParameter(interaction, 'login_hint') ?? '';
    const person = form && this.#directory.authenticate(login, form.get('password') ?? '');
    if (person) {
      const result = { login: { accountId: person.subject, amr: ['pwd'] } };
      await this.#provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
      return;
    }
    const { name } = await this.#findClient(interaction);
    sendPage(response, form ? 401 : 200, renderSignInPage(name, { login, failed: form !== undefined }));
  }

  async #consent(
    request: IncomingMessage,
    response: ServerResponse,
    interaction: Interaction,
    form?: URLSearchParams,
  ): Promise<void> {
    const { id, name } = await this.#findClient(interaction);
    if (FIRST_PARTY_CLIENTS.has(id) || form?.get('consent') === 'yes') {
      const result = { consent: { grantId: await this.#grant(interaction, id) } };
      await this.#provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
      return;
    }
    const person = this.#directory.personWithSubject(interaction.session?.accountId ?? '');
    sendPage(
      response,
      200,
      renderConsentPage(name, stringParameter(interaction, 'redirect_uri') ?? '', person?.name ?? 'you'),
    );
  }

  async #grant(interaction: Interaction, clientId: string): Promise<string> {
    const existing =
      interaction.grantId === undefined ? undefined : await this.#provider.Grant.find(interaction.grantId);
    const accountId = interaction.session?.accountId;
    const grant = existing ?? new this.#provider.Grant({ clientId, ...(accountId ? { accountId } : {}) });
    const { missingOIDCScope, missingOIDCClaims } = interaction.prompt.details;
    if (isStrings(missingOIDCScope)) grant.addOIDCScope(missingOIDCScope.join(' '));
    if (isStrings(missingOIDCClaims)) grant.addOIDCClaims(missingOIDCClaims);
    return grant.save();
  }

  async #findClient(interaction: Interaction): Promise<{ id: string; name: string }> {
    const id = stringParameter(interaction, 'client_id') ?? '';
    const client = await this.#provider.Client.find(id);
    return { id, name: client?.clientName ?? id };
  }
}

function stringParameter(interaction: Interaction, name: string): string | undefined {
  const value = interaction.params[name];
  return typeof value === 'string' ? value : undefined;
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
