import { html, type Page } from '../../public-listener/page.ts';

/** The values of the page for another person. */
export interface OtherPerson {
  /** The name of the person who is signed in in the browser. */
  personName: string;
  /** Address of the interaction. */
  path: string;
  signOutPath: string;
  formToken: string;
}

/** The page after the corporate provider has signed in another user than that of the session. */
export const createOtherPersonPage = ({ personName, path, signOutPath, formToken }: OtherPerson): Page => ({
  status: 403,
  title: 'Another person has signed in',
  body: html`<p>
      You are signed in here as ${personName}, but your organization’s identity provider signed in another person. The
      client got no access.
    </p>
    <a class="button" href="${path}?prompt=login">Sign in as ${personName}</a>
    <form method="post" action="${signOutPath}">
      <input type="hidden" name="csrf" value="${formToken}" />
      <button type="submit" class="quiet">Sign out here</button>
    </form>
    <p>After you sign out, start again in your client.</p>`,
});
