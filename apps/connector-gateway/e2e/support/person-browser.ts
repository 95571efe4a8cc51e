import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** The password with which a person signs in at the corporate provider. */
export interface PersonAccount {
  address: string;
  password: string;
}

/** The browser of a person, and the address on this computer to which clients are sent back. */
export class PersonBrowser {
  /** How often the person was asked for the password. */
  passwords = 0;
  /** Texts of the pages on which the person decided. */
  readonly consents: string[] = [];

  private constructor(
    private readonly account: PersonAccount,
    private readonly context: BrowserContext,
    private readonly page: Page,
    private readonly callback: Server,
  ) {}

  static async open(browser: Browser, account: PersonAccount): Promise<PersonBrowser> {
    const callback = createServer((_, response) => response.end('You can close this page.'));
    callback.listen(0, '127.0.0.1');
    await once(callback, 'listening');
    const context = await browser.newContext();
    context.setDefaultTimeout(90_000);
    return new PersonBrowser(account, context, await context.newPage(), callback);
  }

  /** The redirect URI of a client of the person. */
  get redirectUri(): string {
    return `http://127.0.0.1:${(this.callback.address() as AddressInfo).port}/callback`;
  }

  /** Signs the person in at another provider, which knows the person by a cookie. */
  async signInAt(url: string, user: string): Promise<void> {
    await this.context.addCookies([{ name: 'user', value: user, url }]);
  }

  /** Lets a client act for the person. @returns the redirect to the client */
  async allowClient(authorizationUrl: string): Promise<URL> {
    await this.page.goto(authorizationUrl);
    await this.enterPassword('Allow');
    await this.decide('Allow');
    await this.page.waitForURL(`${this.redirectUri}?**`);
    return new URL(this.page.url());
  }

  /** Connects the person at the link of a connector. */
  async connect(link: string): Promise<void> {
    await this.page.goto(link);
    await this.enterPassword('Connect');
    await this.decide('Connect');
    await this.page.getByRole('heading', { name: 'is connected' }).waitFor();
  }

  async close(): Promise<void> {
    await this.context.close();
    this.callback.closeAllConnections();
    await once(this.callback.close(), 'close');
  }

  /** Enters the password where the corporate provider asks for it. @param next the next button */
  private async enterPassword(next: string): Promise<void> {
    const password = this.page.locator('#password');
    await password.or(this.findButton(next)).waitFor();
    if (!(await password.isVisible())) return;
    this.passwords += 1;
    await this.page.locator('#login').fill(this.account.address);
    await password.fill(this.account.password);
    await this.page.locator('#submit-login').click();
  }

  private async decide(button: string): Promise<void> {
    await this.findButton(button).waitFor();
    this.consents.push(await this.page.locator('main').innerText());
    await this.findButton(button).click();
  }

  private findButton(name: string) {
    return this.page.getByRole('button', { name, exact: true });
  }
}
