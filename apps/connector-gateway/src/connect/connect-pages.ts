import { html, type Page } from '../public-listener/page.ts';

/** The facts on the consent page. */
export interface Consent {
  readonly connectorName: string;
  /** Host of the connector's server, which gets the tokens. */
  readonly connectorHost: string;
  readonly providerName: string;
  /** Host of the page to which the browser goes. */
  readonly providerHost: string;
  readonly scopes: readonly string[];
  readonly personName: string;
  readonly formToken: string;
}

/** The page on which a user approves the sign-in at the provider of a connector. */
export const createConsentPage = (consent: Consent): Page => ({
  status: 200,
  title: `Connect ${consent.connectorName}?`,
  body: html`<p>Gatehouse will act for you at this connector. Go on only if you asked for it yourself.</p>
    <dl>
      <dt>Connector</dt>
      <dd>${consent.connectorName} (${consent.connectorHost})</dd>
      <dt>You sign in at</dt>
      <dd>${consent.providerName} (${consent.providerHost})</dd>
      <dt>Gatehouse asks for</dt>
      ${consent.scopes.length === 0 ? html`<dd>the default access of the provider</dd>` : consent.scopes.map((scope) => html`<dd>${scope}</dd>`)}
      <dt>For</dt>
      <dd>${consent.personName}</dd>
    </dl>
    <form method="post">
      <input type="hidden" name="csrf" value="${consent.formToken}" />
      <button type="submit" name="decision" value="connect">Connect</button>
      <button type="submit" name="decision" value="cancel" class="quiet">Cancel</button>
    </form>`,
});

/** The page for a user who opens the link of another one. */
export const createForeignLinkPage = (personName: string, signOutPath: string, formToken: string): Page => ({
  status: 403,
  title: 'This link belongs to another person',
  body: html`<p>
      You are signed in as ${personName}. Nothing was connected. If the link is yours, sign out and open it again.
    </p>
    <form method="post" action="${signOutPath}">
      <input type="hidden" name="csrf" value="${formToken}" />
      <button type="submit" class="quiet">Sign out</button>
    </form>`,
});

/** The page after a sign-in. */
export const createConnectedPage = (connectorName: string): Page => ({
  status: 200,
  title: `${connectorName} is connected`,
  body: html`<p>You can close this page and go back to your client.</p>`,
});
