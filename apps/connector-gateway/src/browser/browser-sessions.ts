import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { SETTINGS, type Settings } from '../config/config.ts';
import { clearCookie, type CookieRequest, formatCookie, readCookie } from '../public-listener/cookies.ts';
import { PageError } from '../public-listener/page-error.ts';
import { PublicOrigin } from '../public-listener/public-origin.ts';
import { readForm } from '../public-listener/public-routes.ts';
import { type BrowserPerson, BrowserSessionsRepository } from './browser-sessions.repository.ts';
import { CorporateSignIn } from './corporate-sign-in.ts';

const COOKIE = 'session';
const LIFETIME_SECONDS = 8 * 3600;

/** How a page requires a user. */
export interface PersonRequirement {
  /** Path and query of the page, to which the browser comes back. */
  readonly returnTo: string;
  /** The only issuer whose users may see the page. */
  readonly issuer?: string;
}

/** The users who are signed in in browsers, for the pages of the public listener. */
@Injectable()
export class BrowserSessions {
  private readonly csrfKey: Buffer;

  constructor(
    @Inject(SETTINGS) { CURSOR_KEY }: Settings,
    private readonly sessions: BrowserSessionsRepository,
    private readonly signIn: CorporateSignIn,
    private readonly origin: PublicOrigin,
  ) {
    this.csrfKey = createHmac('sha256', CURSOR_KEY).update('browser form').digest();
  }

  /**
   * The user of a request.
   * @returns undefined after a redirect to the corporate provider
   * @throws PageError if no issuer can sign users in
   */
  async requirePerson(
    request: FastifyRequest,
    reply: FastifyReply,
    { returnTo, issuer }: PersonRequirement,
  ): Promise<BrowserPerson | undefined> {
    const person = await this.findPerson(request);
    if (person !== undefined && (issuer === undefined || person.issuer === issuer)) return person;
    await this.signIn.begin(reply, { returnTo, issuer, prompt: person && 'login' });
    return undefined;
  }

  /** The user of a request; undefined if no user is signed in. */
  async findPerson(request: CookieRequest): Promise<BrowserPerson | undefined> {
    const id = readCookie(request, this.origin.get(), COOKIE);
    return id === undefined ? undefined : this.sessions.find(hash(id));
  }

  /** Signs a user in under a new session id. @returns the header `Set-Cookie` */
  async start(person: BrowserPerson): Promise<string> {
    const value = randomBytes(32).toString('base64url');
    await this.sessions.save(hash(value), person, LIFETIME_SECONDS * 1000);
    return formatCookie(this.origin.get(), { name: COOKIE, value, maxAgeSeconds: LIFETIME_SECONDS });
  }

  /** Signs the user of a request out. */
  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const id = readCookie(request, this.origin.get(), COOKIE);
    if (id !== undefined) await this.sessions.delete(hash(id));
    clearCookie(reply, this.origin.get(), COOKIE);
  }

  /**
   * The token of a form, which only a page of this session can know.
   * @param form the path of the form, or a text that also contains what its page shows
   */
  createFormToken(request: CookieRequest, form: string): string {
    const id = readCookie(request, this.origin.get(), COOKIE) ?? '';
    return createHmac('sha256', this.csrfKey)
      .update(JSON.stringify([id, form]))
      .digest('base64url');
  }

  /** Requires the token in the field `csrf` of a posted form. @throws PageError 403 */
  requireFormToken(request: FastifyRequest, form: string): void {
    const sent = hash(readForm(request).get('csrf') ?? '');
    if (!timingSafeEqual(sent, hash(this.createFormToken(request, form))))
      throw new PageError(
        403,
        'This form is not valid',
        'It was not sent from the page of this session, or the page shows something else now. Open the page again.',
      );
  }
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
