/** A browser for sign-in tests: it stores cookies, follows redirects and fills in forms. */
export class Browser {
  /** A cookie is known by its name and path (RFC 6265, section 5.3). */
  readonly #cookies = new Map<string, { name: string; value: string; path: string }>();
  readonly #locate: (url: string) => string;

  /** @param locate the address of the server that answers for a public one */
  constructor(locate: (url: string) => string = (url) => url) {
    this.#locate = locate;
  }

  /**
   * Follows redirects until a page arrives, or until a redirect to an address that starts with
   * `until`.
   */
  async open(
    url: string,
    until?: string,
    init: RequestInit = {},
  ): Promise<{ url: string; status: number; html: string; headers: Headers }> {
    let next = { url, init };
    for (let hop = 0; hop < 12; hop++) {
      if (until && next.url.startsWith(until)) return { url: next.url, status: 0, html: '', headers: new Headers() };
      const response = await fetch(this.#locate(next.url), {
        ...next.init,
        redirect: 'manual',
        headers: {
          ...(next.init.headers as Record<string, string> | undefined),
          cookie: this.#cookieHeader(new URL(next.url).pathname),
        },
      });
      const html = await response.text();
      this.#keep(response.headers.getSetCookie());
      const location = response.headers.get('location');
      if (!location) return { url: next.url, status: response.status, html, headers: response.headers };
      next = { url: new URL(location, next.url).href, init: {} };
    }
    throw new Error(`the redirects do not end; the last address is ${next.url}`);
  }

  /** Plants a cookie, as another host of the domain could over http. */
  setCookie(name: string, value: string): void {
    this.#store({ name, value, path: '/' });
  }

  /** The value of a cookie for all paths. */
  getCookie(name: string): string | undefined {
    return this.#cookies.get(`${name};/`)?.value;
  }

  /** Submits a form of the page at `url`. */
  submit(url: string, fields: Record<string, string>, until?: string) {
    return this.open(url, until, { method: 'POST', body: new URLSearchParams(fields) });
  }

  #cookieHeader(path: string): string {
    return [...this.#cookies.values()]
      .filter((cookie) => path.startsWith(cookie.path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  #keep(cookies: string[]): void {
    for (const cookie of cookies) {
      const [pair = '', ...attributes] = cookie.split('; ');
      const at = pair.indexOf('=');
      const path = attributes.find((attribute) => attribute.startsWith('path='))?.slice(5) ?? '/';
      this.#store({ name: pair.slice(0, at), value: pair.slice(at + 1), path });
    }
  }

  #store(cookie: { name: string; value: string; path: string }): void {
    this.#cookies.set(`${cookie.name};${cookie.path}`, cookie);
  }
}

/** Value of a hidden field in a page. */
export function hiddenField(html: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1];
  if (value === undefined) throw new Error(`the page has no field ${name}: ${html}`);
  return value;
}
