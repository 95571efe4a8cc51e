import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { sendMessage } from '../public-listener/page.ts';
import { PUBLIC_ROUTE, type PublicRoutes } from '../public-listener/public-routes.ts';
import { BrowserSessions } from './browser-sessions.ts';
import { findForwardedInteraction, INTERACTIONS_PATH } from './forwarded-sign-ins.ts';
import { CorporateSignIn, SIGN_IN_CALLBACK_PATH } from './corporate-sign-in.ts';

/** Path of the form that signs a user out. */
export const SIGN_OUT_PATH = '/oauth/sign-out';

/** The routes of sign-ins in browsers. */
@Injectable()
export class SignInRoutes implements PublicRoutes {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly signIn: CorporateSignIn,
  ) {}

  register(server: FastifyInstance): void {
    server.get(SIGN_IN_CALLBACK_PATH, PUBLIC_ROUTE, async (request, reply) => {
      const { searchParams, search } = new URL(request.url, 'http://localhost');
      const interaction = findForwardedInteraction(searchParams.get('state'));
      if (interaction !== undefined)
        return reply.redirect(`${INTERACTIONS_PATH}/${interaction}/corporate${search}`, 303);
      const { person, returnTo } = await this.signIn.finish(request, reply);
      void reply.header('set-cookie', await this.sessions.start(person));
      return reply.redirect(returnTo, 303);
    });
    server.post(SIGN_OUT_PATH, PUBLIC_ROUTE, async (request, reply) => {
      this.sessions.requireFormToken(request, SIGN_OUT_PATH);
      await this.sessions.end(request, reply);
      sendMessage(reply, 200, 'Signed out', 'Open the link again to sign in as another person.');
      return reply;
    });
  }
}
