import { html, type Html } from '../../public-listener/page.ts';

/** The facts of a consent. The form is valid for exactly these. */
export interface ConsentFacts {
  /** The client as it calls itself. */
  clientName: string;
  clientId: string;
  /** Where the code, and with it the access, is sent. */
  redirectUri: string;
  /** The endpoint that the client may call. */
  resource: string;
  scopes: readonly string[];
  /** The signed-in person, as the page names them. */
  person: string;
}

const SCOPE_MEANINGS: ReadonlyMap<string, string> = new Map([
  ['mcp', 'call the tools, prompts and resources that you may use'],
  ['openid', 'learn the identifier of your account'],
  ['offline_access', 'keep access until you or an administrator ends it'],
]);

/** The host of a redirect URI, or the scheme of one without a host. */
export function describeRedirect(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  if (protocol === 'https:') return host;
  return protocol === 'http:' ? `${host} (a program on this computer)` : `${protocol}// (a program on this computer)`;
}

/** Renders the question whether a client may act for the user (RFC 9700, section 4.14). */
export function renderConsent(facts: ConsentFacts, formToken: string): Html {
  const { clientId, redirectUri, resource, scopes, person } = facts;
  const isDocument = clientId.startsWith('https:');
  const identity = isDocument
    ? html`The description of this client comes from <b>${new URL(clientId).host}</b>.`
    : html`This client registered itself. Its name is not verified.`;
  // Other scopes are not granted, and their text is that of the client.
  const items = scopes.flatMap((scope) => SCOPE_MEANINGS.get(scope) ?? []).map((meaning) => html`<li>${meaning}</li>`);
  return html`<p>It will act as <b>${person}</b>. ${identity}</p>
    <dl>
      <dt>The access is sent to</dt>
      <dd><b>${describeRedirect(redirectUri)}</b><br />${redirectUri}</dd>
      <dt>It may use</dt>
      <dd>${resource}</dd>
      <dt>It may</dt>
      <dd>
        <ul>
          ${items}
        </ul>
      </dd>
    </dl>
    <p class="warning">Allow this only if you have just started a sign-in in this client.</p>
    <form method="post">
      <input type="hidden" name="form_token" value="${formToken}" />
      <button type="submit" name="decision" value="allow">Allow</button>
      <button type="submit" name="decision" value="deny" class="quiet">Deny</button>
    </form>`;
}
