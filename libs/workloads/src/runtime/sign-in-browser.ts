/** The redirect of a sign-in, and the page that the browser waits for. */
export interface SignInRedirect {
  /** The requested address. Its query has the authorization response (RFC 6749, section 4.1.2). */
  readonly url: URL;
  /** Shows the result of the sign-in in the browser. */
  readonly show: (title: string, sentence: string) => void;
}

/** A listener for the redirect on this machine (RFC 8252, section 7.3). */
export interface RedirectListener {
  readonly redirectUri: string;
  /** The first redirect with the right state. */
  readonly redirect: Promise<SignInRedirect>;
  readonly close: () => Promise<void>;
}

/** The browser of the person who runs a command. */
export interface SignInBrowser {
  /**
   * Listens on a port of the loopback interface; 0: any port. Rejects with the code EADDRINUSE
   * where another program has the port.
   * @param state value that only the authorization server and this process know
   */
  readonly listen: (port: number, state: string) => Promise<RedirectListener>;
  /** Opens an address, or prints it where no browser is wanted or found. */
  readonly open: (url: string, options: { readonly skipsBrowser: boolean }) => Promise<void>;
}
